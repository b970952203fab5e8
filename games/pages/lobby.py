"""People at a table: the lobby before the deal, what is said, who is here, and a time to meet with a calendar file."""

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple

import qrcode
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from aurum_league.common.cache import cache_value, find_cached
from aurum_league.common.errors import N_, LeagueError
from games.models import Lobby
from games.pages.matches import require_match
from games.pages.play import ensure_sitter, read_sitter, require_seat
from games.pages.words import answer_refusal, describe_ruleset, say_refusal
from games.play.table_state import to_json
from games.rules.ruleset import Ruleset
from games.selectors.sitters import SEAT, WATCHER, find_lobby, find_meeting, find_own_seat, read_company
from games.services.company import PHRASES, accept_meeting, propose_meeting, say_phrase, say_text
from games.services.lobby import STRENGTHS, leave_seat, start_lobby, take_seat

LOOK_SECONDS = 8
"""An open page asks every two seconds; one that was not heard of for so long has gone."""

MOST_LOOKING = 50
PLACES = {3: ("bottom", "left", "right"), 4: ("bottom", "left", "top", "right")}


@require_safe
@never_cache
def show_lobby(request: HttpRequest, invitation: str) -> HttpResponse:
    """Who sits where; once the cards are dealt, the table (or, for those who did not sit down, the match)."""
    lobby = _require_lobby(invitation)
    if lobby.match_id is not None:
        return redirect("play_table", lobby.match_id)
    described = _describe(request, lobby)
    code = draw_qr(described["address"])
    return render(request, "play/lobby.html", {**described, "qr": code})


@require_safe
@never_cache
def show_seats(request: HttpRequest, invitation: str) -> HttpResponse:
    """The seats alone, for the page that asks again every few seconds; a call to move on once the cards are dealt.

    Nothing where they are as the page shows them: drawn anew they would take away a tick, or a button under a finger.
    """
    lobby = _require_lobby(invitation)
    if lobby.match_id is not None:
        return HttpResponse(headers={"HX-Refresh": "true"})
    described = _describe(request, lobby)
    if request.GET.get("seen") == described["seen"]:
        return HttpResponse(status=204)
    return render(request, "play/lobby_seats.html", described)


@require_POST
def change_lobby(request: HttpRequest, invitation: str) -> HttpResponse:
    """Sit down, get up, or deal."""
    sitter = ensure_sitter(request)
    wanted = request.POST.get("do", "")
    try:
        if wanted == "start":
            fills = request.POST.get("fills_with_bots") == "on"
            return redirect("play_table", start_lobby(invitation=invitation, sitter=sitter, fills_with_bots=fills))
        if wanted == "leave":
            leave_seat(invitation=invitation, sitter=sitter)
        elif wanted.isascii() and wanted.isdigit():
            agrees = request.POST.get("agrees") == "on"
            given = request.POST.get("contribution", "")[:100]
            take_seat(invitation=invitation, sitter=sitter, seat=int(wanted[:2]), agrees=agrees, contribution=given)
    except LeagueError as error:
        messages.error(request, say_refusal(error))
    return redirect("lobby", invitation)


def _require_lobby(invitation: str) -> Lobby:
    lobby = find_lobby(invitation)
    if lobby is None:
        raise Http404(gettext("There is no table with this invitation."))
    return lobby


def _describe(request: HttpRequest, lobby: Lobby) -> dict[str, Any]:
    sitter = read_sitter(request)
    looking = count_looking(lobby, _recognise(request))
    taken = {seat.seat: seat for seat in lobby.seats.all()}
    own = next(
        (
            seat
            for seat in taken.values()
            if (seat.user_id is not None and seat.user_id == sitter.user_id)
            or (seat.guest is not None and seat.guest == sitter.guest)
        ),
        None,
    )
    return {
        "lobby": lobby,
        "ruleset_name": describe_ruleset(Ruleset.from_code(lobby.ruleset)),
        "strength": STRENGTHS[lobby.strength],
        "seats": [(number, where, taken.get(number)) for number, where in enumerate(PLACES[lobby.players])],
        "own": own,
        "looking": looking,
        "seen": " ".join([str(looking), *(f"{seat.seat}:{seat.pk}:{seat.is_host:d}" for seat in taken.values())]),
        "free": lobby.players - len(taken),
        "address": request.build_absolute_uri(request.path.removesuffix("seats/")),
    }


MATCH_HOURS = 1


@require_safe
@never_cache
def show_company(request: HttpRequest, match_id: int) -> JsonResponse:
    """What was said after word `since`, who is here and how many watch; whoever asks counts as here."""
    own = find_own_seat(match_id, read_sitter(request))
    if own is None:
        require_match(request, match_id)
    who = f"{SEAT}{own.seat}" if own else f"{WATCHER}{_recognise(request)}"
    since = request.GET.get("since", "")
    number = int(since) if since.isascii() and since.isdigit() and len(since) < 18 else 0
    company = to_json(read_company(match_id, who=who, since=number))
    for word in company["words"]:
        word["text"] = word["text"] or gettext(PHRASES.get(word["phrase"], ""))
    return JsonResponse(company)


