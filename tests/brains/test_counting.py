"""The counting policy: what it decides in plain positions, alike uncompiled, looking at nothing hidden."""

import hashlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.brains import counting, tally
from bots.brains.counting import choose_action
from bots.brains.tally import Tally, cards_below, count_cards
from games.rules.actions import OVER, STOP
from games.rules.cards import CARD_BY_NAME, cards_in, mask_of, rank_of
from games.rules.match import Match
from games.rules.playout import Chance, random_action
from games.rules.round import Round
from games.rules.ruleset import Ruleset
from games.rules.view import view

FOLDER = Path(counting.__file__).parent
IS_COMPILED = not str(counting.__file__).endswith(".py")


def hand(names: str) -> int:
    return mask_of(CARD_BY_NAME[name] for name in names.split())


@given(st.integers(0, 2**50 - 1), st.integers(1, 11))
def test_counting_is_exact(mask: int, rank: int) -> None:
    assert count_cards(mask) == mask.bit_count()
    assert list(cards_in(mask & cards_below(rank))) == [card for card in cards_in(mask) if rank_of(card) < rank]


@given(st.sampled_from(["en3", "en4", "de3-nozero"]), st.integers(0, 10**6), st.integers(0, 120))
def test_hidden_cards_change_no_decision(code: str, number: int, steps: int) -> None:
    """The same open position, with the hands of the others emptied, is decided alike."""
    ruleset = Ruleset.from_code(code)
    match = Match(ruleset, hashlib.sha256(str(number).encode()).digest())
    chance = Chance(number + 1)
    for _ in range(steps):
        match.apply(match.round.turn, random_action(match.round, chance))
        if match.is_over:
            return
    seat = match.round.turn
    seen = view(match, seat)
    hands = [match.round.hands[other] for other in range(ruleset.players)]
    blind = [held if other == seat else 0 for other, held in enumerate(hands)]
    decided = [choose_action(Tally(), seen.imagine(held), seat, seen.set_aside) for held in (hands, blind)]
    assert decided[0] == decided[1]


STRONG = "B9 B8 B7 P9 P8 P7 S9 S8 S7 Z9 Z8 Z5"
MIXED = "B9 B8 B1 P4 P3 P6 S2 S3 S4 Z1 Z2 Z3"
WEAK = "B1 B2 B3 P1 P2 P3 S1 S2 S3 Z1 Z2 Z4"


@pytest.mark.parametrize(
    ("names", "lowest", "highest"),
    [
        pytest.param(STRONG, 5, 9, id="a strong hand bids high"),
        pytest.param(MIXED, 2, 4, id="a mixed hand bids little"),
        pytest.param(WEAK, 1, 1, id="a weak hand bids the least"),
    ],
)
def test_bids_follow_the_hand(names: str, lowest: int, highest: int) -> None:
    round_ = Round(3, [hand(names), 0, 0], 0, True)
    assert lowest <= rank_of(choose_action(Tally(), round_, 0, 0)) <= highest


def test_a_decision_to_stop_is_taken_only_where_it_is_legal() -> None:
    for number in range(200):
        chance = Chance(number + 1)
        match = Match(Ruleset.from_code("en3"), hashlib.sha256(str(number).encode()).digest())
        round_ = match.round
        while round_.phase != OVER:
            action = choose_action(Tally(), round_, round_.turn, 0)
            assert action != STOP or round_.legal >> STOP & 1
            round_.apply(action if chance.below(2) else random_action(round_, chance))


def load_plain(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"bots.brains.{name}", FOLDER / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.skipif(not IS_COMPILED, reason="the house bots are not compiled here")
@pytest.mark.parametrize("code", ["en3", "de4"])
def test_plain_and_compiled_decide_alike(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plain_tally = load_plain("tally")
    monkeypatch.setitem(sys.modules, "bots.brains.tally", plain_tally)
    plain = load_plain("counting")
    for number in range(20):
        match = Match(Ruleset.from_code(code), bytes([number] * 32))
        while not match.is_over:
            seat = match.round.turn
            seen = view(match, seat)
            hands = [seen.hand if other == seat else 0 for other in range(match.players)]
            expected = plain.choose_action(plain_tally.Tally(), seen.imagine(hands), seat, seen.set_aside)
            compiled = counting.choose_action(tally.Tally(), seen.imagine(hands), seat, seen.set_aside)
            assert expected == compiled
            match.apply(seat, compiled)
