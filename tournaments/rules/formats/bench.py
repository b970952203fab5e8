"""Prints the schedules' and the Swiss draw's speed beside yardsticks: `python -m tournaments.rules.formats.bench`."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import combinations
from random import Random
from timeit import default_timer

import networkx

from tournaments.rules.designs.direct import shift3
from tournaments.rules.designs.library import LARGEST_STORED, load_starters, look_up
from tournaments.rules.formats.situation import Entry, PastMatchday, PastTable, Situation, TableState
from tournaments.rules.formats.swiss import Swiss
from tournaments.rules.pairing import Draw

FIELD, SHIFT_DAYS, SWISS_DAYS = 10_000, 15, 12
REPEATS = 7


def time_shift() -> float:
    """The shift of a large field as a multiple of allocating as many tuples of three; the best of several runs each."""
    tables = FIELD // 3 * SHIFT_DAYS
    allocating, shifting = [], []
    for _ in range(REPEATS):
        start = default_timer()
        kept = [(k, k + 1, k + 2) for k in range(tables)]
        middle = default_timer()
        days = shift3(FIELD, SHIFT_DAYS)
        shifting.append(default_timer() - middle)
        allocating.append(middle - start)
        assert sum(map(len, days)) == len(kept)
    return min(shifting) / min(allocating)


def time_look_up() -> float:
    """The slowest look-up of a stored schedule, seats included, nothing cached: milliseconds, best of several."""
    slowest = 0.0
    for family in ("single", "double", "whist"):
        for n in sorted(load_starters(family)):
            runs = []
            for _ in range(REPEATS):
                look_up.cache_clear()
                start = default_timer()
                look_up(family, n)
                runs.append(default_timer() - start)
            slowest = max(slowest, min(runs))
    return slowest * 1000


def time_blossom(entrants: int = 300, window: int = 30) -> float:
    """One maximum weight matching of networkx over near entrants, in seconds."""
    rng = Random(1)
    graph = networkx.Graph()
    for a in range(entrants):
        for b in range(a + 1, min(a + 1 + window, entrants)):
            graph.add_edge(a, b, weight=rng.randrange(1000))
    start = default_timer()
    networkx.max_weight_matching(graph, maxcardinality=True)
    return default_timer() - start


@dataclass
class SwissTally:
    """What a Swiss adds up to: repeats, the cost of unequal scores against the plain cut, and seats."""

    points: dict[int, float]
    seats: dict[int, list[int]]
    met: set[frozenset[int]] = field(default_factory=set)
    slowest: float = 0.0
    repeats: int = 0
    cost: float = 0.0
    bound: float = 0.0
    widest: int = 0
    level: float = 1.0

    def count(self, draw: Draw) -> None:
        tables = [pairing.seats for pairing in draw.pairings]
        ranked = sorted((e for e in self.points if e not in draw.byes), key=lambda entrant: -self.points[entrant])
        self.cost += cost_of_scores(tables, self.points)
        self.bound += cost_of_scores([tuple(ranked[k : k + 3]) for k in range(0, len(ranked), 3)], self.points)
        for table in tables:
            pairs = {frozenset(pair) for pair in combinations(table, 2)}
            self.repeats += len(pairs & self.met)
            self.met |= pairs
            for seat, entrant in enumerate(table):
                self.seats[entrant][seat] += 1
        spread = [max(row) - min(row) for row in self.seats.values()]
        self.widest = max(self.widest, *spread)
        self.level = min(self.level, sum(value <= 1 for value in spread) / len(spread))

    def settle(self, draw: Draw, strength: dict[int, float], rng: Random) -> PastMatchday:
        """Places by strength and luck; points by place, a win's for a bye."""
        tables = []
        for pairing in draw.pairings:
            shown = {entrant: strength[entrant] + rng.gauss(0, 1) for entrant in pairing.entrants}
            places = tuple(1 + sum(other > own for other in shown.values()) for own in shown.values())
            tables.append(PastTable(pairing, TableState.SETTLED, places))
            for entrant, place in zip(pairing.entrants, places, strict=True):
                self.points[entrant] += 3 - place
        for entrant in draw.byes:
            self.points[entrant] += 2
        return PastMatchday(draw.matchday, tuple(tables), draw.byes)


def cost_of_scores(tables: Iterable[tuple[int, ...]], points: dict[int, float]) -> float:
    return sum((points[a] - points[b]) ** 2 for table in tables for a, b in combinations(table, 2))


def run_swiss() -> SwissTally:
    rng = Random(1)
    strength = {entrant: rng.gauss(0, 1) for entrant in range(1, FIELD + 1)}
    tally = SwissTally(dict.fromkeys(strength, 0.0), {entrant: [0, 0, 0] for entrant in strength})
    situation = Situation(tuple(Entry(entrant) for entrant in strength), is_rated=False)
    for _ in range(SWISS_DAYS):
        start = default_timer()
        draw = Swiss(matchdays=SWISS_DAYS).draw(situation, rng)
        tally.slowest = max(tally.slowest, default_timer() - start)
        assert isinstance(draw, Draw)
        tally.count(draw)
        past = tally.settle(draw, strength, rng)
        entries = tuple(replace(entry, points=tally.points[entry.id]) for entry in situation.entries)
        situation = replace(situation, entries=entries, history=(*situation.history, past))
    return tally


def main() -> None:
    print(f"shift {FIELD} x {SHIFT_DAYS}: {time_shift():.2f} x the time to allocate as many tuples")
    print(f"look-up up to {LARGEST_STORED} entrants, seats included: slowest {time_look_up():.1f} ms")
    tally, blossom = run_swiss(), time_blossom()
    print(
        f"swiss {FIELD} x {SWISS_DAYS}: repeats {tally.repeats}, score cost {tally.cost / tally.bound:.2f} x the bound"
    )
    print(f"  seat spread at most {tally.widest}, within 1 for {tally.level:.1%} of entrants after the worst matchday")
    print(f"  slowest matchday {tally.slowest:.2f} s, a networkx blossom of 300 entrants {blossom:.2f} s")


if __name__ == "__main__":
    main()
