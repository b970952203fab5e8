"""Words to others: nudges to workers that there may be work, and notices to whoever is awaited at a table."""

from datetime import datetime, timedelta

import structlog
from celery import current_app
from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import F, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext
from kombu import Producer
from kombu.exceptions import ChannelError, OperationalError

from aurum_league.common.breaker import NO_ANSWER, breaker
from aurum_league.common.broker import send_nudge
from games.models import Match, MatchKind, MatchSeat, MatchState, RunnerNeed, TurnNotice
from games.play.agents import GUEST, AgentKind

MATCHES_A_NUDGE = 100
MOST_NUDGES = 16
PLAY_QUEUE = "play"
LIVE_QUEUE = "live"
PATIENT_QUEUE = "patient"
TASK = "games.play_ready_matches"

log = structlog.get_logger()


def nudge_on_commit(matches: int, *, is_live: bool = False, needs: RunnerNeed = RunnerNeed.HOUSE) -> None:
    """Wake as many workers as these matches can keep busy, once the transaction has committed."""
    if matches:
        transaction.on_commit(lambda: nudge_workers(matches, is_live=is_live, needs=needs))


def nudge_workers(matches: int, *, is_live: bool = False, needs: RunnerNeed = RunnerNeed.HOUSE) -> None:
    """Wake workers now, as far as nobody else has yet. A broker that does not answer is noted and left to the sweep."""
    is_patient = needs == RunnerNeed.PATIENCE
    queue = PATIENT_QUEUE if is_patient else LIVE_QUEUE if is_live else PLAY_QUEUE
    kwargs = {"is_patient": True} if is_patient else {"is_live": is_live}
    count = min(MOST_NUDGES, -(-matches // MATCHES_A_NUDGE))
    try:
        with breaker.guarding(OperationalError), current_app.producer_or_acquire() as producer:
            for _ in range(count - _count_waiting(producer, queue)):
                if not send_nudge(TASK, kwargs=kwargs, queue=queue, producer=producer):
                    return
    except (OperationalError, *NO_ANSWER) as error:
        log.warning("nudge_failed", task=TASK, error=type(error).__name__)


def _count_waiting(producer: Producer, queue: str) -> int:
    try:
        return int(producer.channel.queue_declare(queue, passive=True).message_count)
    except ChannelError:
        return 0


QUIET = timedelta(minutes=2)
"""Whoever sits at the table answers within this; only those who do not are written to."""

SLOW = timedelta(hours=1)
MOST_NOTICES = 100
TOLD_KINDS = (MatchKind.TOURNAMENT, MatchKind.CASUAL)


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


def send_window_notices() -> int:
    """Write to everybody whose match has a window to meet in and who has not been told; nothing is sent twice."""
    meeting = Match.objects.filter(state=MatchState.OPEN, opens_at__lt=timezone.now()).exclude(
        notices__awaited_since=F("opens_at")
    )
    return sum(_tell_window(match) for match in meeting.defer("seed", "log").order_by("closes_at")[:MOST_NOTICES])


def _tell_awaited(match: Match) -> int:
    assert match.awaited_since is not None
    text = gettext(
        "A table waits for your decision:\n%(table)s\n\nPlease decide before %(time)s (UTC). After that the house"
        " plays on for you and the match counts as a forfeit."
    )
    subject = gettext("Aurum League: it is your turn")
    seats = MatchSeat.objects.filter(match=match, seat__in=match.awaited)
    return _tell(match, seats, match.awaited_since, subject, _fill(text, match, match.deadline))


def _tell_window(match: Match) -> int:
    assert match.opens_at is not None
    text = gettext(
        "Your match can be played now:\n%(table)s\n\nThe cards are dealt as soon as everybody is at the table. Who has"
        " not come before %(time)s (UTC) forfeits, and the house plays for them. Agree with the others on a time."
    )
    subject = gettext("Aurum League: your match can be played")
    return _tell(match, match.seats.all(), match.opens_at, subject, _fill(text, match, match.closes_at))


def _fill(text: str, match: Match, time: datetime | None) -> str:
    table = settings.SITE_URL.rstrip("/") + reverse("play_table", args=[match.pk])
    return text % {"table": table, "time": date_format(time, "DATETIME_FORMAT") if time else ""}


def _tell(match: Match, seats: QuerySet[MatchSeat], since: datetime, subject: str, text: str) -> int:
    """Write to the people in these seats, each once for what happened at `since`; how many mails went out."""
    sent = 0
    people = seats.filter(agent__startswith=AgentKind.PERSON.prefix).exclude(agent=GUEST)
    for seat in people.select_related("owner"):
        _, is_new = TurnNotice.objects.get_or_create(match=match, seat=seat.seat, awaited_since=since)
        if is_new and seat.owner is not None and seat.owner.email:
            sent += _write(match, seat.owner.email, subject, text)
    return sent


def _write(match: Match, address: str, subject: str, text: str) -> int:
    """A mail that cannot be sent is noted, and the page still says whose turn it is."""
    try:
        return send_mail(subject, text, None, [address])
    except OSError as error:
        log.warning("notice_not_sent", match_id=match.pk, error=type(error).__name__)
        return 0
