"""Plays a stage to its end with random results, withdrawals and late entries, for the tests of every format."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random

from tournaments.rules.formats.format import (
    Entry,
    Format,
    PastMatchday,
    PastState,
    PastTable,
    Situation,
    draw_matchdays,
)
from tournaments.rules.pairing import HOUSE, Draw, Finished


def make_field(
    n: int, entered_on: Mapping[int, int] | None = None, left_on: Mapping[int, int] | None = None
) -> Situation:
    """Entrants 1 to n, some of them late or leaving."""
    late, leaving = entered_on or {}, left_on or {}
    return Situation(
        tuple(Entry(i, entered_on=late.get(i, 1), left_on=leaving.get(i)) for i in range(1, n + 1)), is_rated=False
    )


def settle(draw: Draw, rng: Random) -> PastMatchday:
    """Every table of a draw with places by lot."""
    tables = []
    for pairing in draw.pairings:
        places = list(range(1, len(pairing.entrants) + 1))
        rng.shuffle(places)
        tables.append(PastTable(pairing, PastState.SETTLED, tuple(places)))
    return PastMatchday(draw.matchday, tuple(tables), draw.byes)


def score(situation: Situation) -> Situation:
    """Points and matches counted anew from the history: one point for everybody beaten, a win for a bye."""
    points = {entry.id: 0.0 for entry in situation.entries}
    matches = dict.fromkeys(points, 0)
    for past in situation.history:
        for table in past.tables:
            entrants = table.pairing.entrants
            for entrant, place in zip(entrants, table.places, strict=True):
                if entrant != HOUSE:
                    points[entrant] += len(entrants) - place
                    matches[entrant] += 1
        for entrant in past.byes:
            points[entrant] += 2
    entries = tuple(replace(e, points=points[e.id], matches=matches[e.id]) for e in situation.entries)
    return replace(situation, entries=entries)


def draw_matchday(chosen: Format, situation: Situation, rng: Random) -> Draw:
    """The next matchday of a format that neither waits nor has finished."""
    drawn = chosen.draw(situation, rng)
    assert isinstance(drawn, Draw), drawn
    return drawn


def play(chosen: Format, situation: Situation, rng: Random, most: int = 200) -> tuple[Situation, list[Draw], Finished]:
    """Draw and settle until the format is finished; fails if it waits or does not end."""
    draws: list[Draw] = []
    for _ in range(most):
        drawn = chosen.draw(situation, rng)
        if isinstance(drawn, Finished):
            return situation, draws, drawn
        assert isinstance(drawn, Draw), drawn
        draws.append(drawn)
        situation = score(replace(situation, history=(*situation.history, settle(drawn, rng))))
    raise AssertionError(f"{chosen} did not end within {most} matchdays")


def draw_ahead(situation: Situation, chosen: Format, rng: Random) -> list[Draw]:
    """Every matchday of a format that is planned, from one generator."""
    return draw_matchdays(chosen, situation, lambda matchday: rng)[0]
