"""Looks schedules up by family and number of entrants, seats included: stored starters up to 64, formulas beyond."""

import json
from functools import lru_cache
from importlib.resources import files

from tournaments.rules.designs.direct import circle, longest_shift3, longest_shift4, shift3, shift4
from tournaments.rules.designs.fields import has_kirkman3q, kirkman3q
from tournaments.rules.designs.starter import Matchday, Starter
from tournaments.rules.designs.turning import turn_tables
from tournaments.rules.pairing import TableKind
from tournaments.rules.seating import seat_evenly

LARGEST_STORED = 64
Schedule = tuple[tuple[tuple[int, ...], ...], ...]


@lru_cache(maxsize=3)
def load_starters(family: str) -> dict[int, Starter]:
    """The stored starters of a family (single, double, whist) by number of entrants."""
    rows = json.loads((files(__package__) / f"{family}.json").read_text())
    return {
        row["n"]: Starter(
            row["m"],
            row["c"],
            row["f"],
            tuple(tuple(tuple(table) for table in tables) for tables in row["base"]),
            tuple(tuple(table) for table in row.get("transversals", ())),
        )
        for row in rows
    }


@lru_cache(maxsize=256)
def look_up(family: str, n: int) -> Schedule:
    """One lap for entrants 1 to n, seated: `single`, `double` (three players), `whist`, or `circle` (two sides).

    Three players beyond 64: a Kirkman system where the field has one, else as many matchdays as the shift keeps free
    of repeats. A `double` beyond 64 is two such laps.
    """
    named = [[tuple(point + 1 for point in table) for table in day] for day in _lap(family, n)]
    if family in ("single", "double"):
        named = seat_evenly(named)
    elif family == "whist":
        named = _level_whist(n, named)
    return tuple(tuple(day) for day in named)


def _level_whist(n: int, days: list[Matchday]) -> list[Matchday]:
    """Points that move visit every seat of the base matchday once; only the tables of a fixed point need turning."""
    starter = load_starters("whist").get(n)
    if starter is None or starter.modulus == 1:
        return turn_tables(days)
    return turn_tables(days, around=n) if starter.fixed else days


def _lap(family: str, n: int) -> list[Matchday]:
    if family == "circle":
        return circle(n)
    if n <= LARGEST_STORED:
        return load_starters(family)[n].develop()
    if family == "whist":
        return shift4(n, longest_shift4(n))
    lap = kirkman3q(n).develop() if has_kirkman3q(n) else shift3(n, longest_shift3(n))
    return lap * 2 if family == "double" else lap


def lap_family(kind: TableKind, meetings: int) -> str:
    """The family whose lap lets pairs meet once or twice at tables of this kind."""
    if kind is TableKind.SOLO3:
        return "single" if meetings == 1 else "double"
    return "whist" if kind is TableKind.SOLO4 else "circle"
