"""Notices: an e-mail to whoever is awaited at a table that gives them hours or days, unless they answer at once."""

from datetime import timedelta

import structlog
from django.conf import settings
from django.core.mail import send_mail
from django.db.models import F
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from games.models import Match, MatchKind, MatchSeat, MatchState, TurnNotice
from games.selectors.sitters import GUEST_AGENT

QUIET = timedelta(minutes=2)
"""Whoever sits at the table answers within this; only those who do not are written to."""

SLOW = timedelta(hours=1)
MOST_NOTICES = 100
TOLD_KINDS = (MatchKind.TOURNAMENT, MatchKind.CASUAL)

log = structlog.get_logger()


def send_turn_notices() -> int:
    """Write to everybody who is awaited and has not been told; running twice sends nothing twice."""
    now = timezone.now()
    waiting = Match.objects.filter(
        state=MatchState.WAITING,
        kind__in=TOLD_KINDS,
        awaited_since__lt=now - QUIET,
        deadline__gt=F("awaited_since") + SLOW,
    ).exclude(notices__awaited_since=F("awaited_since"))
    return sum(_tell_awaited(match) for match in waiting.defer("seed", "log").order_by("deadline")[:MOST_NOTICES])


def _tell_awaited(match: Match) -> int:
    assert match.awaited_since is not None
    seats = MatchSeat.objects.filter(match=match, seat__in=match.awaited, agent__startswith="person:")
    sent = 0
    for seat in seats.exclude(agent=GUEST_AGENT).select_related("owner"):
        _, is_new = TurnNotice.objects.get_or_create(match=match, seat=seat.seat, awaited_since=match.awaited_since)
        if is_new and seat.owner is not None and seat.owner.email:
            sent += _write(match, seat.owner.email)
    return sent


def _write(match: Match, address: str) -> int:
    """A mail that cannot be sent is noted, and the page still says whose turn it is."""
    table = settings.SITE_URL.rstrip("/") + reverse("play_table", args=[match.pk])
    deadline = date_format(match.deadline, "DATETIME_FORMAT") if match.deadline else ""
    words = {"table": table, "deadline": deadline}
    text = gettext(
        "A table waits for your decision:\n%(table)s\n\nPlease decide before %(deadline)s (UTC). After that the house"
        " plays on for you and the match counts as a forfeit."
    )
    try:
        return send_mail(gettext("Aurum League: it is your turn"), text % words, None, [address])
    except OSError as error:
        log.warning("notice_not_sent", match_id=match.pk, error=type(error).__name__)
        return 0
