"""Improves tables cut from a ranking by trading entrants between tables near each other, many trades at a time."""

from collections.abc import Iterable
from itertools import product

import numpy as np

from tournaments.rules.formats.table_cost import REPEAT, Field, Floats, Ints, price_tables
from tournaments.rules.pairing import TableKind

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
