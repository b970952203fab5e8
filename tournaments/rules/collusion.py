"""Who plays for whom: pairs whose results with each other at the table are not what their ratings say.

For every match the points of each player are compared with what the strengths of those at the table give, and with what
the player has beyond that in all matches: strengths say who wins, so that who is always second has more points than
they say at every table, with friends as with others. A pair that plays together changes three sums over its
joint matches: the one who is helped gains, the one who helps loses, and so does the third. Two things are asked of
every pair: does one lead the other by more than it should, and does the third lose by it. Blocks are the observations,
and the chances allow for the number of all questions asked (Bonferroni), so that one honest pool of twenty has any pair
below 5 %.
"""

from dataclasses import dataclass, replace
from itertools import permutations, product

import numpy as np
import scipy

from tournaments.rules.ratings.fit import PoolFit
from tournaments.rules.ratings.likelihood import FloatArray, IntArray, PoolTables

POINTS = np.array([2.0, 1.0, 0.0])
"""What a place is worth at a table of three."""

FEWEST_MATCHES = 10
"""Joint matches, in as many blocks as half of them, below which a pair is not judged."""

HABIT_SWEEPS = 30


@dataclass(frozen=True, slots=True)
class PairEvidence:
    """One pair: what `helped`, `helper` and the third have in points a joint match beyond what their ratings say.

    `p_value` already allows for all pairs of the pool; below 0.05 one honest pool of twenty has any such pair.
    """

    helped: int
    helper: int
    matches: int
    blocks: int
    helped_gain: float
    helper_gain: float
    third_gain: float
    distance: float
    p_value: float


def find_partners(tables: PoolTables, fit: PoolFit, owners: IntArray | None = None) -> list[PairEvidence]:
    """Every pair with enough joint matches at tables of three, the most suspect first.

    `owners` names whose each row of the fit is where several are one's, such as the versions of a bot: they are judged
    as one, each by its own strength.
    """
    if tables.sides.shape[1:] != (3, 1):
        return []
    names, owner = np.unique(tables.players if owners is None else owners, return_inverse=True)
    seats = owner[tables.sides[:, :, 0]]
    pairs = [
        _judge_pair(names, rows)
        for rows in _split_pairs(_pair_rows(seats, _take_habits(_find_excess(tables, fit), seats), tables.blocks))
        if _are_enough(rows)
    ]
    # Who leads whom is asked both ways, and once whether the third loses.
    questions = 3 * len(pairs)
    found = [replace(pair, p_value=min(1.0, questions * pair.p_value)) for pair in pairs]
    return sorted(found, key=lambda pair: (pair.p_value, -pair.distance))


def find_givers(tables: PoolTables, fit: PoolFit) -> list[PairEvidence]:
    """At tables of two pairs: opponents of whom one wins against the other more often than strengths say.

    Nobody asks about partners: to play for each other is their game. Where partners are fixed both of a side are named,
    since results cannot tell which of them gave a match away. `third_gain` is nothing here.
    """
    if tables.sides.shape[1:] != (2, 2):
        return []
    strength = fit.theta[tables.sides].sum(axis=2)
    won = 0.5 + 0.5 * np.sign(tables.places[:, 1] - tables.places[:, 0])
    gain = won - 1 / (1 + np.exp(strength[:, 1] - strength[:, 0]))
    parts = []
    for one, other in product(tables.sides[:, 0].T, tables.sides[:, 1].T):
        signed = np.where(one < other, gain, -gain)
        parts.append(np.column_stack([np.minimum(one, other), np.maximum(one, other), tables.blocks, signed]))
    split = _split_pairs(np.concatenate(parts))
    pairs = [_judge_opponents(tables.players, rows) for rows in split if _are_enough(rows)]
    found = [replace(pair, p_value=min(1.0, 2 * len(pairs) * pair.p_value)) for pair in pairs]
    return sorted(found, key=lambda pair: (pair.p_value, -pair.distance))


def _judge_opponents(names: IntArray, rows: FloatArray) -> PairEvidence:
    block = np.unique(rows[:, 2], return_inverse=True)[1]
    blocks, gain = int(block.max()) + 1, float(rows[:, 3].mean())
    helped, helper = (0, 1) if gain >= 0 else (1, 0)
    distance = _measure_distance(rows[:, 3] * (1 if gain >= 0 else -1), block)
    chance = float(scipy.special.stdtr(blocks - 1, -distance))
    who = int(names[int(rows[0, helped])]), int(names[int(rows[0, helper])])
    return PairEvidence(*who, len(rows), blocks, abs(gain), -abs(gain), 0.0, distance, chance)