def _recognise(request: HttpRequest) -> str:
    """One watcher a browser and address, so that nobody is many by asking often; nothing of it can be read back."""
    about = f"{request.META.get('REMOTE_ADDR', '')} {request.headers.get('User-Agent', '')}"
    return hashlib.sha256(about.encode()).hexdigest()[:12]


@require_POST
def say(request: HttpRequest, match_id: int) -> JsonResponse:
    """Say a `phrase`, or among friends a `text`."""
    try:
        own = require_seat(request, match_id)
        if text := request.POST.get("text"):
            word = say_text(match_id=match_id, seat=own.seat, text=text[:1000])
        else:
            word = say_phrase(match_id=match_id, seat=own.seat, phrase=request.POST.get("phrase", "")[:20])
        return JsonResponse({"word": word.pk})
    except LeagueError as error:
        return answer_refusal(error)


@require_POST
def change_meeting(request: HttpRequest, match_id: int) -> JsonResponse:
    """Propose `starts_at`, or agree to it (`accept`)."""
    try:
        own = require_seat(request, match_id)
        change = accept_meeting if request.POST.get("accept") else propose_meeting
        change(match_id=match_id, seat=own.seat, starts_at=_read_time(request.POST.get("starts_at", "")))
        return JsonResponse(to_json(find_meeting(match_id)))
    except LeagueError as error:
        return answer_refusal(error)


def _read_time(text: str) -> datetime:
    try:
        time = parse_datetime(text[:40])
    except ValueError:
        time = None
    if time is None or timezone.is_naive(time):
        raise LeagueError(
            "time_unreadable", N_("This is no time."), N_("Send it as 2026-11-20T18:00:00Z."), status=422
        )  # fmt: skip
    return time


@require_safe
@never_cache
def download_meeting(request: HttpRequest, match_id: int) -> HttpResponse:
    """The agreed time as a file for a calendar, for whoever sits at the table."""
    meeting = find_meeting(match_id)
    if find_own_seat(match_id, read_sitter(request)) is None or meeting is None:
        raise Http404(gettext("No time is agreed for this match."))
    address = request.build_absolute_uri(reverse("play_table", args=[match_id]))
    lines = (
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Aurum League//EN",
        "BEGIN:VEVENT",
        f"UID:match-{match_id}@{request.get_host()}",
        f"DTSTAMP:{_stamp(timezone.now())}",
        f"DTSTART:{_stamp(meeting.starts_at)}",
        f"DTEND:{_stamp(meeting.starts_at + timedelta(hours=MATCH_HOURS))}",
        "STATUS:" + ("CONFIRMED" if meeting.is_agreed else "TENTATIVE"),
        "SUMMARY:" + gettext("Match %(number)s at Aurum League") % {"number": match_id},
        f"URL:{address}",
        "END:VEVENT",
        "END:VCALENDAR",
        "",
    )
    headers = {"Content-Disposition": f'attachment; filename="aurum-{match_id}.ics"'}
    return HttpResponse("\r\n".join(lines), content_type="text/calendar; charset=utf-8", headers=headers)


def _stamp(time: datetime) -> str:
    return f"{time.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def count_looking(lobby: Lobby, watcher: str) -> int:
    """How many look at this lobby now, this one included; a guess where two ask at the same moment."""
    key, now = f"looking:{lobby.pk}", timezone.now().timestamp()
    known: dict[str, float] = find_cached(key) or {}
    recent = {other: at for other, at in known.items() if now - at < LOOK_SECONDS}
    recent = dict(list({**recent, watcher: now}.items())[-MOST_LOOKING:])
    cache_value(key, recent, LOOK_SECONDS)
    return len(recent)


class QrCode(NamedTuple):
    """Dark modules as one path in a square of so many."""

    size: int
    path: str


@lru_cache(1024)
def draw_qr(text: str) -> QrCode:
    """Of the eight masks any will do, and weighing them takes most of the time."""
    code = qrcode.QRCode(border=1, mask_pattern=0)
    code.add_data(text, optimize=0)
    rows = code.get_matrix()
    return QrCode(len(rows), "".join(f"M{x} {y}h{width}v1h-{width}z" for y, x, width in _list_runs(rows)))


def _list_runs(rows: list[list[bool]]) -> Iterator[tuple[int, int, int]]:
    """Dark squares side by side as one: row, first column, how many."""
    for y, row in enumerate(rows):
        x = 0
        for is_dark, run in groupby(row):
            width = len(list(run))
            if is_dark:
                yield y, x, width
            x += width
