"""Many tournaments played at once on paper: entrants of known strength, tables as arrays, results by lot."""

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from tournaments.rules.pairing import TableKind

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

NOBODY = -1
"""At a table: a house bot that only fills a seat."""
WEAKEST = -30.0
ORDERS = np.array(list(permutations(range(3))))
PLACES_OF_ORDER = ORDERS.argsort(axis=1)
WINS_OF_ORDER = (PLACES_OF_ORDER == 0).astype(float)


class Playout:
    """So many worlds side by side: each has strengths of its own (in log-odds of winning) for the same entrants.

    Places follow Plackett and Luce: the winner with odds of the strengths, then the second among those left. Two sides
    of individuals are as strong as their sum. `points` are by place, as the stage scores them.
    """

    def __init__(
        self, kind: TableKind, strengths: Floats, matches: int, points: tuple[float, ...], rng: np.random.Generator
    ) -> None:
        self.kind = kind
        self.strengths = strengths
        self.matches = matches
        self.points = np.array(points, dtype=float)
        self.rng = rng
        self.played = 0.0
        self._points_of_order = self.points[PLACES_OF_ORDER % len(self.points)]

    @property
    def worlds(self) -> int:
        return len(self.strengths)

    @property
    def entrants(self) -> int:
        return self.strengths.shape[1]

    def among(self, entrants: Ints) -> "Playout":
        """The same worlds with only these entrants, a row of indexes a world."""
        strengths = np.take_along_axis(self.strengths, entrants, axis=1)
        return Playout(self.kind, strengths, self.matches, tuple(self.points), self.rng)

    def meet(self, tables: Ints) -> tuple[Floats, Floats]:
        """Points and wins over all matches of each table: indexes by world, table and seat go in, sums come out."""
        self.played += self.matches * tables.shape[1]
        padded = np.concatenate([self.strengths, np.full((self.worlds, 1), WEAKEST)], axis=1)
        seated = np.take_along_axis(padded, tables.reshape(self.worlds, -1) % padded.shape[1], axis=1)
        strong = seated.reshape(tables.shape)
        return self._meet_three(strong) if self.kind is TableKind.SOLO3 else self._meet_sides(strong)

    def _meet_three(self, strong: Floats) -> tuple[Floats, Floats]:
        odds = np.exp(strong - strong.max(axis=2, keepdims=True))
        total = odds.sum(axis=2)
        chances = np.empty((len(ORDERS), *total.shape))
        for number, (first, second, _) in enumerate(ORDERS):
            rest = np.maximum(total - odds[..., first], 1e-300)
            chances[number] = odds[..., first] / total * odds[..., second] / rest
        often = self._draw_orders(chances)
        return often @ self._points_of_order, often @ WINS_OF_ORDER

    def _draw_orders(self, chances: Floats) -> Floats:
        """How often each order happened at each table; binomials cost less than a lot for each match."""
        often = np.empty((*chances.shape[1:], len(ORDERS)))
        left, rest = np.full(chances.shape[1:], self.matches), np.ones(chances.shape[1:])
        for number, chance in enumerate(chances[:-1]):
            happened = self.rng.binomial(left, np.clip(chance / np.maximum(rest, 1e-300), 0, 1))
            often[..., number] = happened
            left -= happened
            rest -= chance
        often[..., -1] = left
        return often

    def _meet_sides(self, strong: Floats) -> tuple[Floats, Floats]:
        sides = strong[..., :2] if strong.shape[2] == 2 else strong[..., :2] + strong[..., 2:]
        first = self.rng.binomial(self.matches, 1 / (1 + np.exp(sides[..., 1] - sides[..., 0])))
        won = np.stack([first, self.matches - first], axis=2).astype(float)
        points = won * self.points[0] + (self.matches - won) * self.points[1]
        repeat = strong.shape[2] // 2
        return np.tile(points, (1, 1, repeat)), np.tile(won, (1, 1, repeat))

    def rank(self, *keys: Floats) -> Ints:
        """Indexes of each world by these keys, the highest of the first key first; what is level by lot."""
        lots = self.rng.random(keys[0].shape)
        ranked: Ints = np.lexsort((lots, *(-key for key in reversed(keys))), axis=-1)
        return ranked

    def add_up(self, days: list[Ints]) -> tuple[Floats, Floats]:
        """Points and wins of every entrant over matchdays whose tables are the same in every world."""
        points, wins = np.zeros(self.strengths.shape), np.zeros(self.strengths.shape)
        for tables in days:
            same = np.broadcast_to(tables, (self.worlds, *tables.shape))
            for sums, earned in zip((points, wins), self.meet(same), strict=True):
                sums[:, tables.ravel()] += earned.reshape(self.worlds, -1)
        return points, wins

    def score(self, points: Floats, wins: Floats, tables: Ints, met: tuple[Floats, Floats]) -> None:
        """Add what tables that differ from world to world have earned; nobody earns nothing."""
        flat = tables.reshape(self.worlds, -1)
        for sums, earned in zip((points, wins), met, strict=True):
            row = np.concatenate([sums, np.zeros((self.worlds, 1))], axis=1)
            at = flat % row.shape[1]
            np.put_along_axis(row, at, np.take_along_axis(row, at, axis=1) + earned.reshape(flat.shape), axis=1)
            sums[:] = row[:, :-1]
