"""The list of leagues, and a league's page with its seasons and champions."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.pages.paging import cut_page
from tournaments.selectors.champions import find_champions
from tournaments.selectors.listing import find_league, list_leagues, list_tournaments

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
