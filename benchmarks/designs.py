"""Makes again what tournaments/rules/designs stores: starters of schedules, and how the doubles are seated.

Doubles are seated so that left and right cancel. First tables are mirrored, annealing the differences between before
and after over all pairs; then they are turned until seats are level; where turning alone does not get there, a table at
which seats are uneven is mirrored at the least cost and turning begins again.
"""

import json
from collections.abc import Callable
from math import exp
from pathlib import Path
from random import Random

from aurum_league.cli.main import CommandError
from benchmarks.report import Figure, Survey, at_most, tell
from tournaments.rules.designs import develop_lap, load_starters, seat_table
from tournaments.rules.designs.formulas import Matchday, Starter, Table
from tournaments.rules.designs.levelling import (
    Arrows,
    TurnedTables,
    count_arrows,
    list_arrows,
    mirror_table,
    price_mirror,
)
from tournaments.rules.designs.search import Shape, double_shape, search_starter, single_shape, whist_shape

SHAPES: dict[str, Callable[[int], Shape]] = {"single": single_shape, "double": double_shape, "whist": whist_shape}


def measure_designs(*, family: str, first: int, last: int, coolings: int, steps: int, seed: int, out: str) -> Survey:
    """A starter of cost 0 has every orbit as wished."""
    if coolings < 1 or first > last:
        raise CommandError("--coolings is at least 1, --first at most --last.")
    figures, lines = [], []
    for n in range(first, last + 1):
        starter, cost = search_starter(SHAPES[family](n), Random(seed), coolings, steps)
        figures.append(Figure(f"{family} of {n}", "cost of the best starter", cost, "", at_most(0)))
        lines.append(json.dumps(describe_starter(n, starter)))
        tell(f"n={n} cost={cost}")
    if out:
        Path(out).write_text("".join(f"{line}\n" for line in lines))
    return Survey(f"Starters, at most {coolings} coolings each", figures, [] if out else lines)


def describe_starter(n: int, starter: Starter) -> dict[str, object]:
    row: dict[str, object] = {"n": n, "m": starter.modulus, "c": starter.classes, "f": starter.fixed}
    row["base"] = starter.base
    if starter.transversals:
        row["transversals"] = starter.transversals
    return row


HOT, COLD = 2.0, 0.15
REPAIRS = 25


def count_uneven(arrows: Arrows) -> int:
    """How many pairs sit one way at least two times more often than the other."""
    pairs = {(min(pair), max(pair)) for pair in arrows}
    return sum(abs(arrows[a, b] - arrows[b, a]) > 1 for a, b in pairs)


def mirror_tables(days: list[Matchday], rng: Random, sweeps: int) -> list[Table]:
    """The tables, mirrored as one cooling of the squared differences between before and after leaves them."""
    tables: list[Table] = [table for day in days for table in day]
    ahead: dict[tuple[int, int], int] = {}
    signs: list[list[tuple[tuple[int, int], int]]] = []
    for table in tables:
        arrows = [((a, b), 1) if a < b else ((b, a), -1) for a, b in list_arrows(table)]
        signs.append(arrows)
        for pair, sign in arrows:
            ahead[pair] = ahead.get(pair, 0) + sign
    for sweep in range(sweeps):
        heat = HOT * (COLD / HOT) ** (sweep / sweeps)
        for _ in tables:
            place = int(rng.random() * len(tables))
            price = 3
            for pair, sign in signs[place]:
                price -= sign * ahead[pair]
            if price <= 0 or rng.random() < exp(-price / heat):
                tables[place] = tables[place][::-1]
                for pair, sign in signs[place]:
                    ahead[pair] -= 2 * sign
                signs[place] = [(pair, -sign) for pair, sign in signs[place]]
    return tables


def level_seats(tables: list[Table], rng: Random) -> list[Table]:
    """The same tables turned, and few mirrored, so that nobody's seats differ by more than one."""
    arrows = count_arrows([tables])
    for repair in range(REPAIRS):
        seated = TurnedTables(tables)
        seated.sit()
        seated.descend()
        seated.cool((100 + 10 * repair) * len(tables), rng)
        uneven = set(seated.find_uneven())
        tables = seated.tables
        if not uneven:
            break
        at_fault = [place for place, table in enumerate(tables) if not uneven.isdisjoint(table)]
        place = min(at_fault, key=lambda place: price_mirror(arrows, tables[place]) + 4 * rng.random())
        tables[place] = mirror_table(arrows, tables[place])
    return tables


def find_way(table: Table, seated: Table) -> int:
    return next(way for way in range(6) if seat_table(table, way) == seated)


def measure_seatings(*, first: int, last: int, sweeps: int) -> Survey:
    """A lap in which every pair sits either way equally often leaves none uneven."""
    figures, rows = [], []
    for n in sorted(set(load_starters("double")) & set(range(first, last + 1))):
        days = develop_lap("double", n)
        rng = Random(n)
        tries = [mirror_tables(days, rng, sweeps) for _ in range(2)]
        seated = level_seats(min(tries, key=lambda tables: count_uneven(count_arrows([tables]))), rng)
        flat = [table for day in days for table in day]
        ways = "".join(str(find_way(*pair)) for pair in zip(flat, seated, strict=True))
        rows.append(json.dumps({"n": n, "ways": ways}))
        check = TurnedTables(seated)
        check.sit()
        figures += [
            Figure(f"double of {n}", "pairs uneven", count_uneven(count_arrows([seated])), "", at_most(0)),
            Figure(f"double of {n}", "entrants with uneven seats", len(check.find_uneven()), "", at_most(0)),
        ]
        tell(f"n={n}")
    return Survey("Seats of the stored doubles", figures, rows)
