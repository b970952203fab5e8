"""How every entrant did against every other, and means with intervals over blocks: is it more than luck?"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import count
from math import isnan

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from games.rules.outcome import settle_places
from tournaments.rules.means import MeanInterval, interval_of_mean
from tournaments.rules.ratings.values import Estimate
from tournaments.rules.standings.results import UNITS, FixtureEnd, Scoring, TableResult, arrange_results, credit_seats

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


def block_means(values: ArrayLike, blocks: ArrayLike) -> FloatArray:
    """The mean of each block, in rising order of the blocks."""
    _, index = np.unique(blocks, return_inverse=True)
    sizes = np.bincount(index)
    sums: FloatArray = np.zeros(len(sizes))
    np.add.at(sums, index, np.asarray(values, dtype=float))
    return sums / sizes


def student_reach(freedom: ArrayLike) -> FloatArray:
    """How many standard errors a 95 % interval reaches to each side."""
    reach: FloatArray = scipy.special.stdtrit(freedom, 0.975)
    return reach


def student_chance(distance: ArrayLike, freedom: ArrayLike) -> FloatArray:
    """The chance to lie this many standard errors from the truth, to either side."""
    chance: FloatArray = 2 * scipy.special.stdtr(freedom, -np.abs(distance))
    return chance


@dataclass(frozen=True, slots=True)
class PositionBias:
    """Share of first places by position with intervals, and the chance of such shares if position did not matter.

    `p_value` is None where there are too few blocks, or too little variation, to tell.
    """

    shares: tuple[MeanInterval, ...]
    statistic: float | None
    p_value: float | None
    matches: int


def measure_seat_bias(results: Iterable[TableResult]) -> PositionBias:
    """By seat at tables of three, by side at tables of four. Matches with a forfeit are left out."""
    return _measure_positions((result, 0) for result in results)


def measure_first_player_bias(results: Iterable[TableResult]) -> PositionBias:
    """By distance, clockwise, from the first player of the first round; of two sides, its own and the other."""
    return _measure_positions((result, result.first_seat) for result in results)


def _measure_positions(placed: Iterable[tuple[TableResult, int]]) -> PositionBias:
    """All results must be of one kind of table; `placed` says from which seat positions are counted."""
    shares, blocks = [], []
    for number, (result, origin) in enumerate(placed):
        if result.kind is FixtureEnd.PLAYED and not result.forfeits:
            shares.append(_first_place_shares(result, origin))
            blocks.append(-1 - number if result.block is None else result.block)
    if not shares:
        return PositionBias((), None, None, 0)
    columns = np.array(shares).T
    by_block = np.column_stack([block_means(column, blocks) for column in columns])
    statistic, p_value = _test_equal_shares(by_block)
    intervals = tuple(interval_of_mean(column) for column in by_block.T)
    return PositionBias(intervals, statistic, p_value, len(shares))


def _first_place_shares(result: TableResult, origin: int) -> list[float]:
    sides = len(result.places)
    first = result.places.count(1)
    return [(result.places[(position + origin) % sides] == 1) / first for position in range(sides)]


def _test_equal_shares(by_block: FloatArray) -> tuple[float | None, float | None]:
    """Hotelling's test that all positions have the same share, over blocks; the last share follows from the others."""
    blocks, positions = by_block.shape
    free = positions - 1
    if blocks <= positions:
        return None, None
    excess = by_block[:, :free] - 1 / positions
    covariance = np.atleast_2d(np.cov(excess, rowvar=False))
    if np.linalg.matrix_rank(covariance) < free:
        return None, None
    mean = excess.mean(axis=0)
    squared_distance = blocks * float(mean @ np.linalg.solve(covariance, mean))
    statistic = squared_distance * (blocks - free) / (free * (blocks - 1))
    return statistic, float(scipy.special.fdtrc(free, blocks - free, statistic))


def estimate_points(results: Iterable[TableResult], scoring: Scoring) -> dict[int, Estimate]:
    """Mean points of each entrant who played; infinite error for one block alone, which can part nobody."""
    entrants, blocks, points = [], [], []
    alone = count(1)
    for arrays in arrange_results(results):
        seats = arrays.entrants.shape[1]
        entrants.append(arrays.entrants.ravel())
        points.append(credit_seats(arrays, scoring)[1].ravel() / UNITS)
        keys = [-next(alone) if result.block is None else result.block for result in arrays.results]
        blocks.append(np.repeat(keys, seats))
    if not entrants:
        return {}
    pairs, index = np.unique(
        np.column_stack([np.concatenate(entrants), np.concatenate(blocks)]), axis=0, return_inverse=True
    )
    means = np.bincount(index, weights=np.concatenate(points)) / np.bincount(index)
    ids, owner = np.unique(pairs[:, 0], return_inverse=True)
    met = np.bincount(owner)
    mean = np.bincount(owner, weights=means) / met
    squares = np.bincount(owner, weights=(means - mean[owner]) ** 2)
    error = np.where(met > 1, np.sqrt(squares / np.maximum(met - 1, 1) / met), np.inf)
    return {
        entrant: Estimate(value, se, max(blocks_met - 1, 1))
        for entrant, value, se, blocks_met in zip(
            ids.tolist(), mean.tolist(), error.tolist(), met.tolist(), strict=True
        )
    }


