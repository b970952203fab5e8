"""The calendar of all events by month, and calendar files of an event, a league or a player."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from aurum_league.common.errors import LeagueError
from games.selectors.matches import find_player
from tournaments.models import Tournament
from tournaments.pages.frame import find_shown
from tournaments.pages.words import name_stage
from tournaments.selectors.calendar import Moment, list_dated, list_moments, list_of_player
from tournaments.selectors.leagues import find_league, list_tournaments
from tournaments.selectors.timetable import MOMENT_LABELS

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
