"""Tournaments: their list, and one's own page with how far it is and how everybody stands, live."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.models import EntrantState, Stage, TournamentState
from tournaments.pages.frame import Shown, cut_page, find_shown, frame_context, read_page_number, render_cached
from tournaments.pages.words import DASH, explain_metrics, say_decision, say_number, say_span, say_time_left
from tournaments.rules.formats.catalogue import FORMATS
from tournaments.selectors.leagues import RUNNING, find_champions, list_tournaments
from tournaments.selectors.progress import read_pace, read_version
from tournaments.selectors.standings import Certainty, StandingsLine, find_snapshot, list_level_for_title, name_rows


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


TOURNAMENTS_A_PAGE = 24
LINES_A_PAGE = 100
FILTERS = {
    "running": RUNNING,
    "open": (TournamentState.OPEN, TournamentState.DRAWN),
    "finished": (TournamentState.FINISHED, TournamentState.CANCELLED),
}


@require_safe
def show_tournaments(request: HttpRequest) -> HttpResponse:
    names = {"": _("All"), "running": _("Running"), "open": _("Open for entries"), "finished": _("Finished")}
    asked = request.GET.get("show", "")
    shown = list_tournaments(states=tuple(FILTERS.get(asked, ())))
    context = {
        "page": cut_page(request, shown, TOURNAMENTS_A_PAGE),
        "filters": [(name, f"?show={key}" if key else reverse("tournaments")) for key, name in names.items()],
        "filter": f"?show={asked}" if asked in FILTERS else reverse("tournaments"),
    }
    return render(request, "tournaments/list.html", context)


@require_safe
def show_tournament(request: HttpRequest, slug: str) -> HttpResponse:
    shown = find_shown(request, slug)
    context = frame_context(request, shown, "tournament")
    return render(request, "tournaments/standings.html", {**context, "now": render_now(request, shown)})


@require_safe
def show_now(request: HttpRequest, slug: str) -> HttpResponse:
    """The parts of the page that change while the tournament plays: its state goes to where it stands."""
    shown = find_shown(request, slug)
    context = {"tournament": shown.tournament, "now": render_now(request, shown)}
    return render(request, "tournaments/now_with_state.html", context)


def render_now(request: HttpRequest, shown: Shown) -> SafeString:
    """Progress and standings, rendered once for all watchers until a result changes them."""
    version = read_version(shown.tournament, shown.stages)
    key = f"now-{version}-{shown.stage.number}-{read_page_number(request)}"
    return render_cached(request, key, "tournaments/now.html", lambda: _now_context(request, shown))


def _now_context(request: HttpRequest, shown: Shown) -> dict[str, Any]:
    snapshot = find_snapshot(shown.stage)
    page = cut_page(request, snapshot.rows, LINES_A_PAGE)
    page.object_list = show_rows(shown.stage, list(page.object_list))
    pace = read_pace(shown.tournament)
    return {
        "tournament": shown.tournament,
        "stage": shown.stage,
        "pace": pace,
        "time_left": say_time_left(pace.left),
        "is_running": shown.tournament.state in RUNNING,
        "champions": find_champions([shown.tournament]).get(shown.tournament.id, []),
        "is_current": snapshot.version == shown.stage.results_version,
        "page": page,
        "level": list_level_for_title(shown.stage, snapshot.rows) if _is_decided(shown) else [],
        "chain": explain_metrics(() if FORMATS[shown.stage.format].has_bracket else shown.stage.tiebreaks),
    }


def _is_decided(shown: Shown) -> bool:
    """Whether the stage shown is the one that gave the title."""
    return shown.tournament.state == TournamentState.FINISHED and shown.stage == shown.stages[-1]
