"""Clocks of waiting matches: flag those who are late, and give back the time that the service itself was down."""

from datetime import timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from games.models import Heartbeat, Match, MatchState
from games.services.answer import flag_late_seats
from games.services.windows import extend_windows

OUTAGE = timedelta(seconds=20)
MOST_FLAGS = 200


@transaction.atomic
def beat() -> timedelta:
    """Note that the service is alive; how long it was down before, if it was, which all clocks are given back."""
    now = timezone.now()
    row, is_first = Heartbeat.objects.select_for_update().get_or_create(pk=1, defaults={"beat_at": now})
    gap = now - row.beat_at
    Heartbeat.objects.filter(pk=1).update(beat_at=now)
    if is_first or gap < OUTAGE:
        return timedelta(0)
    Match.objects.filter(state=MatchState.WAITING).update(
        awaited_since=F("awaited_since") + gap, deadline=F("deadline") + gap
    )
    extend_windows(gap)
    return gap


def flag_late_matches() -> int:
    """Flag every seat whose time is up; in how many matches."""
    late = Match.objects.filter(state=MatchState.WAITING, deadline__lt=timezone.now()).order_by("deadline")
    return sum(flag_late_seats(match_id=match_id) for match_id in late.values_list("pk", flat=True)[:MOST_FLAGS])
