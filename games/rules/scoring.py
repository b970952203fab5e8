"""Scoring a round for each side, who gets its nugget, and the numbers by which rounds and matches are decided.

Compiles with scoring.pxd. A side's seats are counted by hand, because a range with a step compiles to a slow one.
"""

from dataclasses import dataclass

from games.rules.round import Round
from games.rules.ruleset import Ruleset


def round_key(total: int, is_exact: bool, best_gold: int, compares_gold: bool) -> int:
    """A side's claim to the nugget of a round: points, then an exact bid, then, where it counts, the highest gold."""
    key = total * 32 + (16 if is_exact else 0)
    return key + best_gold + 1 if compares_gold else key


def place_key(is_cumulative: bool, nuggets: int, last_bid: int, total: int, exact: int) -> int:
    """A side's claim to a place in the match; ruling R-5 completes the printed order."""
    if is_cumulative:
        return (total * 16 + last_bid) * 16 + exact
    return ((nuggets * 16 + last_bid) * 1024 + total) * 16 + exact


def is_decided(is_cumulative: bool, ends_at_two: bool, played: int, most: int, holders: int) -> bool:
    """Whether no planned round is left: so many played, the most nuggets of a side, and how many sides have them."""
    if is_cumulative:
        return played >= 3
    if ends_at_two:
        return most >= 2
    return played >= 3 or (most >= 2 and holders == 1)


GOLD = 50
# Points of gold by its rank, two bits a rank: 0 for rank 0, 1 for 1 to 3, 2 for 4 to 6, 3 for 7 and 8.
GOLD_POINTS = 0b11_11_10_10_10_01_01_01_00


def side_bid(round_: Round, sides: int, side: int) -> int:
    """The higher bid of the side's seats, as the cards lie now."""
    best = 0
    seat = side
    while seat < round_.players:
        rank = round_.bids[seat] % 10 + 1
        if round_.bids[seat] >= 0 and rank > best:
            best = rank
        seat += sides
    return best


def side_tricks(round_: Round, sides: int, side: int) -> int:
    total = 0
    seat = side
    while seat < round_.players:
        total += round_.tricks[seat]
        seat += sides
    return total


def side_gold_points(round_: Round, sides: int, side: int) -> int:
    total = 0
    seat = side
    while seat < round_.players:
        golds = round_.golds[seat]
        for rank in range(1, 9):
            total += ((golds >> (GOLD + rank) & 1) + (golds >> rank & 1)) * (GOLD_POINTS >> (2 * rank) & 3)
        seat += sides
    return total


def side_best_gold(round_: Round, sides: int, side: int) -> int:
    """The rank of the side's best gold; -1 where it has none."""
    best = -1
    seat = side
    while seat < round_.players:
        for rank in range(best + 1, 9):
            if round_.golds[seat] >> (GOLD + rank) & 1:
                best = rank
        seat += sides
    return best


def bid_points(bid: int, tricks: int) -> int:
    if tricks < bid:
        return 0
    return 2 * bid if tricks == bid else bid


def side_total(round_: Round, sides: int, side: int) -> int:
    """The points the side would have if the round ended now."""
    points = bid_points(side_bid(round_, sides, side), side_tricks(round_, sides, side))
    return points + side_gold_points(round_, sides, side)


@dataclass(frozen=True, slots=True)
class SideScore:
    bid: int
    tricks: int
    bid_points: int
    gold_points: int
    best_gold: int

    @property
    def total(self) -> int:
        return self.bid_points + self.gold_points

    @property
    def is_exact(self) -> bool:
        return self.bid == self.tricks


def score_round(round_: Round, sides: int) -> tuple[SideScore, ...]:
    scores = []
    for side in range(sides):
        bid = side_bid(round_, sides, side)
        tricks = side_tricks(round_, sides, side)
        gold = side_gold_points(round_, sides, side)
        scores.append(SideScore(bid, tricks, bid_points(bid, tricks), gold, side_best_gold(round_, sides, side)))
    return tuple(scores)


def round_winners(ruleset: Ruleset, scores: tuple[SideScore, ...]) -> tuple[int, ...]:
    """The sides that get a nugget: one, or several that the printed steps leave tied."""
    compares = ruleset.compares_highest_gold
    keys = [round_key(score.total, score.is_exact, score.best_gold, compares) for score in scores]
    best = max(keys)
    return tuple([side for side, key in enumerate(keys) if key == best])
