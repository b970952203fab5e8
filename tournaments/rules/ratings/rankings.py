"""Tables of a pool as columns of strict orders: what the batch fit reads."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import permutations
from typing import Self

import numpy as np
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
    """

    players: IntArray
    sides: NDArray[np.int32]
    places: NDArray[np.int8]
    blocks: IntArray

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
        )


def _block_key(table: RatedTable, row: int) -> int:
    """Its block's id, or a negative number that no other table has."""
    return -1 - row if table.block is None else table.block


def _shape_of(rated: list[tuple[RatedTable, tuple[int, ...]]]) -> tuple[int, int]:
    return (len(rated[0][0].sides), len(rated[0][0].sides[0])) if rated else (3, 1)


@dataclass(frozen=True, slots=True)
class Rankings:
    """Strict orders with weights: `order[s, k, r]` is member k of the side in position s, best first, of row r."""

    order: NDArray[np.int32]
    weights: NDArray[np.float32]
    blocks: IntArray


def strict_orders(tables: PoolTables) -> Rankings:
    """Every table as strict orders: one, or, where places are shared, each order that fits with an equal weight.

    A tie thus counts as half a win and half a loss, and the likelihood stays concave.
    """
    positions = np.argsort(tables.places, axis=1, kind="stable")
    sorted_places = np.take_along_axis(tables.places, positions, axis=1)
    is_tied = sorted_places[:, 1:] == sorted_places[:, :-1]
    pattern = is_tied @ (1 << np.arange(is_tied.shape[1]))
    orders, weights, blocks = [], [], []
    for code in np.unique(pattern).tolist():
        rows = np.flatnonzero(pattern == code)
        fitting = _fitting_orders(code, tables.places.shape[1])
        for fit in fitting:
            chosen = positions[rows][:, fit]
            orders.append(tables.sides[rows[:, None], chosen].transpose(1, 2, 0))
            weights.append(np.full(len(rows), 1 / len(fitting), dtype=np.float32))
            blocks.append(tables.blocks[rows])
    if not orders:
        return Rankings(tables.sides.transpose(1, 2, 0), np.empty(0, dtype=np.float32), tables.blocks)
    return Rankings(np.concatenate(orders, axis=2), np.concatenate(weights), np.concatenate(blocks))


def _fitting_orders(code: int, sides: int) -> list[list[int]]:
    """Orders of the sorted positions that keep every untied neighbour in place; bit i ties positions i and i + 1."""
    group = [0] * sides
    for position in range(1, sides):
        group[position] = group[position - 1] + (not code >> (position - 1) & 1)
    return [list(order) for order in permutations(range(sides)) if [group[i] for i in order] == group]
