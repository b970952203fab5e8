"""Rows of the standings as the page shows them: numbers in words, intervals, and who is not separable from whom."""

from dataclasses import dataclass

from django.utils.formats import number_format

from tournaments.models import EntrantState, Stage
from tournaments.pages.large import LARGE_STAGE
from tournaments.pages.words import DASH, say_decision, say_number, say_span
from tournaments.rules.pairing import TableKind
from tournaments.rules.standings.tally import UNITS
from tournaments.selectors.certainty import Certainty, find_certainty, read_certainty
from tournaments.selectors.standings import Standings, StandingsLine, read_standings


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


@dataclass(frozen=True, slots=True)
class ShownStandings:
    """`is_incomplete` where the intervals are still to be counted."""

    standings: Standings
    rows: tuple[ShownRow, ...]
    is_incomplete: bool


def show_standings(stage: Stage, *, may_wait: bool = True) -> ShownStandings:
    """With `may_wait` off, intervals that would take seconds to count are left out."""
    standings = read_standings(stage)
    certainty = find_certainty(stage, standings.version)
    played = sum(line.tally["played"] for line in standings.lines)
    is_quick = played <= LARGE_STAGE * TableKind(stage.tournament.table_kind).entrants
    if certainty is None and (may_wait or is_quick):
        certainty = read_certainty(stage, standings.version)
    names = {line.entrant_id: line.name for line in standings.lines}
    rows, division = [], None
    for line in standings.lines:
        starts_division = bool(line.division) and line.division != division
        rows.append(_show_row(line, (certainty or {}).get(line.entrant_id), names, starts_division))
        division = line.division
    return ShownStandings(standings, tuple(rows), is_incomplete=certainty is None)


def _show_row(line: StandingsLine, sure: Certainty | None, names: dict[int, str], starts_division: bool) -> ShownRow:
    played = line.tally["played"]
    points = line.values.get("match_points")
    return ShownRow(
        line=line,
        state="" if line.state in (EntrantState.ENTERED, EntrantState.CHECKED_IN) else str(line.state.label),
        points=say_number(line.tally["points"] / UNITS if points is None else points),
        wins=say_number(line.tally["wins"] / UNITS),
        score=number_format(line.tally["total_score"] / played, 2) if played else DASH,
        interval=_say_interval(sure),
        span=say_span(sure.best, sure.worst) if sure and sure.best != sure.worst else "",
        decided=say_decision(line.decided_by, names),
        starts_division=starts_division,
    )


def _say_interval(sure: Certainty | None) -> str:
    if sure is None or sure.reach is None:
        return DASH
    return f"{number_format(sure.mean, 2)} ± {number_format(sure.reach, 2)}"
