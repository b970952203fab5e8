"""The crosstable: how every entrant did against every other, and whether the difference is more than luck."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from math import isnan

import numpy as np

from games.rules.outcome import settle_places
from tournaments.rules.standings.results import ResultKind, TableResult
from tournaments.rules.statistics.intervals import FloatArray, IntArray, block_means, student_chance, student_reach


class Mark(StrEnum):
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
    mark: Mark


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
        if result.kind is not ResultKind.PLAYED:
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


def _mark_of(mean: float, p_value: float) -> Mark:
    if not p_value < 0.05:
        return Mark.LEVEL
    if mean > 0:
        return Mark.SURELY_AHEAD if p_value < 0.01 else Mark.AHEAD
    return Mark.SURELY_BEHIND if p_value < 0.01 else Mark.BEHIND
