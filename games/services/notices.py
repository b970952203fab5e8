"""Words to others: nudges to workers that there may be work, and notices to whoever is awaited at a table."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.urls import reverse
from django.utils import timezone

from aurum_league.common.broker import send_nudges
from aurum_league.common.errors import N_
from aurum_league.common.telling import tell
from games.models import Match, MatchKind, MatchSeat, MatchState, RunnerNeed, TurnNotice
from games.play.agents import GUEST, AgentKind

MATCHES_A_NUDGE = 100
MOST_NUDGES = 16
PLAY_QUEUE = "play"
LIVE_QUEUE = "live"
PATIENT_QUEUE = "patient"
TASK = "games.play_ready_matches"


def nudge_on_commit(matches: int, *, is_live: bool = False, needs: RunnerNeed = RunnerNeed.HOUSE) -> None:
    """Wake as many workers as these matches can keep busy, once the transaction has committed."""
    if matches:
        transaction.on_commit(lambda: nudge_workers(matches, is_live=is_live, needs=needs))


def nudge_workers(matches: int, *, is_live: bool = False, needs: RunnerNeed = RunnerNeed.HOUSE) -> None:
    """Wake workers now, as far as nobody else has yet."""
    is_patient = needs == RunnerNeed.PATIENCE
    queue = PATIENT_QUEUE if is_patient else LIVE_QUEUE if is_live else PLAY_QUEUE
    kwargs = {"is_patient": True} if is_patient else {"is_live": is_live}
    send_nudges(TASK, wanted=min(MOST_NUDGES, -(-matches // MATCHES_A_NUDGE)), queue=queue, kwargs=kwargs)


QUIET = timedelta(minutes=2)
"""Whoever sits at the table answers within this; only those who do not are written to."""

SLOW = timedelta(hours=1)
MOST_NOTICES = 100
TOLD_KINDS = (MatchKind.TOURNAMENT, MatchKind.CASUAL)


@transaction.atomic
def send_turn_notices() -> int:
    """Tell everybody who is awaited and has not been told; running twice tells nothing twice. How many were told."""
    now = timezone.now()
    waiting = Match.objects.filter(
        state=MatchState.WAITING,
        kind__in=TOLD_KINDS,
        awaited_since__lt=now - QUIET,
        deadline__gt=F("awaited_since") + SLOW,
    ).exclude(notices__awaited_since=F("awaited_since"))
    return sum(_tell_awaited(match) for match in waiting.defer("seed", "log").order_by("deadline")[:MOST_NOTICES])


@transaction.atomic
def send_window_notices() -> int:
    """Tell everybody whose match has a window to meet in and who has not been told; nothing is told twice."""
    meeting = Match.objects.filter(state=MatchState.OPEN, closes_at__isnull=False, opens_at__lt=timezone.now()).exclude(
        notices__awaited_since=F("opens_at")
    )
    return sum(_tell_window(match) for match in meeting.defer("seed", "log").order_by("closes_at")[:MOST_NOTICES])


def _tell_awaited(match: Match) -> int:
    assert match.awaited_since is not None
    people = _list_people(match, match.awaited_since, match.awaited)
    tell(
        people,
        kind="turn",
        subject=N_("It is your turn"),
        text=N_(
            "A table waits for your decision. Please decide before %(time)s (UTC). After that the house plays on for"
            " you and the match counts as a forfeit."
        ),
        url=reverse("play_table", args=[match.pk]),
        time=_say_time(match.deadline),
    )
    return len(people)


def _tell_window(match: Match) -> int:
    assert match.opens_at is not None
    people = _list_people(match, match.opens_at, range(match.players))
    tell(
        people,
        kind="window",
        subject=N_("Your match can be played"),
        text=N_(
            "The cards are dealt as soon as everybody is at the table. Who has not come before %(time)s (UTC) forfeits,"
            " and the house plays for them. Agree with the others on a time."
        ),
        url=reverse("play_table", args=[match.pk]),
        time=_say_time(match.closes_at),
    )
    return len(people)


def _say_time(time: datetime | None) -> str:
    """In digits, which every language reads."""
    return f"{time:%Y-%m-%d %H:%M}" if time else ""


def _list_people(match: Match, since: datetime, numbers: Iterable[int]) -> list[User]:
    """The people in these seats who have not been told of what happened at `since`, and from now on have."""
    seats = MatchSeat.objects.filter(match=match, seat__in=list(numbers), owner__isnull=False)
    people = seats.filter(agent__startswith=AgentKind.PERSON.prefix).exclude(agent=GUEST).select_related("owner")
    told = [
        seat.owner
        for seat in people
        if TurnNotice.objects.get_or_create(match=match, seat=seat.seat, awaited_since=since)[1]
    ]
    return [user for user in told if user is not None]
