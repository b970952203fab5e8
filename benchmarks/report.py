"""The one shape in which every instrument reports: figures with goals, notes, and what was broken."""

import json
import math
import os
import platform
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

WIDTH_WITHOUT_TERMINAL = 140


@dataclass(frozen=True, slots=True)
class Goal:
    """A bound on a figure's value, or on its ratio: at most so much, or at least."""

    limit: float
    is_floor: bool = False
    is_for_ratio: bool = False

    def __str__(self) -> str:
        return f"{'≥' if self.is_floor else '≤'} {format_number(self.limit)}{' times' if self.is_for_ratio else ''}"


def at_most(limit: float) -> Goal:
    return Goal(limit)


def at_least(limit: float) -> Goal:
    return Goal(limit, is_floor=True)


def at_most_times(limit: float) -> Goal:
    """Of the ratio: so many times the yardstick."""
    return Goal(limit, is_for_ratio=True)


def at_least_times(limit: float) -> Goal:
    return Goal(limit, is_floor=True, is_for_ratio=True)


@dataclass(frozen=True, slots=True)
class Figure:
    """One number: of which thing, what was measured, and how many times the yardstick that `what` names it is."""

    name: str
    what: str
    value: float
    unit: str = ""
    goal: Goal | None = None
    ratio: float | None = None

    @property
    def is_reached(self) -> bool | None:
        """None where there is no goal, or nothing that it could be told from."""
        measured = self.ratio if self.goal and self.goal.is_for_ratio else self.value
        if self.goal is None or measured is None:
            return None
        return measured >= self.goal.limit if self.goal.is_floor else measured <= self.goal.limit

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "what": self.what,
            "value": self.value,
            "unit": self.unit,
            "ratio": self.ratio,
            "goal": str(self.goal) if self.goal else None,
            "is_reached": self.is_reached,
        }


@dataclass(frozen=True)
class Survey:
    """`broken` names promises that did not hold; a goal that is missed is shown, and breaks nothing by itself."""

    title: str
    figures: Sequence[Figure]
    notes: Sequence[str] = ()
    broken: Sequence[str] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "machine": describe_machine(),
            "figures": [figure.to_json() for figure in self.figures],
            "notes": list(self.notes),
            "broken": list(self.broken),
        }


def list_missed(figures: Iterable[Figure]) -> list[str]:
    """The goals that were missed, as sentences, for an instrument whose goals are promises."""
    return [
        f"{figure.name}, {figure.what}: {format_number(figure.value)} {figure.unit}, the goal is {figure.goal}"
        for figure in figures
        if figure.is_reached is False
    ]


def print_report(report: Survey, as_json: bool = False) -> None:
    if as_json:
        print(json.dumps(report.to_json(), ensure_ascii=False, indent=1))
        return
    console = Console(width=None if sys.stdout.isatty() else WIDTH_WITHOUT_TERMINAL, highlight=False)
    console.print(draw_figures(report))
    for note in report.notes:
        console.print(Text(note))
    for sentence in report.broken:
        console.print(Text("BROKEN ", style="red") + Text(sentence))


def draw_figures(report: Survey) -> Table:
    """A thing is named on the first of its rows only."""
    table = Table(title=f"{report.title} ({describe_machine()})", title_justify="left")
    for heading in ("name", "what"):
        table.add_column(heading)
    for heading in ("value", "unit", "ratio", "goal"):
        table.add_column(heading, justify="left" if heading == "unit" else "right", no_wrap=True)
    table.add_column("", no_wrap=True)
    before = ""
    for figure in report.figures:
        name = figure.name if figure.name != before else ""
        before = figure.name
        verdict = {None: "", True: "reached", False: "missed"}[figure.is_reached]
        ratio = "" if figure.ratio is None else f"{figure.ratio:.2f}"
        goal = "" if figure.goal is None else str(figure.goal)
        cells = (name, figure.what, format_number(figure.value), figure.unit, ratio, goal, verdict)
        table.add_row(*map(Text, cells))
    return table


def format_number(number: float) -> str:
    """Whole numbers as they are, others with about three digits."""
    if not math.isfinite(number) or number == int(number) or abs(number) >= 100:
        return f"{number:,.0f}"
    return f"{number:.1f}" if abs(number) >= 10 else f"{number:.2f}"


def describe_machine() -> str:
    return f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f}, Python {platform.python_version()}"


def tell(sentence: str) -> None:
    """How far an instrument is, beside its report."""
    print(sentence, file=sys.stderr, flush=True)
