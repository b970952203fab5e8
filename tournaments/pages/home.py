"""What is on: the front page, leagues, search, the calendar of all events, and calendar files to subscribe to."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from aurum_league.common.errors import LeagueError
from games.selectors.matches import find_player
from tournaments.models import Tournament, TournamentState
from tournaments.pages.frame import cut_page, find_shown, render_cached
from tournaments.pages.words import name_stage, say_time_left
from tournaments.selectors.league_history import (
    MOST_COMPARED,
    AllTimeLine,
    JointMatches,
    LeagueHistory,
    read_league_history,
)
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
from tournaments.selectors.timetable import MOMENT_LABELS, Moment, list_dated, list_moments, list_of_player

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
    history = read_league_history(league)
    context = {"league": league, "page": page, "seasons": seasons, "history": history, "rows": list_rows(history)}
    context["records"] = [(RECORD_WORDS[record.code], record) for record in history.records]
    return render(request, "leagues/league.html", context)


RECORD_WORDS = {
    "points_in_a_stage": gettext_lazy("Most points in a stage"),
    "wins_in_a_stage": gettext_lazy("Most wins in a stage"),
    "score_in_a_match": gettext_lazy("Highest score in a match"),
}


def list_rows(history: LeagueHistory) -> list[tuple[AllTimeLine, list[JointMatches | None]]]:
    """Each of the best with how they did against each other of them; None on the diagonal, and where they never met."""
    shown = history.lines[:MOST_COMPARED]
    return [(line, [history.meetings.get((line.player_id, other.player_id)) for other in shown]) for line in shown]


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


MOMENT_WORDS = {name: gettext_lazy(label) for name, label in MOMENT_LABELS.items()} | {
    "matchday": gettext_lazy("Matchday")
}
LONGEST_LINE = 75
DURATION = timedelta(hours=1)
EARLIEST, LATEST = 2000, 2100


@require_safe
def show_calendar(request: HttpRequest) -> HttpResponse:
    first = _read_month(request.GET.get("month", ""))
    following = _next_month(first)
    since, until = (datetime(day.year, day.month, 1, tzinfo=UTC) for day in (first, following))
    # A reader far from Greenwich has another first day of the month.
    shown = list_dated(since - timedelta(days=1), until + timedelta(days=1))
    moments = [moment for moment in list_moments(shown) if since <= moment.at < until]
    context = {
        "month": first,
        "earlier": (first - timedelta(days=1)).strftime("%Y-%m"),
        "later": following.strftime("%Y-%m"),
        "moments": [(moment, say_moment(moment)) for moment in moments],
        "file": request.build_absolute_uri(reverse("calendar_file")),
    }
    return render(request, "tournaments/calendar.html", context)


def _read_month(asked: str) -> date:
    today = timezone.now().date()
    try:
        found = datetime.strptime(asked, "%Y-%m").date()
    except ValueError:
        return today.replace(day=1)
    return found if EARLIEST <= found.year < LATEST else today.replace(day=1)


def _next_month(first: date) -> date:
    return (first + timedelta(days=31)).replace(day=1)


def say_moment(moment: Moment) -> str:
    words = str(MOMENT_WORDS[moment.what])
    if moment.stage is None:
        return words
    numbered = f"{words} {moment.matchday}"
    return numbered if moment.stage.number == 1 else f"{name_stage(moment.stage)}: {numbered}"


def list_times(tournament: Tournament) -> list[tuple[str, Moment]]:
    """What is set of one tournament, in words, for its pages."""
    return [(say_moment(moment), moment) for moment in list_moments([tournament])]


@require_safe
def download_calendar(request: HttpRequest) -> HttpResponse:
    """Everything public from a month ago on."""
    now = timezone.now()
    shown = list_dated(now - timedelta(days=31), now + timedelta(days=366))
    return _answer("aurum-league", "Aurum League", list_moments(shown))


@require_safe
def download_tournament(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = find_shown(request, slug).tournament
    return _answer(slug, tournament.name, list_moments([tournament]))


@require_safe
def download_league(request: HttpRequest, slug: str) -> HttpResponse:
    league = find_league(slug)
    if league is None:
        raise Http404("no such league")
    return _answer(slug, league.name, list_moments(list_tournaments(league=league)))


@require_safe
def download_player(request: HttpRequest, slug: str) -> HttpResponse:
    try:
        player = find_player(slug)
    except LeagueError:
        raise Http404("no such player") from None
    return _answer(slug, player.name, list_moments(list_of_player(player.pk)))


def _answer(name: str, title: str, moments: Iterable[Moment]) -> HttpResponse:
    answer = HttpResponse(write_calendar(title, moments), content_type="text/calendar; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}.ics"'
    return answer


def write_calendar(title: str, moments: Iterable[Moment]) -> str:
    """Moments as RFC 5545 has them; the same moment keeps its UID, so that a moved one moves in the reader's own."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Aurum League//Calendar//EN", f"X-WR-CALNAME:{_escape(title)}"]
    stamp = _stamp(timezone.now())
    for moment in moments:
        lines += ["BEGIN:VEVENT", *_tell_event(moment, stamp), "END:VEVENT"]
    folded = [part for line in [*lines, "END:VCALENDAR"] for part in _fold(line)]
    return "\r\n".join(folded) + "\r\n"


def _tell_event(moment: Moment, stamp: str) -> list[str]:
    tournament = moment.tournament
    address = settings.SITE_URL.rstrip("/") + reverse("tournament", args=[tournament.slug])
    which = f"{moment.what}-{moment.stage.number}-{moment.matchday}" if moment.stage else moment.what
    host = settings.SITE_URL.partition("://")[2].partition("/")[0] or "aurum-league"
    return [
        f"UID:{tournament.pk}-{which}@{host}",
        f"DTSTAMP:{stamp}",
        f"DTSTART:{_stamp(moment.at)}",
        f"DTEND:{_stamp(moment.at + DURATION)}",
        f"SUMMARY:{_escape(tournament.name)}: {_escape(say_moment(moment))}",
        f"URL:{address}",
    ]


def _stamp(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _escape(text: Any) -> str:
    plain = str(text).replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return plain.replace("\r", "").replace("\n", "\\n")


def _fold(line: str) -> list[str]:
    """Lines of at most 75 octets, cut between signs."""
    parts, current = [], ""
    for sign in line:
        if len((current + sign).encode()) > LONGEST_LINE:
            parts.append(current)
            current = " "
        current += sign
    return [*parts, current]
