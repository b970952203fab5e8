"""Designs: balanced schedules as stored base matchdays, the code that finds them, and closed formulas."""

import json
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import combinations

from tournaments.rules.designs.formulas import (
    Matchday,
    Starter,
    circle,
    has_kirkman3q,
    has_mendelsohn,
    kirkman3q,
    longest_shift3,
    longest_shift4,
    mendelsohn,
    shift3,
    shift4,
    triple_kirkman,
    whist9,
)
from tournaments.rules.designs.levelling import level_byes, level_directions, turn_fours, turn_tables
from tournaments.rules.pairing import TableKind, seat_evenly

LARGEST_STORED = 64
Schedule = tuple[tuple[tuple[int, ...], ...], ...]

SHORT_LAPS = {4: 2, 5: 3, 6: 3, 7: 3}
"""At tables of three so few cannot all play with no pair meeting twice: a lap is as many matchdays of their `double`
as come nearest to one meeting a pair, and the next lap goes on where the last one ended."""


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


@lru_cache(maxsize=1)
def load_seatings() -> dict[int, str]:
    """By number of entrants how the tables of the developed `double` are seated: a digit a table, see `seat_table`."""
    rows = json.loads((files(__package__) / "seatings.json").read_text())
    return {row["n"]: row["ways"] for row in rows}


def lap_length(family: str, n: int) -> int:
    """How many matchdays one lap has."""
    return SHORT_LAPS[n] if family == "single" and n in SHORT_LAPS else len(_cycle(family, n))


@lru_cache(maxsize=256)
def look_up(family: str, n: int) -> Schedule:
    """One lap for entrants 1 to n, seated: `single`, `double` (three players), `whist`, or `circle` (two sides).

    Three players beyond 64: a Kirkman system where the field has one, else as many matchdays as the shift keeps free
    of repeats. A `double` beyond 64 is two such laps.
    """
    return _plan_matchdays(family, n, lap_length(family, n))


@lru_cache(maxsize=256)
def plan_matchdays(family: str, n: int, matchdays: int) -> Schedule:
    """So many matchdays, lap after lap, every other time through with the tables mirrored.

    Byes differ by at most one. Where pairs meet more than once, who sits before whom comes next and seats are level at
    the end; else seats are level after every matchday.
    """
    return _plan_matchdays(family, n, matchdays)


def _plan_matchdays(family: str, n: int, matchdays: int) -> Schedule:
    cycle = _cycle(family, n)
    days: list[Matchday] = []
    for number in range(matchdays):
        is_return = number // len(cycle) % 2 == 1
        tables = cycle[number % len(cycle)]
        days.append([tuple(point + 1 for point in (table[::-1] if is_return else table)) for table in tables])
    days = level_byes(days, n)
    is_stored = family == "double" and matchdays == len(cycle) and n <= LARGEST_STORED
    if family == "circle":
        seated = seat_evenly(days, 2)
    elif family == "whist":
        seated = turn_fours(days)
    elif _has_repeat(days):
        # A stored lap is as level as a long search made it; a descent would give seats for directions.
        seated = turn_tables(days if is_stored else level_directions(days))
    else:
        seated = seat_evenly(days)
    return tuple(tuple(day) for day in seated)


def _has_repeat(days: Sequence[Matchday]) -> bool:
    met: set[frozenset[int]] = set()
    for day in days:
        for table in day:
            pairs = {frozenset(pair) for pair in combinations(table, 2)}
            if not met.isdisjoint(pairs):
                return True
            met |= pairs
    return False


@lru_cache(maxsize=64)
def _cycle(family: str, n: int) -> list[Matchday]:
    """The matchdays of points 0 to n - 1 that laps go through, seated as is stored."""
    if family == "single" and n in SHORT_LAPS:
        return _cycle("double", n)
    days = develop_lap(family, n)
    if family != "double" or not (digits := load_seatings().get(n)):
        return days
    ways = iter(digits)
    return [[seat_table(table, int(next(ways))) for table in day] for day in days]


def seat_table(table: tuple[int, ...], way: int) -> tuple[int, ...]:
    """A table of three seated in one of six ways: turned by way % 3, and mirrored from 3 on."""
    first = way % 3
    turned = table[first:] + table[:first]
    return turned[::-1] if way >= 3 else turned


def develop_lap(family: str, n: int) -> list[Matchday]:
    """The lap as its design gives it."""
    if family == "circle":
        return circle(n)
    if n in load_starters(family):
        return load_starters(family)[n].develop()
    if family == "whist":
        return whist9().develop() if n == 9 else shift4(n, longest_shift4(n))
    if family == "double" and n <= LARGEST_STORED and has_mendelsohn(n):
        return mendelsohn(n).develop()
    lap = develop_lap("single", n) if family == "double" else _kirkman(n) or shift3(n, longest_shift3(n))
    # The return half is the first one mirrored: everybody sits before everybody as often as after.
    return [*lap, *([table[::-1] for table in day] for day in lap)] if family == "double" else lap


def _kirkman(n: int) -> list[Matchday]:
    """Every pair exactly once by a formula; empty where none here gives it."""
    if has_kirkman3q(n):
        return kirkman3q(n).develop()
    return triple_kirkman(develop_lap("single", n // 3)) if n % 18 == 9 and _has_kirkman(n // 3) else []


def _has_kirkman(n: int) -> bool:
    return n <= LARGEST_STORED or has_kirkman3q(n) or (n % 18 == 9 and _has_kirkman(n // 3))


def lap_family(kind: TableKind, meetings: int) -> str:
    """The family whose lap lets pairs meet once or twice at tables of this kind."""
    if kind is TableKind.SOLO3:
        return "single" if meetings == 1 else "double"
    return "whist" if kind is TableKind.SOLO4 else "circle"
