"""The forecast beside whole tournaments played with the real formats."""

from collections.abc import Sequence
from dataclasses import replace
from math import sqrt
from random import Random
from time import process_time

import numpy as np

from benchmarks.report import Figure, Report, at_most, tell
from tournaments.rules.forecast import forecast_tournament, matches_a_table
from tournaments.rules.formats.catalogue import make_format
from tournaments.rules.formats.situation import Entry, PastMatchday, PastTable, Situation, TableState
from tournaments.rules.pairing import HOUSE, Draw, Finished, Pairing, TableKind
from tournaments.rules.playout import NOBODY, Playout
from tournaments.rules.spec import StageSpec, default_points

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
            PastTable(pairing, TableState.SETTLED, tuple(order.index(who) + 1 for who in range(len(entrants))))
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


def measure_forecast(*, tournaments: int) -> Report:
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
    return Report(f"The forecast beside {tournaments} tournaments with the real formats", figures)
