"""The list of tournaments, and a tournament's own page: how far it is and how everybody stands, live."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.models import TournamentState
from tournaments.pages.frame import Shown, find_shown, frame_context
from tournaments.pages.kept import render_kept
from tournaments.pages.paging import cut_page, read_page_number
from tournaments.pages.standings_rows import show_rows
from tournaments.pages.words import say_time_left
from tournaments.selectors.champions import find_champions
from tournaments.selectors.listing import RUNNING, list_tournaments
from tournaments.selectors.pace import read_pace, read_version
from tournaments.selectors.standings import find_snapshot

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
    return render_kept(request, key, "tournaments/now.html", lambda: _now_context(request, shown))


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
    }
