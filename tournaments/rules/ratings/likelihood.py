"""The tables of a pool as columns, who can be compared at all, and the likelihood of their results.

A side wins alone with a chance in proportion to the exponential of its strength, which is the sum of its members'; a
set of sides shares the win in proportion to that of their mean strength, times a factor that the pool teaches
(Davidson 1970 for two sides, Turner et al. 2020 for more). So a shared win credits each with its share, and odds
between two winners are the exponential of the difference of their strengths.

Second place is won in the same way among those who did not win, but with strengths times a part that the pool teaches:
1 where places are all of a piece (Plackett-Luce), 0 where second place says nothing (Hausman and Ruud 1987).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple, Self

import numpy as np
import scipy
from numpy.typing import NDArray

from tournaments.rules.ratings.live import rated_places
from tournaments.rules.ratings.values import RatedTable

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PoolTables:
    """The tables of one pool: a row a match. All tables of a pool have the same shape.

    `players` are the ids, rising; `sides[m, s, k]` is the index into them of member k of side s in match m;
    `places[m, s]` already counts forfeits; matches with the same value in `blocks` were played on the same deals.
    `shares[m]` is how much of a match counts; without shares all count in full. `scores[m, s]` is what a side scored,
    a row of them not a number where scores say nothing.
    """

    players: IntArray
    sides: NDArray[np.int32]
    places: NDArray[np.int8]
    blocks: IntArray
    shares: FloatArray | None = None
    scores: FloatArray | None = None

    @classmethod
    def from_tables(cls, tables: Iterable[RatedTable]) -> Self:
        """Columns of the tables that can be rated; a table without a block is a block of its own."""
        rated = [(table, places) for table in tables if (places := rated_places(table)) is not None]
        ids = np.array([table.sides for table, _ in rated], dtype=np.int64).reshape(len(rated), *_shape_of(rated))
        players, index = np.unique(ids, return_inverse=True)
        _, blocks = np.unique([_block_key(table, row) for row, (table, _) in enumerate(rated)], return_inverse=True)
        return cls(
            players,
            index.reshape(ids.shape).astype(np.int32),
            np.array([places for _, places in rated], dtype=np.int8).reshape(ids.shape[:2]),
            blocks.astype(np.int64),
            np.array([table.share for table, _ in rated]),
            _gather_scores(rated, ids.shape[1]),
        )


def _gather_scores(rated: list[tuple[RatedTable, tuple[int, ...]]], sides: int) -> FloatArray | None:
    nothing = (np.nan,) * sides
    found = np.array([table.scores or nothing for table, _ in rated], dtype=float).reshape(-1, sides)
    return found if np.isfinite(found).any() else None


def _block_key(table: RatedTable, row: int) -> int:
    """Its block's id, or a negative number that no other table has."""
    return -1 - row if table.block is None else table.block


def _shape_of(rated: list[tuple[RatedTable, tuple[int, ...]]]) -> tuple[int, int]:
    return (len(rated[0][0].sides), len(rated[0][0].sides[0])) if rated else (3, 1)


@dataclass(frozen=True, slots=True)
class Wins:
    """Who won each match, as one of the ways a match can end: every side alone, then sides that share the win.

    `order[s, k, m]` is member k of side s in match m, `outcomes[m]` the way it ended. Way `a` credits side s with
    `credits[a, s]` of the win, and `extras[a]` sides share it beyond the first. A pool without a shared win knows
    the ways of winning alone only. `seconds[m]` is 1 for the side behind a sole winner, -1 for the one behind that, 0
    for others, and nothing but 0 where that is not strict. `weights[m]` is how many matches of its own it is worth.
    """

    order: NDArray[np.int32]
    outcomes: NDArray[np.int8]
    credits: FloatArray
    extras: FloatArray
    seconds: NDArray[np.int8]
    weights: FloatArray

    @property
    def has_ties(self) -> bool:
        """Whether any match of the pool had more than one winner."""
        return bool(self.extras.any())


def read_wins(tables: PoolTables) -> Wins:
    """The winner of every table is whoever has its best place."""
    sides = tables.places.shape[1]
    is_first = tables.places == tables.places.min(axis=1, keepdims=True) if len(tables.places) else tables.places == 1
    masks = is_first @ (1 << np.arange(sides))
    most = int(is_first.sum(axis=1).max(initial=1))
    ways = [way for size in range(1, (sides if most > 1 else 1) + 1) for way in combinations(range(sides), size)]
    credits = np.array([[(side in way) / len(way) for side in range(sides)] for way in ways])
    outcome_of = np.full(1 << sides, -1, dtype=np.int8)
    for number, way in enumerate(ways):
        outcome_of[sum(1 << side for side in way)] = number
    extras = np.array([len(way) - 1.0 for way in ways])
    order = np.ascontiguousarray(tables.sides.transpose(1, 2, 0))
    seconds = np.ascontiguousarray(_find_seconds(tables.places, is_first))
    shares = np.ones(len(masks)) if tables.shares is None else tables.shares
    return Wins(order, outcome_of[masks], credits, extras, seconds, shares)


