"""What a table costs, for thousands of tables at once: forbidden pairs, repeats, unequal scores, worn seats."""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from tournaments.rules.pairing import TableKind

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

FORBIDDEN = 1e9
REPEAT = 1e6
PARTNER_AGAIN = 3e6
SCORE = 50.0
"""Weights in lexicographic steps: keeping apart, then no repeat, then equal scores, then level seats."""


@dataclass(frozen=True)
class Field:
    """The entrants of a draw as arrays, by index; rows are padded with -1, which is nobody."""

    kind: TableKind
    scores: Floats
    met: Ints
    """Everyone each has met, once for every time."""
    partnered: Ints
    owners: Ints
    """Owners who may not hold two sides; padded with negative numbers that differ from row to row."""
    conflicts: Ints
    seats: Ints
    """How often each has sat on each seat; of a fixed side, how often it was first and second."""

    @cached_property
    def wear(self) -> Floats:
        """What sitting there once more costs: nothing on the seats least used."""
        above_least = (self.seats - self.seats.min(axis=1, keepdims=True)).astype(np.float64)
        worn: Floats = above_least**4
        return worn

    @cached_property
    def ways(self) -> Ints:
        """All ways to seat a table: row w, column s is who of the table takes seat s."""
        return np.array(list(permutations(range(self.kind.entrants))))

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        return list(combinations(range(self.kind.entrants), 2))

    @cached_property
    def partners_by_way(self) -> NDArray[np.bool_]:
        """Whether a way makes a pair partners, which only tables of four individuals know."""
        if self.kind is not TableKind.SOLO4:
            return np.zeros((len(self.ways), len(self.pairs)), dtype=bool)
        sides = [{frozenset((way[0], way[2])), frozenset((way[1], way[3]))} for way in self.ways.tolist()]
        return np.array([[frozenset(pair) in side for pair in self.pairs] for side in sides])


def count_in_rows(rows: Ints, a: Ints, b: Ints) -> Ints:
    """How often b is in the row of a, element by element."""
    found: Ints = (rows[a] == b[..., None]).sum(axis=-1)
    return found


def same_owner(field: Field, a: Ints, b: Ints) -> NDArray[np.bool_]:
    shared: NDArray[np.bool_] = (field.owners[a][..., :, None] == field.owners[b][..., None, :]).any(axis=(-1, -2))
    return shared


def price_tables(field: Field, tables: Ints) -> tuple[Floats, Ints]:
    """The cost of every table (rows of entrant indexes) and the number of the best way to seat it."""
    left = tables[:, [a for a, _ in field.pairs]]
    right = tables[:, [b for _, b in field.pairs]]
    together = REPEAT * count_in_rows(field.met, left, right) + SCORE * (field.scores[left] - field.scores[right]) ** 2
    if field.conflicts.shape[1]:
        together += FORBIDDEN * count_in_rows(field.conflicts, left, right)
    ways = np.zeros((len(tables), len(field.ways)))
    for seat in range(field.kind.entrants):
        ways += field.wear[tables[:, field.ways[:, seat]], seat]
    opposed: Floats = np.zeros(left.shape)
    if field.owners.shape[1]:
        opposed[same_owner(field, left, right)] = FORBIDDEN
    if field.kind is TableKind.SOLO4:
        partnered = PARTNER_AGAIN * count_in_rows(field.partnered, left, right)
        ways += partnered @ field.partners_by_way.T + opposed @ ~field.partners_by_way.T
    else:
        together += opposed
    best: Ints = ways.argmin(axis=1)
    return together.sum(axis=1) + ways[np.arange(len(tables)), best], best
