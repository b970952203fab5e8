"""Measures schedules and the Swiss draw of a large field beside yardsticks, and forecasts beside whole tournaments."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import sqrt
from random import Random
from time import process_time
from timeit import default_timer

import networkx
import numpy as np

from aurum_league.cli.main import CommandError
from benchmarks.report import Figure, Survey, at_least, at_most, at_most_times, tell
from tournaments.rules.designs import LARGEST_STORED, load_starters, look_up
from tournaments.rules.designs.formulas import shift3
from tournaments.rules.forecast import forecast_tournament, matches_a_table
from tournaments.rules.formats import make_format
from tournaments.rules.formats.format import Entry, PastMatchday, PastState, PastTable, Situation
from tournaments.rules.formats.swiss import Swiss
from tournaments.rules.pairing import HOUSE, Draw, Finished, Pairing, TableKind
from tournaments.rules.playout import NOBODY, Playout
from tournaments.rules.spec import StageSpec, default_points

SHIFT_DAYS, SWISS_DAYS = 15, 12
LEAST_ENTRANTS = 100
REPEATS = 7


def time_shift(entrants: int) -> float:
    """The shift of a large field as a multiple of allocating as many tuples of three; the best of several runs each."""
    tables = entrants // 3 * SHIFT_DAYS
    allocating, shifting = [], []
    for _ in range(REPEATS):
        start = default_timer()
        kept = [(k, k + 1, k + 2) for k in range(tables)]
        middle = default_timer()
        days = shift3(entrants, SHIFT_DAYS)
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
            tables.append(PastTable(pairing, PastState.SETTLED, places))
            for entrant, place in zip(pairing.entrants, places, strict=True):
                self.points[entrant] += 3 - place
        for entrant in draw.byes:
            self.points[entrant] += 2
        return PastMatchday(draw.matchday, tuple(tables), draw.byes)


def cost_of_scores(tables: Iterable[tuple[int, ...]], points: dict[int, float]) -> float:
    return sum((points[a] - points[b]) ** 2 for table in tables for a, b in combinations(table, 2))


def run_swiss(entrants: int) -> SwissTally:
    rng = Random(1)
    strength = {entrant: rng.gauss(0, 1) for entrant in range(1, entrants + 1)}
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


def measure_formats(*, entrants: int) -> Survey:
    if entrants < LEAST_ENTRANTS:
        raise CommandError(f"--entrants is at least {LEAST_ENTRANTS}.")
    tally, blossom = run_swiss(entrants), time_blossom()
    shift, swiss = f"shift {entrants} x {SHIFT_DAYS}", f"swiss {entrants} x {SWISS_DAYS}"
    allocating, looked_up = time_shift(entrants), time_look_up()
    figures = [
        Figure(shift, "beside allocating as many tuples", allocating, "times", at_most(4)),
        Figure("look-up", f"up to {LARGEST_STORED} entrants, seats included, slowest", looked_up, "ms", at_most(50)),
        Figure(swiss, "repeats", tally.repeats, "", at_most(0)),
        Figure(swiss, "score cost beside the bound", tally.cost, "", at_most_times(1.35), tally.cost / tally.bound),
        Figure(swiss, "seat spread at most", tally.widest, "", at_most(2)),
        Figure(swiss, "entrants within 1 after the worst matchday", 100 * tally.level, "%", at_least(94)),
        Figure(
            swiss, "slowest matchday, beside a blossom", tally.slowest, "s", at_most_times(1), tally.slowest / blossom
        ),
        Figure("networkx", "a blossom of 300 entrants", blossom, "s"),
    ]
    return Survey("Schedules and draws of a large field", figures, ["The goals are those of 10,000 entrants."])


SPREAD = 0.35
CASES: dict[str, tuple[TableKind, StageSpec, int]] = {
    "knockout cup, sets of nine": (TableKind.SOLO3, StageSpec("knockout", matches_each=9), 27),
    "knockout cup": (TableKind.SOLO3, StageSpec("knockout", block_deals=4), 27),
    "Swiss weekend": (TableKind.SOLO3, StageSpec("swiss", options={"house_fills": True}), 27),
    "bot league": (TableKind.SOLO3, StageSpec("round_robin", options={"meetings": 2}, block_deals=4), 27),
    "Swiss of 20": (TableKind.SOLO3, StageSpec("swiss"), 20),
    "double elimination of 13 sides": (TableKind.TEAMS4, StageSpec("knockout", options={"is_double": True}), 13),
    "team league of 12": (TableKind.TEAMS4, StageSpec("round_robin", options={"laps": 2}), 12),
    "whist of 16": (TableKind.SOLO4, StageSpec("round_robin"), 16),
}


def play_tournament(kind: TableKind, stage: StageSpec, strengths: Sequence[float], seed: int) -> int:
    """The winner's index after a stage drawn matchday by matchday with the real format."""
    rng = Random(seed)
    world = np.array([strengths])
    playout = Playout(
        kind, world, matches_a_table(stage, kind), stage.points or default_points(kind), np.random.default_rng(seed)
    )
    made = make_format(stage.format, {**stage.options, "kind": kind})
    situation = Situation(tuple(Entry(number) for number in range(1, len(strengths) + 1)), is_rated=False)
    while True:
        drawn = made.draw(situation, rng)
        if isinstance(drawn, Finished):
            if drawn.places:
                return next(entrant for entrant, place in drawn.places if place == 1) - 1
            return max(situation.entries, key=lambda entry: (entry.points, rng.random())).id - 1
        assert isinstance(drawn, Draw)
        situation = settle_draw(situation, drawn, playout, rng, win_for_bye=made.bye.value == "win")


