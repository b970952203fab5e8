"""A position: what it is when a round begins, that a copy is whole, and that it goes its own way."""

from typing import Any

import pytest

from benchmarks.rules import load_plain
from games.rules.actions import BID, OVER
from games.rules.cards import mask_of
from games.rules.deal import deal_round
from games.rules.playout import Chance, play_out, random_action
from games.rules.round import Round
from tests.rules.positions import make_seed

NAMES: tuple[str, ...] = load_plain("position").Position.__slots__
SUPPLY = {3: [1, 1, 2, 2, 3, 3, 4, 5, 6, 7], 4: [1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8]}


def describe(round_: Round) -> dict[str, Any]:
    values = {name: getattr(round_, name) for name in NAMES}
    return {name: list(value) if isinstance(value, list) else value for name, value in values.items()}


def gold_mask(ranks: list[int]) -> int:
    """A collection as round.py writes it: bit 50 + rank for the first of a rank, bit rank for the second."""
    return mask_of(50 + rank for rank in ranks) | mask_of(rank for rank in ranks if ranks.count(rank) == 2)


@pytest.mark.parametrize("zero_gold", [True, False])
@pytest.mark.parametrize("players", [3, 4])
def test_a_round_begins(players: int, zero_gold: bool) -> None:
    hands = list(deal_round(make_seed("begin"), players, 1).hands)
    empty = [0] * (4 - players)
    assert describe(Round(players, hands, 2, zero_gold)) == {
        "players": players,
        "hands": hands + empty,
        "sizes": [12] * players + empty,
        "golds": [1 << 50 if zero_gold else 0] * players + empty,
        "bids": [-1] * 4,
        "known": [0] * 4,
        "tricks": [0] * 4,
        "trick": [0] * 4,
        "supply": gold_mask(SUPPLY[players]),
        "played": 0,
        "first": 2,
        "phase": BID,
        "bids_laid": 0,
        "leader": 2,
        "turn": 2,
        "legal": hands[2],
        "asked": 0,
        "trick_number": 0,
        "trick_length": 0,
        "blocked": 0,
        "low_rank": 0,
        "low_seat": -1,
        "high_rank": 0,
        "high_seat": -1,
        "closed": 0,
        "last_winner": -1,
        "last_gold_to": -1,
        "last_gold": -1,
        "end_reason": 0,
        "end_seat": -1,
    }


@pytest.mark.parametrize("players", [3, 4])
def test_begun_anew_it_is_as_new(players: int) -> None:
    hands = [deal_round(make_seed("anew"), players, number).hands for number in (1, 2)]
    used = Round(players, hands[0], 0, True)
    play_out(used, Chance(8))
    used.start(hands[1], 1, False)
    assert describe(used) == describe(Round(players, hands[1], 1, False))


@pytest.mark.parametrize("players", [3, 4])
def test_a_copy_is_the_same_and_goes_its_own_way(players: int) -> None:
    round_ = Round(players, deal_round(make_seed("copy"), players, 1).hands, 1, True)
    chance = Chance(5)
    while round_.phase != OVER:
        other = round_.copy()
        before = describe(round_)
        assert describe(other) == before
        play_out(other, Chance(6))
        assert describe(round_) == before
        round_.apply(random_action(round_, chance))
    assert describe(round_.copy()) == describe(round_)
