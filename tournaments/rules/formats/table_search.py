"""Tables found by search: what thousands of them cost at once, and the trades that improve a ranking's cut."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations, product

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


WINDOW = {TableKind.SOLO3: 24, TableKind.TEAMS4: 30, TableKind.SOLO4: 12}
"""How many tables away a trade may reach; wider only while a table has a repeat or a pair to keep apart."""
SWEEPS = 6
WIDE_SWEEPS = 6


class TableSearch:
    """Tables as rows of entrant indexes in ranking order, with the cost of each."""

    def __init__(self, field: Field, tables: Ints) -> None:
        self.field = field
        self.tables = tables
        self.costs, self.ways = price_tables(field, tables)

    @property
    def cost(self) -> float:
        return float(self.costs.sum())

    def has_costs_from(self, weight: float) -> bool:
        return bool((self.costs >= weight).any())

    def improve(self) -> None:
        """Sweep until no trade within the window helps; while repeats remain, with ever wider windows."""
        last = len(self.tables) - 1
        window = min(WINDOW[self.field.kind], last)
        for _ in range(SWEEPS):
            if not self.sweep(range(1, window + 1), 0.5):
                break
        for _ in range(WIDE_SWEEPS):
            if not self.has_costs_from(REPEAT):
                return
            window = min(2 * window, last)
            reach = np.unique(np.linspace(1, window, min(window, 60)).astype(int))
            if not self.sweep(reach.tolist(), REPEAT) and window == last:
                return

    def sweep(self, distances: Iterable[int], threshold: float) -> bool:
        """Try the best trade of every table that costs at least so much with those so far away; whether any helped."""
        helped = False
        for distance in distances:
            for parity in (0, 1):
                first = np.arange(len(self.tables) - distance)
                first = first[first // distance % 2 == parity]
                bad = (self.costs[first] >= threshold) | (self.costs[first + distance] >= threshold)
                first = first[bad]
                if len(first):
                    helped |= self.trade(first, first + distance)
        return helped

    def trade(self, here: Ints, there: Ints) -> bool:
        """Of all trades of one entrant for one between the tables of each pair, make the best if it helps."""
        size = self.field.kind.entrants
        spots = list(product(range(size), repeat=2))
        near = np.repeat(self.tables[here][:, None], len(spots), axis=1)
        far = np.repeat(self.tables[there][:, None], len(spots), axis=1)
        for trade, (a, b) in enumerate(spots):
            near[:, trade, a], far[:, trade, b] = self.tables[there, b], self.tables[here, a]
        priced: Floats = np.zeros((len(here), len(spots)))
        for side in (near, far):
            priced += price_tables(self.field, side.reshape(-1, size))[0].reshape(len(here), len(spots))
        best = priced.argmin(axis=1)
        rows = np.arange(len(here))
        gains = priced[rows, best] < self.costs[here] + self.costs[there] - 1e-6
        if not gains.any():
            return False
        for where, side in ((here, near), (there, far)):
            changed = where[gains]
            self.tables[changed] = side[rows, best][gains]
            self.costs[changed], self.ways[changed] = price_tables(self.field, self.tables[changed])
        return True

    def seated(self) -> Ints:
        """Every table with its entrants in the order of their seats."""
        return np.take_along_axis(self.tables, self.field.ways[self.ways], axis=1)


def search_tables(field: Field, rankings: Iterable[Ints], enough: float) -> TableSearch:
    """The best of the searches from several rankings; no further one is tried once a cost below `enough` is met."""
    searches = []
    for ranking in rankings:
        search = TableSearch(field, ranking.reshape(-1, field.kind.entrants).copy())
        search.improve()
        searches.append(search)
        if search.cost < enough:
            break
    return min(searches, key=lambda search: search.cost)