class CellMark(StrEnum):
    """What is printed beside a cell, so that it reads without colour: surely (1 %), likely (5 %), or not parted.

    The percent are of whole tables: in 5 of 100 tables of equals any cell is marked at all (Holm 1979).
    """

    SURELY_AHEAD = "++"
    AHEAD = "+"
    LEVEL = "="
    BEHIND = "-"
    SURELY_BEHIND = "--"


@dataclass(frozen=True, slots=True)
class CrosstableCell:
    """One entrant against one opponent; `share_ahead` counts a shared place as one half.

    The interval and the chance come from block means, of this pair by itself; they are None with fewer than two blocks
    or no variation. The mark allows for all pairs of the table.
    """

    meetings: int
    blocks: int
    share_ahead: float
    mean_difference: float
    low: float | None
    high: float | None
    p_value: float | None
    mark: CellMark


def build_crosstable(results: Iterable[TableResult]) -> dict[tuple[int, int], CrosstableCell]:
    """A cell for every ordered pair that opposed each other. Forfeited seats count for the place, not for the score."""
    rows = _meeting_rows(results)
    if not len(rows):
        return {}
    pair_ids, pair = np.unique(rows[:, :2].astype(np.int64), axis=0, return_inverse=True)
    pairs = len(pair_ids)
    meetings = np.bincount(pair, minlength=pairs)
    share = np.bincount(pair, weights=rows[:, 3], minlength=pairs) / meetings
    found = _block_statistics(*_block_differences(pair, rows), pairs)
    columns = (meetings, *found, _allow_for_all(found[-1]))
    return {
        (own, other): CrosstableCell(
            met, blocks, ahead, mean, _or_none(low), _or_none(high), _or_none(p_value), _mark_of(mean, joint)
        )
        for (own, other), ahead, met, blocks, mean, low, high, p_value, joint in zip(
            pair_ids.tolist(), share.tolist(), *(column.tolist() for column in columns), strict=True
        )
    }


def _allow_for_all(p_values: FloatArray) -> FloatArray:
    """Each chance times the pairs that are not parted before it (Holm); every pair is there twice, both ways round."""
    order = np.argsort(p_values)
    pairs = np.count_nonzero(~np.isnan(p_values)) // 2
    joint = np.empty(len(p_values))
    joint[order] = np.maximum.accumulate(p_values[order] * (pairs - np.arange(len(order)) // 2))
    return joint


def _block_differences(pair: IntArray, rows: FloatArray) -> tuple[FloatArray, IntArray]:
    """The mean score difference of every pair in every block where it counts, and whose it is."""
    counts = rows[:, 5] > 0
    keys = np.column_stack([pair, rows[:, 2].astype(np.int64)])[counts]
    blocks, index = np.unique(keys, axis=0, return_inverse=True)
    return block_means(rows[counts, 4], index), blocks[:, 0]


def _meeting_rows(results: Iterable[TableResult]) -> FloatArray:
    """Entrant, opponent, block, share ahead, score difference, and whether the difference counts."""
    rows = []
    for number, result in enumerate(results):
        if result.kind is not FixtureEnd.PLAYED:
            continue
        seats, sides = len(result.entrants), len(result.places)
        places = settle_places(result.places, result.forfeits, seats)
        block = -1 - number if result.block is None else result.block
        for own in range(seats):
            for other in range(seats):
                if own % sides == other % sides:
                    continue
                ahead = 0.5 + 0.5 * ((places[own] < places[other]) - (places[own] > places[other]))
                difference = result.totals[own % sides] - result.totals[other % sides]
                counts = own not in result.forfeits and other not in result.forfeits
                rows.append((result.entrants[own], result.entrants[other], block, ahead, difference, counts))
    return np.array(rows, dtype=float)


def _block_statistics(
    values: FloatArray, owner: IntArray, pairs: int
) -> tuple[IntArray, FloatArray, FloatArray, FloatArray, FloatArray]:
    """Number of blocks, mean, 95 % bounds and two-sided chance for each pair; NaN where they do not exist."""
    count = np.bincount(owner, minlength=pairs)
    mean = np.bincount(owner, weights=values, minlength=pairs) / np.maximum(count, 1)
    squares = np.bincount(owner, weights=(values - mean[owner]) ** 2, minlength=pairs)
    freedom = np.where(count > 1, count - 1, 1)
    error = np.sqrt(squares / freedom / np.maximum(count, 1))
    error[(count < 2) | (error == 0)] = np.nan
    reach = student_reach(freedom) * error
    p_value = student_chance(mean / error, freedom)
    return count, mean, mean - reach, mean + reach, p_value


def _or_none(value: float) -> float | None:
    return None if isnan(value) else value


def _mark_of(mean: float, p_value: float) -> CellMark:
    if not p_value < 0.05:
        return CellMark.LEVEL
    if mean > 0:
        return CellMark.SURELY_AHEAD if p_value < 0.01 else CellMark.AHEAD
    return CellMark.SURELY_BEHIND if p_value < 0.01 else CellMark.BEHIND