def _find_excess(tables: PoolTables, fit: PoolFit) -> FloatArray:
    """By match and side: the points had, less those expected of the fitted strengths (shared places share points)."""
    strength = fit.theta[tables.sides[:, :, 0]]
    power = np.exp(strength - strength.max(axis=1, keepdims=True))
    expected = np.zeros_like(power)
    behind = power**fit.second
    for first, second, third in permutations(range(3)):
        chance = power[:, first] / power.sum(axis=1) * behind[:, second] / (behind[:, second] + behind[:, third])
        expected[:, first] += POINTS[0] * chance
        expected[:, second] += POINTS[1] * chance
    return _share_points(tables.places) - expected


def _take_habits(excess: FloatArray, seats: IntArray) -> FloatArray:
    """Less what each player has beyond the strengths in all matches, half of which each of the others at a table pays.

    Found by going over all players until what is left of each comes to nothing (Jacobi's sweeps).
    """
    flat, habits = seats.ravel(), np.zeros(int(seats.max(initial=-1)) + 1)
    counts = np.maximum(np.bincount(flat), 1)
    for _ in range(HABIT_SWEEPS):
        own = habits[seats]
        paid = (own.sum(axis=1, keepdims=True) - own) / 2
        habits = np.bincount(flat, weights=(excess + paid).ravel()) / counts
    own = habits[seats]
    return excess - own + (own.sum(axis=1, keepdims=True) - own) / 2


def _share_points(places: np.ndarray) -> FloatArray:
    """Points by place; those who share places share their points."""
    better = (places[:, None, :] < places[:, :, None]).sum(axis=2)
    level = (places[:, None, :] == places[:, :, None]).sum(axis=2)
    sums = np.concatenate([[0.0], np.cumsum(POINTS)])
    shared: FloatArray = (sums[better + level] - sums[better]) / level
    return shared


def _pair_rows(seats: np.ndarray, excess: FloatArray, blocks: np.ndarray) -> FloatArray:
    """The lower and the higher of a pair, the block, and the excess of both and the third, for every pair and match."""
    parts = []
    for a, b, c in ((0, 1, 2), (0, 2, 1), (1, 2, 0)):
        is_lower = seats[:, a] < seats[:, b]
        low, high = np.where(is_lower, a, b), np.where(is_lower, b, a)
        match = np.arange(len(seats))
        parts.append(
            np.column_stack([
                seats[match, low], seats[match, high], blocks, excess[match, low], excess[match, high], excess[:, c],
            ])
        )
    return np.concatenate(parts)


def _are_enough(rows: FloatArray) -> bool:
    return len(rows) >= FEWEST_MATCHES and 2 * len(np.unique(rows[:, 2])) >= FEWEST_MATCHES


def _split_pairs(rows: FloatArray) -> list[FloatArray]:
    rows = rows[np.lexsort((rows[:, 1], rows[:, 0]))]
    ends = np.flatnonzero(np.any(np.diff(rows[:, :2], axis=0), axis=1)) + 1
    return np.split(rows, ends)


def _judge_pair(names: IntArray, rows: FloatArray) -> PairEvidence:
    """`p_value` is that of the clearest of the questions by itself."""
    low, high, third = rows[:, 3:].mean(axis=0).tolist()
    ahead, behind = (0, 1) if low >= high else (1, 0)
    block = np.unique(rows[:, 2], return_inverse=True)[1]
    lead = _measure_distance(rows[:, 3 + ahead] - rows[:, 3 + behind], block)
    loss = _measure_distance(-rows[:, 5], block)
    blocks, distance = int(block.max()) + 1, max(lead, loss)
    return PairEvidence(
        int(names[int(rows[0, ahead])]), int(names[int(rows[0, behind])]), len(rows), blocks,
        max(low, high), min(low, high), third, distance, float(scipy.special.stdtr(blocks - 1, -distance)),
    )


def _measure_distance(excess: FloatArray, block: np.ndarray) -> float:
    """How many errors the sum lies above nothing, where blocks are the observations."""
    sums, sizes = np.bincount(block, weights=excess), np.bincount(block)
    spread = float(((sums - sizes * excess.mean()) ** 2).sum()) * len(sums) / (len(sums) - 1)
    return float(excess.sum()) / spread**0.5 if spread else 0.0
