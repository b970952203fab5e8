"""The front page: what is being played now, the latest results, and the top of the ratings."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from tournaments.models import TournamentState
from tournaments.pages.kept import render_kept
from tournaments.pages.words import say_time_left
from tournaments.selectors.champions import find_champions
from tournaments.selectors.latest import list_latest
from tournaments.selectors.listing import RUNNING, list_tournaments
from tournaments.selectors.pace import read_pace
from tournaments.selectors.ratings import list_pools, list_top_rated

MOST_RUNNING = 3
MOST_OPEN = 2
MOST_ENDED = 2
MOST_RESULTS = 6
MOST_RATED = 5
KEPT_SECONDS = 1
"""Any tournament may change it, so that it is kept by time: watchers share one rendering a second."""


@require_safe
def show_home(request: HttpRequest) -> HttpResponse:
    return render(request, "home.html", {"live": render_live(request)})


@require_safe
def show_home_now(request: HttpRequest) -> HttpResponse:
    """The part of the front page that changes by itself."""
    return HttpResponse(render_live(request))


def render_live(request: HttpRequest) -> SafeString:
    return render_kept(request, "home", "home/live.html", _live_context, KEPT_SECONDS)


def _live_context() -> dict[str, Any]:
    running = []
    for tournament in list_tournaments(states=RUNNING)[:MOST_RUNNING]:
        pace = read_pace(tournament)
        running.append({"tournament": tournament, "pace": pace, "time_left": say_time_left(pace.left)})
    ended = [] if running else list(list_tournaments(states=(TournamentState.FINISHED,))[:MOST_ENDED])
    champions = find_champions(ended)
    busiest = max(list_pools(), key=lambda pool: pool.sequence, default=None)
    listed = list_top_rated(busiest, MOST_RATED) if busiest else []
    return {
        "running": running,
        "open": list(list_tournaments(states=(TournamentState.OPEN,))[:MOST_OPEN]),
        "ended": [(tournament, champions.get(tournament.id, [])) for tournament in ended],
        "results": list_latest(MOST_RESULTS),
        "rated": [line for line in listed if line.rank],
        "pool": busiest,
    }
