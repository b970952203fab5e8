"""Looks schedules up by family and number of entrants, seats included: stored starters up to 64, formulas beyond."""

import json
from functools import lru_cache
from importlib.resources import files

from tournaments.rules.designs.direct import circle, longest_shift3, longest_shift4, shift3, shift4
from tournaments.rules.designs.fields import has_kirkman3q, kirkman3q, triple_kirkman, whist9
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
        named = turn_tables(named)
    return tuple(tuple(day) for day in named)


def _lap(family: str, n: int) -> list[Matchday]:
    if family == "circle":
        return circle(n)
    if n in load_starters(family):
        return load_starters(family)[n].develop()
    if family == "whist":
        return whist9().develop() if n == 9 else shift4(n, longest_shift4(n))
    lap = _kirkman(n) or shift3(n, longest_shift3(n))
    return lap * 2 if family == "double" else lap


def _kirkman(n: int) -> list[Matchday]:
    """Every pair exactly once by a formula; empty where none here gives it."""
    if has_kirkman3q(n):
        return kirkman3q(n).develop()
    return triple_kirkman(_lap("single", n // 3)) if n % 18 == 9 and _has_kirkman(n // 3) else []


def _has_kirkman(n: int) -> bool:
    return n <= LARGEST_STORED or has_kirkman3q(n) or (n % 18 == 9 and _has_kirkman(n // 3))


def lap_family(kind: TableKind, meetings: int) -> str:
    """The family whose lap lets pairs meet once or twice at tables of this kind."""
    if kind is TableKind.SOLO3:
        return "single" if meetings == 1 else "double"
    return "whist" if kind is TableKind.SOLO4 else "circle"
