"""Searches for starters of schedules again, in the shape in which tournaments/rules/designs stores them."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

from aurum_league.cli.terminal import CommandError
from benchmarks.report import Figure, Report, at_most, tell
from tournaments.rules.designs.formulas import Starter
from tournaments.rules.designs.search import Shape, double_shape, search_starter, single_shape, whist_shape

SHAPES: dict[str, Callable[[int], Shape]] = {"single": single_shape, "double": double_shape, "whist": whist_shape}


def measure_designs(*, family: str, first: int, last: int, coolings: int, steps: int, seed: int, out: str) -> Report:
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
    return Report(f"Starters, at most {coolings} coolings each", figures, [] if out else lines)


def describe_starter(n: int, starter: Starter) -> dict[str, object]:
    row: dict[str, object] = {"n": n, "m": starter.modulus, "c": starter.classes, "f": starter.fixed}
    row["base"] = starter.base
    if starter.transversals:
        row["transversals"] = starter.transversals
    return row
