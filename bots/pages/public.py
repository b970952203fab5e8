"""What everybody sees of bots: the list, and one bot's page."""

from typing import TypeVar

from django.core.paginator import Page, Paginator
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from aurum_league.common.errors import LeagueError
from bots.brains import BRAINS
from bots.selectors.bots import find_public_bot, list_own_bots, list_public_bots
from bots.selectors.performance import read_win_rates
from games.models import MatchSeat

ROWS = 50
Row = TypeVar("Row", bound=Model)


def show_bots(request: HttpRequest) -> HttpResponse:
    own = list_own_bots(request.user) if request.user.is_authenticated else []
    page = page_of(list_public_bots(), request)
    return render(request, "bots/list.html", {"page": page, "own": own, "house": BRAINS})


def show_bot(request: HttpRequest, slug: str) -> HttpResponse:
    try:
        bot = find_public_bot(slug, request.user)
    except LeagueError as error:
        raise Http404(error.message) from None
    rates = [(players, list(read_win_rates(bot, players).items())) for players in (3, 4)]
    is_own = request.user == bot.player.owner
    versions = bot.versions.filter(state="qualified").defer("upload", "report")
    context = {"bot": bot, "rates": rates, "versions": versions, "is_own": is_own}
    return render(request, "bots/bot.html", context)


def page_of(rows: QuerySet[Row] | QuerySet[MatchSeat], request: HttpRequest) -> Page:
    """The page that the address asks for, or the nearest there is."""
    return Paginator(rows, ROWS).get_page(request.GET.get("page"))
