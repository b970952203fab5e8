"""The learnt bots: legal in every ruleset, the same again for the same seed, compiled or not, blind to hidden cards."""

import hashlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bots.brains.champion import ChampionBrain
from bots.brains.features import ALL_FEATURES, OWN_FEATURES
from bots.brains.learnt import LearntBrain, interpolate
from bots.brains.net import FOLDER, HIDDEN, SECOND, read_weights
from games.play.table import play_match
from games.rules.actions import legal_actions
from games.rules.cards import cards_in
from games.rules.match import Match
from games.rules.playout import Chance, random_action
from games.rules.round import Round
from games.rules.ruleset import Ruleset, all_rulesets
from games.rules.view import View, view

CHECKOUT = Path(__file__).parents[2]
MOST_BYTES = 2_000_000


def play(ruleset: Ruleset, seed: str) -> Match:
    match = Match(ruleset, hashlib.sha256(seed.encode()).digest())
    play_match(match, [LearntBrain(seat) for seat in range(ruleset.players)])
    return match


@pytest.mark.parametrize("ruleset", all_rulesets(), ids=lambda ruleset: ruleset.code)
def test_learnt_plays_every_ruleset_to_a_result(ruleset: Ruleset) -> None:
    for number in range(3):
        assert play(ruleset, f"{ruleset.code} {number}").is_over


@pytest.mark.parametrize("ruleset", all_rulesets(), ids=lambda ruleset: ruleset.code)
def test_champion_plays_every_ruleset_to_a_result(ruleset: Ruleset) -> None:
    match = Match(ruleset, hashlib.sha256(ruleset.code.encode()).digest())
    play_match(match, [ChampionBrain(seat, playouts=4) for seat in range(ruleset.players)])
    assert match.is_over


@pytest.mark.parametrize("code", ["en3", "ru4"])
def test_the_same_seed_decides_the_same(code: str) -> None:
    ruleset = Ruleset.from_code(code)
    assert play(ruleset, "again").log == play(ruleset, "again").log
    match = Match(ruleset, bytes(32))
    for _ in range(30):
        seen = view(match, match.round.turn)
        assert len({ChampionBrain(3, playouts=40).choose(seen) for _ in range(2)}) == 1
        match.apply(match.round.turn, LearntBrain(1).choose(seen))


def test_without_a_compiler_the_moves_are_the_same() -> None:
    """Tables, `learnt` and `champion` in two processes: as installed, and with every module from its source."""
    told = [
        subprocess.run(
            [sys.executable, "-m", "tests.brains.plain_child", how],
            cwd=CHECKOUT, capture_output=True, text=True, check=True,
        ).stdout.split()
        for how in ("as_installed", "plain")
    ]  # fmt: skip
    assert told[0] == told[1]
    assert len(told[0]) == 2


class OtherHands:
    """A view whose hidden hands are imagined otherwise: nothing that a brain may ask of a view tells them."""

    def __init__(self, seen: View) -> None:
        self.seen = seen

    def __getattr__(self, name: str) -> object:
        return getattr(self.seen, name)

    def imagine(self, hands: list[int]) -> Round:
        others = (1 << 50) - 1 & ~self.seen.hand
        filled = [held if seat == self.seen.seat else others for seat, held in enumerate(hands)]
        return self.seen.imagine(filled)


@pytest.mark.parametrize("code", ["en3", "de4", "fr3-cumulative"])
def test_hidden_hands_change_no_decision_of_learnt(code: str) -> None:
    for number in range(30):
        match = Match(Ruleset.from_code(code), hashlib.sha256(str(number).encode()).digest())
        chance = Chance(number + 1)
        for _ in range(number * 4):
            if not match.is_over:
                match.apply(match.round.turn, random_action(match.round, chance))
        if match.is_over:
            continue
        seen = view(match, match.round.turn)
        assert LearntBrain(1).choose(seen) == LearntBrain(1).choose(OtherHands(seen))  # type: ignore[arg-type]


@pytest.mark.parametrize("code", ["en3", "de4"])
def test_a_champion_keeps_to_what_is_legal(code: str) -> None:
    match = Match(Ruleset.from_code(code), hashlib.sha256(b"legal").digest())
    while not match.rounds:
        seen = view(match, match.round.turn)
        chosen = ChampionBrain(1, playouts=20).choose(seen)
        assert chosen in set(legal_actions(seen.phase, seen.legal))
        match.apply(seen.seat, chosen)


@pytest.mark.parametrize("players", [3, 4])
def test_the_weights_fit_their_nets(players: int) -> None:
    sides = 3 if players == 3 else 2
    for name, features, outputs in (("learnt", OWN_FEATURES, 1), ("champion", ALL_FEATURES, sides)):
        path = FOLDER / f"{name}{players}.npz"
        weights = read_weights(path)
        with np.load(path) as stored:
            assert weights.keys() == set(stored.files)
            assert all(list(stored[key].flatten()) == list(weights[key]) for key in weights)
            assert stored["rows"].shape == (features, HIDDEN)
            assert stored["second"].shape == (SECOND, HIDDEN)
            assert stored["last"].shape == (outputs, SECOND)
        assert max(max(map(abs, value)) for key, value in weights.items() if "bias" not in key) < 32_767


def test_a_chance_between_measured_points_lies_on_the_line() -> None:
    values, shares = [-1.0, 0.0, 0.5, 3.0], [0.0, 0.25, 0.25, 1.0]
    for asked in (-2.0, -1.0, -0.3, 0.0, 0.1, 0.5, 1.7, 3.0, 9.0):
        assert interpolate(asked, values, shares) == float(np.interp(asked, values, shares))


def test_the_weights_are_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) <= MOST_BYTES


@pytest.mark.parametrize("code", ["en3", "en4"])
def test_learnt_is_clearly_better_than_counting(code: str) -> None:
    from aurum_league.cli import ladder

    ruleset = Ruleset.from_code(code)
    interval = ladder.play_step(ladder.Rung(ruleset, "learnt", "counting"), bytes(32), 60, lambda steps: None)
    assert ladder.judge_step(interval, 1 / ruleset.sides) == "better"


def test_bids_lie_in_the_hand() -> None:
    match = Match(Ruleset.from_code("en3"), bytes(32))
    for seat in range(3):
        assert LearntBrain(1).choose(view(match, seat)) in set(cards_in(match.round.hands[seat]))
