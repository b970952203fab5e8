"""Company at a table, for its page: what is said, who is here, and a time to meet with its file for a calendar."""

import hashlib
from datetime import UTC, datetime, timedelta

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from aurum_league.common.errors import N_, LeagueError
from games.pages.matches import require_match
from games.pages.play import read_sitter, require_seat
from games.pages.words import answer_refusal
from games.play.table_state import to_json
from games.selectors.company import SEAT, WATCHER, find_meeting, read_company
from games.selectors.sitters import find_own_seat
from games.services.company import PHRASES, accept_meeting, propose_meeting, say_phrase, say_text

MATCH_HOURS = 1


@require_safe
@never_cache
def show_company(request: HttpRequest, match_id: int) -> JsonResponse:
    """What was said after word `since`, who is here and how many watch; whoever asks counts as here."""
    match = require_match(request, match_id)
    own = find_own_seat(match.pk, read_sitter(request))
    who = f"{SEAT}{own.seat}" if own else f"{WATCHER}{_recognise(request)}"
    since = request.GET.get("since", "")
    number = int(since) if since.isascii() and since.isdigit() and len(since) < 18 else 0
    company = to_json(read_company(match.pk, who=who, since=number))
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
