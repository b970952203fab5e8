"""The front page, the list of leagues, and search."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from tournaments.models import TournamentState
from tournaments.pages.frame import cut_page, render_cached
from tournaments.pages.words import say_time_left
from tournaments.selectors.leagues import (
    LONGEST_QUERY,
    RUNNING,
    find_champions,
    find_league,
    list_leagues,
    list_tournaments,
    search_names,
)
from tournaments.selectors.players import list_latest
from tournaments.selectors.progress import read_pace
from tournaments.selectors.ratings import list_pools, list_top_rated

LEAGUES_A_PAGE = 24
SEASONS_A_PAGE = 24


@require_safe
def show_leagues(request: HttpRequest) -> HttpResponse:
    return render(request, "leagues/list.html", {"page": cut_page(request, list_leagues(), LEAGUES_A_PAGE)})


@require_safe
def show_league(request: HttpRequest, slug: str) -> HttpResponse:
    league = find_league(slug)
    if league is None:
        raise Http404("no such league")
    page = cut_page(request, list_tournaments(league=league), SEASONS_A_PAGE)
    champions = find_champions(page.object_list)
    seasons = [(tournament, champions.get(tournament.id, [])) for tournament in page.object_list]
    return render(request, "leagues/league.html", {"league": league, "page": page, "seasons": seasons})


MOST_FOUND = 20


@require_safe
def show_search(request: HttpRequest) -> HttpResponse:
    query = request.GET.get("q", "").strip()
    context = {"query": query[:LONGEST_QUERY], "found": search_names(query, MOST_FOUND), "longest": LONGEST_QUERY}
    return render(request, "search/search.html", context)


MOST_RUNNING = 3
MOST_OPEN = 2
MOST_ENDED = 2
MOST_RESULTS = 6
MOST_RATED = 5
CACHE_SECONDS = 1
"""Any tournament may change it, so that it is kept by time: watchers share one rendering a second."""


@require_safe
def show_home(request: HttpRequest) -> HttpResponse:
    return render(request, "home.html", {"live": render_live(request)})


@require_safe
def show_home_now(request: HttpRequest) -> HttpResponse:
    """The part of the front page that changes by itself."""
    return HttpResponse(render_live(request))


def render_live(request: HttpRequest) -> SafeString:
    return render_cached(request, "home", "home/live.html", _live_context, CACHE_SECONDS)


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
