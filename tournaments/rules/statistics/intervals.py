"""Means with intervals, taken over blocks: matches on the same deals are one observation, not several."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from math import sqrt
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from tournaments.rules.ratings.values import Estimate
from tournaments.rules.standings.results import UNITS, ResultKind, Scoring, TableResult, arrange_results, credit_seats

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


class MeanInterval(NamedTuple):
    """A mean, its 95 % interval by Student's t, and the chance of such a mean if the truth were zero.

    With fewer than two observations, or none that differ, the bounds and the chance are None.
    """

    mean: float
    low: float | None
    high: float | None
    p_value: float | None
    observations: int


def block_means(values: ArrayLike, blocks: ArrayLike) -> FloatArray:
    """The mean of each block, in rising order of the blocks."""
    _, index = np.unique(blocks, return_inverse=True)
    sizes = np.bincount(index)
    sums: FloatArray = np.zeros(len(sizes))
    np.add.at(sums, index, np.asarray(values, dtype=float))
    return sums / sizes


def interval_of_mean(values: ArrayLike, blocks: ArrayLike | None = None) -> MeanInterval:
    """The mean of the block means, or of the values where no blocks are given. Raises ValueError if there are none."""
    observed = np.asarray(values, dtype=float) if blocks is None else block_means(values, blocks)
    if not len(observed):
        raise ValueError("there is no mean of nothing")
    mean, count = float(observed.mean()), len(observed)
    error = float(observed.std(ddof=1)) / sqrt(count) if count > 1 else 0.0
    if error == 0.0:
        return MeanInterval(mean, None, None, None, count)
    reach = float(student_reach(count - 1)) * error
    p_value = float(student_chance(mean / error, count - 1))
    return MeanInterval(mean, mean - reach, mean + reach, p_value, count)


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
        if result.kind is ResultKind.PLAYED and not result.forfeits:
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
