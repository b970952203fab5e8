"""Looks schedules up by family and number of entrants, seats included: stored starters up to 64, formulas beyond."""

import json
from functools import lru_cache
from importlib.resources import files

from tournaments.rules.designs.direct import circle, longest_shift3, longest_shift4, shift3, shift4
from tournaments.rules.designs.kirkman import has_kirkman3q, kirkman3q
from tournaments.rules.designs.starter import Matchday, Starter
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
    days = _lap(family, n)
    named = [[tuple(point + 1 for point in table) for table in day] for day in days]
    if family in ("single", "double") and not _is_level(family, n):
        named = seat_evenly(named)
    elif family == "whist":
        named = turn_tables(named)
    return tuple(tuple(day) for day in named)


def _lap(family: str, n: int) -> list[Matchday]:
    if family == "circle":
        return circle(n)
    if n <= LARGEST_STORED:
        return load_starters(family)[n].develop()
    if family == "whist":
        return shift4(n, longest_shift4(n))
    lap = kirkman3q(n).develop() if has_kirkman3q(n) else shift3(n, longest_shift3(n))
    return lap * 2 if family == "double" else lap


def _is_level(family: str, n: int) -> bool:
    """Whether everybody visits every seat of the base matchday once, which levels seats without a colouring."""
    starter = load_starters(family).get(n)
    return starter is not None and starter.classes == 1 and starter.fixed == 0


def lap_family(kind: TableKind, meetings: int) -> str:
    """The family whose lap lets pairs meet once or twice at tables of this kind."""
    if kind is TableKind.SOLO3:
        return "single" if meetings == 1 else "double"
    return "whist" if kind is TableKind.SOLO4 else "circle"


def turn_tables(days: list[Matchday]) -> list[Matchday]:
    """Tables of four turned so that seats stay level: of the eight ways that keep partners opposite, the best."""
    seen: dict[int, list[int]] = {}
    turned = []
    for day in days:
        turned.append([best_turn(table, seen) for table in day])
        for table in turned[-1]:
            for seat, entrant in enumerate(table):
                seen.setdefault(entrant, [0] * 4)[seat] += 1
    return turned


def best_turn(table: tuple[int, ...], seen: dict[int, list[int]]) -> tuple[int, ...]:
    """The turn or mirror image of a table of four with the least worn seats; the table as it is among equals."""
    a, b, c, d = table
    ways = [
        (a, b, c, d),
        (b, c, d, a),
        (c, d, a, b),
        (d, a, b, c),
        (d, c, b, a),
        (c, b, a, d),
        (b, a, d, c),
        (a, d, c, b),
    ]
    blank = [0] * 4
    return min(
        ways, key=lambda way: sum(3 ** (seen.get(e, blank)[s] - min(seen.get(e, blank))) for s, e in enumerate(way))
    )