def _find_seconds(places: NDArray[np.int8], is_first: NDArray[np.bool_]) -> NDArray[np.int8]:
    if places.shape[1] != 3:
        return np.zeros(places.T.shape, dtype=np.int8)
    behind = (places[:, :, None] < places[:, None, :]) & ~is_first[:, :, None]
    return np.subtract(behind.any(axis=2), behind.any(axis=1), dtype=np.int8).T


def find_islands(tables: PoolTables) -> IntArray:
    """The number of each player's island: 0 for the largest; of two alike, for the one with the lower id first."""
    players = len(tables.players)
    seats = tables.sides.reshape(len(tables.sides), int(np.prod(tables.sides.shape[1:])))
    first, others = np.repeat(seats[:, 0], seats.shape[1] - 1), seats[:, 1:].ravel()
    met = scipy.sparse.coo_array((np.ones(len(first)), (first, others)), shape=(players, players))
    labels = scipy.sparse.csgraph.connected_components(met, directed=False)[1]
    _, start, index, sizes = np.unique(labels, return_index=True, return_inverse=True, return_counts=True)
    number = np.empty(len(sizes), dtype=np.int64)
    number[np.lexsort((start, -sizes))] = np.arange(len(sizes))
    return number[index]


def centre_islands(theta: FloatArray, islands: IntArray) -> FloatArray:
    """Strengths less the mean of each island."""
    centred: FloatArray = theta - (np.bincount(islands, weights=theta) / np.bincount(islands))[islands]
    return centred


CHUNK_ROWS = 1 << 12
"""Small enough that the allocator reuses its pages: sixteen times as many rows took four times as long a row."""

OrderArray = NDArray[np.int32]


class Point(NamedTuple):
    """Where the likelihood is taken: the strengths, the log of the factor of shared wins, what second places say."""

    theta: FloatArray
    tie: float
    second: float


class Slope(NamedTuple):
    """The log likelihood and its gradient in the strengths and the factor of shared wins."""

    value: float
    theta: FloatArray
    tie: float


class _Chances(NamedTuple):
    """Of some rows: the log chance of every way to end; the log chance of the second side to be that, and the chance
    not to be: 0 where no side is second."""

    logs: FloatArray
    second_log: FloatArray
    missed: FloatArray


def log_likelihood(point: Point, wins: Wins) -> Slope:
    """Of all matches."""
    value, theta, tie = 0.0, np.zeros(len(point.theta)), 0.0
    for rows in _chunks(wins):
        found = _find_chances(point, wins, rows)
        value += _row_value(wins, rows, found)
        _add_to_players(theta, wins.order[:, :, rows], _row_scores(point, wins, rows, found) * wins.weights[rows])
        tie += _row_tie(wins, rows, found)
    return Slope(value, theta, tie)


def derive_twice(point: Point, wins: Wins) -> tuple[Slope, FloatArray]:
    """Of all matches, with the negative Hessian in the strengths and, last, the factor of shared wins."""
    value, tie, sides, players = 0.0, 0.0, len(wins.order), len(point.theta)
    scores, shared = np.empty((sides, len(wins.outcomes))), np.empty((sides, sides, len(wins.outcomes)))
    mixed, own = np.zeros((sides, len(wins.outcomes))), 0.0
    for rows in _chunks(wins):
        found = _find_chances(point, wins, rows)
        chances = np.exp(found.logs)
        value += _row_value(wins, rows, found)
        scores[:, rows] = _row_scores(point, wins, rows, found)
        shared[:, :, rows] = _row_information(point, wins, rows, found)
        if wins.has_ties:
            tie += _row_tie(wins, rows, found)
            extra = wins.extras @ chances
            mixed[:, rows] = (wins.credits.T * wins.extras) @ chances - wins.credits.T @ chances * extra
            own += float((wins.extras**2 @ chances - extra**2) @ wins.weights[rows])
    theta, cross = np.zeros(players), np.zeros(players)
    _add_to_players(theta, wins.order, scores * wins.weights)
    curve = np.zeros((players + 1, players + 1))
    curve[:players, :players] = _add_to_pairs(players, wins.order, shared * wins.weights)
    if wins.has_ties:
        _add_to_players(cross, wins.order, mixed * wins.weights)
        curve[players, :players] = curve[:players, players] = cross
        curve[players, players] = own
    return Slope(value, theta, tie), curve


