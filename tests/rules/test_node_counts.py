"""Node counts: how many action sequences of a length there are from fixed deals.

The first plies are known by hand: three players bid from twelve cards each, then the leader keeps or swaps.
"""

from functools import cache

import pytest

from games.rules.actions import OVER, legal_actions
from games.rules.deal import deal_round
from games.rules.playout import Chance, random_action
from games.rules.round import Round
from tests.rules.positions import make_seed


def count_nodes(round_: Round, depth: int) -> int:
    """Sequences of exactly `depth` actions; a round that ends earlier counts once."""
    if depth == 0 or round_.phase == OVER:
        return 1
    actions = list(legal_actions(round_.phase, round_.legal))
    if depth == 1:
        return len(actions)
    total = 0
    for action in actions:
        after = round_.copy()
        after.apply(action)
        total += count_nodes(after, depth - 1)
    return total


@cache
def position(players: int, zero_gold: bool, steps: int) -> Round:
    dealt = deal_round(make_seed("nodes"), players, 1)
    round_ = Round(players, dealt.hands, 1, zero_gold)
    chance = Chance(7)
    for _ in range(steps):
        round_.apply(random_action(round_, chance))
    return round_


COUNTS = [
    pytest.param(3, True, 0, [12, 144, 1728, 1728 * 12], id="three: bids, then keep or eleven swaps"),
    pytest.param(4, True, 0, [12, 144, 1728], id="four: bids"),
    pytest.param(4, True, 4, [23, 23 * 23], id="four: keep, or eleven cards for two bids"),
    pytest.param(3, False, 0, [12, 144, 1728, 1728 * 11], id="three without zeros: bids, then a lead"),
]


@pytest.mark.parametrize(("players", "zero_gold", "steps", "counts"), COUNTS)
def test_counts_known_by_hand(players: int, zero_gold: bool, steps: int, counts: list[int]) -> None:
    round_ = position(players, zero_gold, steps)
    assert [count_nodes(round_, depth) for depth in range(1, len(counts) + 1)] == counts


FROZEN = [
    pytest.param(3, True, 20, [8, 51, 255, 2159, 16162], id="three, after 20 actions"),
    pytest.param(3, True, 40, [5, 20, 80, 224, 416, 1514, 3987, 8067], id="three, after 40 actions"),
    pytest.param(3, False, 30, [5, 11, 49, 202, 694, 1642, 7193], id="three without zeros, after 30 actions"),
    pytest.param(4, True, 25, [8, 51, 264, 958, 14370], id="four, after 25 actions"),
    pytest.param(4, True, 50, [2, 26, 78, 210, 414, 606, 2846, 12318], id="four, after 50 actions"),
    pytest.param(4, False, 40, [9, 81, 729, 2916, 10098], id="four without zeros, after 40 actions"),
]


@pytest.mark.parametrize(("players", "zero_gold", "steps", "counts"), FROZEN)
def test_counts_from_the_middle_of_a_round(players: int, zero_gold: bool, steps: int, counts: list[int]) -> None:
    round_ = position(players, zero_gold, steps)
    assert [count_nodes(round_, depth) for depth in range(1, len(counts) + 1)] == counts
