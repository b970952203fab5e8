"""Rows of the standings as the page shows them: numbers in words, intervals, and who is not separable from whom."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.formats import number_format

from tournaments.models import EntrantState, Stage
from tournaments.pages.words import DASH, say_decision, say_number, say_span
from tournaments.selectors.certainty import Certainty
from tournaments.selectors.standings import StandingsLine, name_rows


@dataclass(frozen=True, slots=True)
class ShownRow:
    """One line; `span` is empty where the results leave only its own place open."""

    line: StandingsLine
    state: str
    points: str
    wins: str
    score: str
    interval: str
    span: str
    decided: str
    starts_division: bool


def show_rows(stage: Stage, rows: Sequence[dict[str, Any]]) -> list[ShownRow]:
    """Rows of the snapshot that fit a page; the first of a page names its division again."""
    shown, division = [], None
    for line in name_rows(stage, rows):
        shown.append(_show_row(line, bool(line.division) and line.division != division))
        division = line.division
    return shown


def _show_row(line: StandingsLine, starts_division: bool) -> ShownRow:
    played, sure = line.tally["played"], line.certainty
    rival = {line.decided_by["rival"]: line.rival} if line.rival and line.decided_by else {}
    return ShownRow(
        line=line,
        state="" if line.state in (EntrantState.ENTERED, EntrantState.CHECKED_IN) else str(line.state.label),
        points=say_number(line.points),
        wins=say_number(line.wins),
        score=number_format(line.tally["total_score"] / played, 2) if played else DASH,
        interval=_say_interval(sure),
        span=say_span(sure.best, sure.worst) if sure and sure.best != sure.worst else "",
        decided=say_decision(line.decided_by, rival),
        starts_division=starts_division,
    )


def _say_interval(sure: Certainty | None) -> str:
    if sure is None or sure.reach is None:
        return DASH
    return f"{number_format(sure.mean, 2)} ± {number_format(sure.reach, 2)}"
