"""Who takes part in a tournament, with seeds and ratings."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.models import PlayerKind
from tournaments.models import Entrant, EntrantState, Rating
from tournaments.pages.frame import find_shown, frame_context
from tournaments.pages.paging import cut_page
from tournaments.selectors.entrant_ratings import read_entrant_ratings
from tournaments.selectors.entrants import list_entrants
from tournaments.selectors.own_entry import find_own_entry
from tournaments.selectors.ratings import show_rating

ENTRANTS_A_PAGE = 100


@require_safe
def show_entrants(request: HttpRequest, slug: str) -> HttpResponse:
    shown = find_shown(request, slug)
    page = cut_page(request, list_entrants(shown.tournament), ENTRANTS_A_PAGE)
    ratings = read_entrant_ratings(shown.tournament, [entrant.player_id for entrant in page.object_list])
    rows = [show_row(entrant, ratings.get(entrant.player_id)) for entrant in page.object_list]
    context = frame_context(request, shown, "tournament_entrants") | {
        "page": page,
        "rows": rows,
        "stage_links": [],
        "entry": find_own_entry(shown.tournament, request.user),
    }
    return render(request, "tournaments/entrants.html", context)


def show_row(entrant: Entrant, rating: Rating | None) -> dict[str, Any]:
    """A line of the list; kind and state in words, which a model finds anew among all choices each time."""
    return {
        "entrant": entrant,
        "kind": PlayerKind(entrant.player.kind).label,
        "state": EntrantState(entrant.state).label,
        "shown": show_rating(rating) if rating else None,
    }
