"""Time at tables: windows to meet in, clocks that run out, and the sweep that repairs what was lost."""

from datetime import timedelta
from typing import Protocol

import structlog
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Greatest
from django.utils import timezone
from structlog.contextvars import bound_contextvars

from games.models import Heartbeat, Match, MatchSeat, MatchState, RunnerNeed, SeatFailure
from games.play.agents import AgentKind
from games.play.table import STRIKES
from games.selectors.tables import HERE
from games.services.answer import flag_late_seats, start_at_once
from games.services.create import REAL_CARDS
from games.services.lease import LIVE_PRIORITY, free_stale_leases
from games.services.notices import MATCHES_A_NUDGE, nudge_on_commit, nudge_workers
from games.signals import match_moved

BY_DAYS: dict[str, float] = {"each": 86_400.0}
"""Where somebody never came, the others need not sit there at the minute: a day for each decision."""

LEAST_LEFT = timedelta(days=1)
MOST_AT_ONCE = 200

log = structlog.get_logger()


class LateDeed(Protocol):
    def __call__(self, *, match_id: int) -> bool: ...


def _move_each(deed: LateDeed, late: QuerySet[Match]) -> int:
    """For how many it did something. A match that cannot be moved stands in the log and keeps nobody else waiting."""
    moved = 0
    for match_id in late.values_list("pk", flat=True)[:MOST_AT_ONCE]:
        with bound_contextvars(match_id=match_id):
            try:
                moved += deed(match_id=match_id)
            except (OperationalError, InterfaceError):
                raise
            except Exception:
                log.exception("late_match_stuck")
    return moved


@transaction.atomic
def sit_at_table(*, match_id: int, seat: int) -> None:
    """Somebody is at their table now; the cards are dealt as soon as all its people are. Nothing where they were."""
    match = Match.objects.select_for_update(no_key=True).get(pk=match_id)
    if match.state != MatchState.OPEN or match.closes_at is None:
        return
    now = timezone.now()
    here = set(_people(match).filter(seen_at__gt=now - HERE).values_list("seat", flat=True))
    match.seats.filter(seat=seat).update(seen_at=now)
    if _people(match).exclude(seat__in={*here, seat}).exists():
        if seat not in here:
            _tell(match)
        return
    _start(match)


def close_windows() -> int:
    """Start every match whose window is over: who never came forfeits, and the fallback plays for them; how many."""
    late = Match.objects.filter(state=MatchState.OPEN, closes_at__lt=timezone.now()).order_by("closes_at")
    return _move_each(close_window, late)


@transaction.atomic
def close_window(*, match_id: int) -> bool:
    """Start one match whose window is over; False where it has started or has time left."""
    match = Match.objects.select_for_update(no_key=True).get(pk=match_id)
    if match.state != MatchState.OPEN or match.closes_at is None or match.closes_at > timezone.now():
        return False
    absent = list(_people(match).filter(seen_at=None).values_list("seat", flat=True))
    SeatFailure.objects.bulk_create(
        [
            SeatFailure(match=match, seat=seat, step=0, verdict="no_show", detail="did not come to the table")
            for seat in absent
        ]
    )
    gone = tuple(map(str, absent))
    match.clocks = {**match.clocks, "strikes": dict.fromkeys(gone, STRIKES), "early": dict.fromkeys(gone, 1)}
    match.clock = BY_DAYS
    match.save(update_fields=("clocks", "clock"))
    _start(match)
    return True


def extend_windows(gap: timedelta) -> None:
    """Give back the time in which nobody could come because the service was down."""
    Match.objects.filter(state=MatchState.OPEN, closes_at__isnull=False).update(closes_at=F("closes_at") + gap)


def reopen_windows(matches: QuerySet[Match]) -> int:
    """Let the people of held matches meet again, with a day at least to do so; how many matches wait for them."""
    held = matches.filter(state=MatchState.HELD)
    elsewhere = held.filter(closes_at=None, clock__has_key=REAL_CARDS).update(state=MatchState.OPEN)
    least = timezone.now() + LEAST_LEFT
    meeting = held.filter(closes_at__isnull=False)
    return elsewhere + meeting.update(state=MatchState.OPEN, closes_at=Greatest(F("closes_at"), least))


def _people(match: Match) -> QuerySet[MatchSeat]:
    return MatchSeat.objects.filter(match=match, agent__startswith=AgentKind.PERSON.prefix)


def _start(match: Match) -> None:
    match.state, match.closes_at = MatchState.READY, None
    match.save(update_fields=("state", "closes_at"))
    nudge_on_commit(1, is_live=True)
    start_at_once(match_id=match.pk)
    _tell(match)


def _tell(match: Match) -> None:
    transaction.on_commit(lambda: match_moved.send(sender=None, match_id=match.pk, agents=(), version=0))


OUTAGE = timedelta(seconds=20)


@transaction.atomic
def beat() -> timedelta:
    """Note that the service is alive; how long it was down before, if it was, which all clocks are given back."""
    now = timezone.now()
    row, is_first = Heartbeat.objects.select_for_update().get_or_create(pk=1, defaults={"beat_at": now})
    gap = now - row.beat_at
    Heartbeat.objects.filter(pk=1).update(beat_at=now)
    if is_first or gap < OUTAGE:
        return timedelta(0)
    Match.objects.filter(state=MatchState.WAITING, deadline__isnull=False).update(
        awaited_since=F("awaited_since") + gap, deadline=F("deadline") + gap
    )
    extend_windows(gap)
    return gap


def flag_late_matches() -> int:
    """Flag every seat whose time is up; in how many matches."""
    late = Match.objects.filter(state=MatchState.WAITING, deadline__lt=timezone.now()).order_by("deadline")
    return _move_each(flag_late_seats, late)


def sweep_matches() -> int:
    """Free stale leases, flag late seats, close windows, wake workers for what is ready; how many leases were stale."""
    beat()
    flag_late_matches()
    close_windows()
    stale = free_stale_leases()
    ready = Match.objects.filter(lane__in=RunnerNeed.values, state=MatchState.READY)
    count = ready.exclude(lane=RunnerNeed.PATIENCE).order_by()[:2000].count()
    if count:
        nudge_workers(count)
    if ready.filter(priority__gte=LIVE_PRIORITY).exists():
        nudge_workers(1, is_live=True)
    if patient := ready.filter(lane=RunnerNeed.PATIENCE).order_by()[:2000].count():
        nudge_workers(patient * MATCHES_A_NUDGE, needs=RunnerNeed.PATIENCE)
    return stale