def log_values(thetas: FloatArray, point: Point, wins: Wins) -> FloatArray:
    """The log likelihood alone, of several rows of strengths at once."""
    values = np.zeros(len(thetas))
    for rows in _chunks(wins, CHUNK_ROWS // len(thetas) + 1):
        strength = thetas[:, wins.order[:, :, rows]].sum(axis=2)
        logs = strength - strength.max(axis=1, keepdims=True)
        if wins.has_ties:
            logs = wins.credits @ logs + point.tie * wins.extras[:, None]
        won = np.take_along_axis(logs, wins.outcomes[None, None, rows].astype(np.int64), axis=1)[:, 0]
        won -= np.log(np.exp(logs).sum(axis=1))
        odds = point.second * (strength * wins.seconds[:, rows]).sum(axis=1)
        second = (np.minimum(odds, 0.0) - np.log1p(np.exp(-np.abs(odds)))) * wins.seconds[:, rows].any(axis=0)
        values += (won + second) @ wins.weights[rows]
    return values


def information_diagonal(point: Point, wins: Wins) -> FloatArray:
    """The diagonal of the negative Hessian in the strengths."""
    diagonal = np.zeros(len(point.theta))
    for rows in _chunks(wins):
        found = _find_chances(point, wins, rows)
        chances = np.exp(found.logs)
        curve = (wins.credits.T**2) @ chances - (wins.credits.T @ chances) ** 2
        curve += wins.seconds[:, rows] ** 2 * _second_curve(point, found)
        _add_to_players(diagonal, wins.order[:, :, rows], curve * wins.weights[rows])
    return diagonal


def information_matrix(point: Point, wins: Wins) -> FloatArray:
    """The negative Hessian in the strengths in full: for pools small enough to hold it."""
    return _add_to_pairs(len(point.theta), wins.order, side_information(point, wins) * wins.weights)


def side_scores(point: Point, wins: Wins) -> FloatArray:
    """By side and match: the slope of the log likelihood in the side's strength. Weights do not enter."""
    scores = np.empty((len(wins.order), len(wins.outcomes)))
    for rows in _chunks(wins):
        scores[:, rows] = _row_scores(point, wins, rows, _find_chances(point, wins, rows))
    return scores


def side_information(point: Point, wins: Wins) -> FloatArray:
    """By side, side and match: the negative Hessian in the strengths of the sides. Weights do not enter."""
    information = np.empty((len(wins.order), len(wins.order), len(wins.outcomes)))
    for rows in _chunks(wins):
        information[:, :, rows] = _row_information(point, wins, rows, _find_chances(point, wins, rows))
    return information


def _chunks(wins: Wins, size: int = CHUNK_ROWS) -> Iterator[slice]:
    for start in range(0, len(wins.outcomes), size):
        yield slice(start, min(start + size, len(wins.outcomes)))


def _find_chances(point: Point, wins: Wins, rows: slice) -> _Chances:
    strength = point.theta.take(wins.order[:, :, rows]).sum(axis=1)
    logs: FloatArray = strength - strength.max(axis=0)
    if wins.has_ties:
        logs = wins.credits @ logs + point.tie * wins.extras[:, None]
    logs -= np.log(np.exp(logs).sum(axis=0))
    lead = (strength * wins.seconds[:, rows]).sum(axis=0)
    has_second = wins.seconds[:, rows].any(axis=0)
    odds = point.second * lead
    second_log = (np.minimum(odds, 0.0) - np.log1p(np.exp(-np.abs(odds)))) * has_second
    return _Chances(logs, second_log, has_second * -np.expm1(second_log))


def _row_scores(point: Point, wins: Wins, rows: slice, found: _Chances) -> FloatArray:
    won = wins.credits.T.take(wins.outcomes[rows], axis=1) - wins.credits.T @ np.exp(found.logs)
    scores: FloatArray = won + point.second * found.missed * wins.seconds[:, rows]
    return scores


def _row_value(wins: Wins, rows: slice, found: _Chances) -> float:
    outcomes = wins.outcomes[rows]
    return float((found.logs[outcomes, np.arange(len(outcomes))] + found.second_log) @ wins.weights[rows])


def _row_tie(wins: Wins, rows: slice, found: _Chances) -> float:
    if not wins.has_ties:
        return 0.0
    return float((wins.extras[wins.outcomes[rows]] - wins.extras @ np.exp(found.logs)) @ wins.weights[rows])


def _row_information(point: Point, wins: Wins, rows: slice, found: _Chances) -> FloatArray:
    """By side, side and match."""
    chances, sides = np.exp(found.logs), len(wins.order)
    expected = wins.credits.T @ chances
    products = (wins.credits[:, :, None] * wins.credits[:, None, :]).reshape(-1, sides * sides)
    information = (products.T @ chances).reshape(sides, sides, -1) - expected[:, None] * expected[None]
    if point.second:
        seconds = wins.seconds[:, rows]
        information += seconds[:, None] * seconds[None] * _second_curve(point, found)
    return information


def _second_curve(point: Point, found: _Chances) -> FloatArray:
    curve: FloatArray = point.second**2 * found.missed * (1 - found.missed)
    return curve


def _add_to_players(sums: FloatArray, order: OrderArray, by_side: FloatArray) -> None:
    """Add each side's number to every member of the side."""
    for member in range(order.shape[1]):
        sums += np.bincount(order[:, member].ravel(), weights=by_side.ravel(), minlength=len(sums))


def _add_to_pairs(players: int, order: OrderArray, by_sides: FloatArray) -> FloatArray:
    """A matrix of sums: each pair of sides' number for every member of the one with every member of the other."""
    owns = order.astype(np.int64)[:, :, None, None] * players
    weights = np.broadcast_to(by_sides[:, None, :, None], (*order.shape[:2], *order.shape))
    sums = np.zeros(players * players)
    sums += np.bincount((owns + order).ravel(), weights=weights.ravel(), minlength=players * players)
    return sums.reshape(players, players)
