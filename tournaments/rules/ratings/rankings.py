"""Tables of a pool as columns, who won each, and who can be compared at all: what the batch fit reads."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Self

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
    `shares[m]` is how much of a match counts; without shares all count in full.
    """

    players: IntArray
    sides: NDArray[np.int32]
    places: NDArray[np.int8]
    blocks: IntArray
    shares: FloatArray | None = None

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
        )


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