def settle_draw(situation: Situation, drawn: Draw, playout: Playout, rng: Random, *, win_for_bye: bool) -> Situation:
    points = {entry.id: entry.points for entry in situation.entries}
    tables = []
    for pairing in drawn.pairings:
        earned, wins = meet_table(pairing, playout)
        entrants = pairing.entrants
        order = sorted(range(len(entrants)), key=lambda who: (entrants[who] == HOUSE, -earned[who], -wins[who]))
        tables.append(
            PastTable(pairing, PastState.SETTLED, tuple(order.index(who) + 1 for who in range(len(entrants))))
        )
        for entrant, value, won in zip(entrants, earned, wins, strict=True):
            if entrant != HOUSE:
                points[entrant] += value + 1e-6 * won
    for entrant in drawn.byes if win_for_bye else ():
        points[entrant] += playout.points[0] * playout.matches
    entries = tuple(replace(entry, points=points[entry.id]) for entry in situation.entries)
    history = (*situation.history, PastMatchday(drawn.matchday, tuple(tables), drawn.byes))
    return replace(situation, entries=entries, history=history)


def meet_table(pairing: Pairing, playout: Playout) -> tuple[list[float], list[float]]:
    """Points and wins in the order of the pairing's entrants."""
    seats = [NOBODY if entrant == HOUSE else entrant - 1 for entrant in pairing.entrants]
    points, wins = playout.meet(np.array([[seats]]))
    lots = playout.rng.random(len(seats)) * 1e-9
    return (points[0, 0] + lots).tolist(), wins[0, 0].tolist()


def count_best(kind: TableKind, stage: StageSpec, entrants: int, spread: float, tournaments: int) -> float:
    """How often the strongest wins, over whole tournaments."""
    rng = np.random.default_rng(5)
    won = 0
    for number in range(tournaments):
        strengths = rng.normal(0, spread, entrants)
        won += play_tournament(kind, stage, strengths.tolist(), number) == int(strengths.argmax())
    return won / tournaments


def measure_forecast(*, tournaments: int) -> Survey:
    """The chance that the best wins, by the forecast and over whole tournaments, and how far they are apart."""
    figures = []
    for name, (kind, stage, entrants) in CASES.items():
        began = process_time()
        told = forecast_tournament(kind, [stage], entrants)
        took = process_time() - began
        assert told.best_wins is not None
        real = count_best(kind, stage, entrants, SPREAD, tournaments)
        share = (told.best_wins + real) / 2
        error = sqrt(share * (1 - share) * (1 / tournaments + 1 / told.worlds))
        figures += [
            Figure(name, "best wins, forecast", 100 * told.best_wins, "%"),
            Figure(name, "best wins, whole tournaments", 100 * real, "%"),
            Figure(name, "apart", abs(told.best_wins - real) / error, "standard errors", at_most(3)),
            Figure(name, "CPU of the forecast", took, "s", at_most(3)),
        ]
        tell(f"{name}: {100 * told.best_wins:.1f} and {100 * real:.1f} %")
    return Survey(f"The forecast beside {tournaments} tournaments with the real formats", figures)
