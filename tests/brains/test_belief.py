"""What may be believed of hidden hands: deals come by their weights, the net learns who holds what."""

import hashlib
import json
from argparse import Namespace
from pathlib import Path
from shutil import copy

import numpy as np
import pytest

from bots.brains.belief import Belief, played_by_seat
from bots.brains.counting import CountingBrain
from bots.brains.learnt import LearntPolicy
from bots.brains.net import FOLDER, Net, load_net, read_weights
from bots.brains.sampling import HandSampler
from bots.training.belief import BeliefTrainer, HiddenHands, train
from bots.training.compare import make_maker
from games.rules.actions import BID
from games.rules.cards import cards_in
from games.rules.match import Match
from games.rules.playout import Chance
from games.rules.ruleset import Ruleset
from games.rules.view import View, view


def play_on(code: str, actions: int, seed: str = "belief") -> Match:
    match = Match(Ruleset.from_code(code), hashlib.sha256(seed.encode()).digest())
    for _ in range(actions):
        seat = match.awaiting()[0]
        match.apply(seat, CountingBrain(seat).choose(view(match, seat)))
    return match


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("belief")
    for players in (3, 4):
        train(Namespace(players=players, folder=found, rounds=3, matches=60, rate=2e-3, least_rate=1e-3, seed=2))
    return found


def weighed(seen: View, folder: Path) -> HandSampler:
    sampler = HandSampler(seen)
    Belief(Net(read_weights(folder / f"belief{seen.players}.npz"))).weigh(seen, sampler)
    return sampler


@pytest.mark.parametrize("code", ["en3", "de4"])
def test_deals_fit_what_is_known(code: str, folder: Path) -> None:
    match = play_on(code, 30)
    seen = view(match, match.round.turn)
    sampler = weighed(seen, folder)
    assert sampler.is_weighed
    chance = Chance(5)
    for _ in range(200):
        hands = sampler.deal(chance)
        assert hands[seen.seat] == seen.hand
        assert sum(len(list(cards_in(hand))) for hand in hands) == sum(seen.sizes[: seen.players])
        for seat in range(seen.players):
            assert len(list(cards_in(hands[seat]))) == seen.sizes[seat]
            assert hands[seat] & seen.known[seat] == seen.known[seat]
        assert not any(hands[one] & hands[other] for one in range(4) for other in range(one))


@pytest.mark.parametrize("code", ["en3", "en4"])
def test_before_any_bid_nothing_is_believed(code: str, folder: Path) -> None:
    match = Match(Ruleset.from_code(code), bytes(32))
    assert match.round.phase == BID
    assert not weighed(view(match, match.round.turn), folder).is_weighed


def test_who_played_what_is_read_from_the_log() -> None:
    match = play_on("en3", 40)
    while match.round.phase == BID:
        match.apply(seat := match.awaiting()[0], CountingBrain(seat).choose(view(match, seat)))
    seen = view(match, match.round.turn)
    played = played_by_seat(seen)
    assert not any(played[one] & played[other] for one in range(3) for other in range(one))
    assert sum(played) == seen.played


def test_learning_tells_hands_better_than_chance(folder: Path) -> None:
    """The error of the first round is nearly that of knowing nothing; of three it is less."""
    lines = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    for told, nothing in ((lines[:3], np.log(2)), (lines[3:], np.log(3))):
        assert told[-1]["error"] < told[0]["error"] < nothing * 1.05


def test_the_slope_is_the_slope() -> None:
    trainer = BeliefTrainer(3, 1)
    draw = np.random.default_rng(1)
    values = draw.standard_normal((4, trainer.outputs))
    worths = draw.integers(-1, 2, (4, 50)).astype(np.int8)
    before, slope = trainer.judge(values, worths)
    values[1, 7] += 1e-4
    after, _ = trainer.judge(values, worths)
    assert (after - before) / 1e-4 == pytest.approx(float(slope[1, 7]) / trainer.PUSH, rel=1e-2, abs=1e-6)


def test_only_hidden_cards_are_asked_about() -> None:
    table = HiddenHands(3, LearntPolicy(load_net("learnt3")), seed=4)
    for _ in range(3):
        table.play_match()
    active, starts, holders = table.as_arrays()
    assert len(starts) - 1 == len(holders) > 20 and len(active) == starts[-1]
    assert set(np.unique(holders)) == {-1, 0, 1}


@pytest.mark.parametrize("code", ["en3", "fr4"])
def test_a_champion_with_a_belief_plays(code: str, folder: Path) -> None:
    players = Ruleset.from_code(code).players
    for name in ("learnt", "champion"):
        copy(FOLDER / f"{name}{players}.npz", folder)
    match = play_on(code, 20)
    seen = view(match, match.round.turn)
    maker = make_maker(f"champion:30@{folder}")
    assert maker(1, match).choose(seen) == maker(1, match).choose(seen)
