"""Seat and first-player bias: does it matter where one sits, and could it be luck?"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import scipy

from tournaments.rules.standings.results import ResultKind, TableResult
from tournaments.rules.statistics.intervals import FloatArray, MeanInterval, block_means, interval_of_mean


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
