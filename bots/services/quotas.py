"""Quotas: how much of the league one author may take up."""

from datetime import timedelta

from django.contrib.auth.models import User
from django.db.models import Sum
from django.utils import timezone

from aurum_league.common.errors import LeagueError
from bots.models import Bot, BotState, BotVersion, Scrimmage
from bots.runners.limits import MEGABYTE

BOTS_A_USER = 10
VERSIONS_A_DAY = 20
BYTES_A_USER = 64 * MEGABYTE
SCRIMMAGES_A_DAY = 200
DAY = timedelta(days=1)


def require_room_for_bot(owner: User) -> None:
    count = Bot.objects.filter(player__owner=owner).exclude(state=BotState.RETIRED).count()
    if count >= BOTS_A_USER:
        raise _exceeded(f"You have {count} bots, and {BOTS_A_USER} is the most.", "Retire one first.")


def require_room_for_version(owner: User, size: int) -> None:
    versions = BotVersion.objects.filter(bot__player__owner=owner)
    if versions.filter(created_at__gt=timezone.now() - DAY).count() >= VERSIONS_A_DAY:
        raise _exceeded(f"You have added {VERSIONS_A_DAY} versions in 24 hours.", "Go on tomorrow.")
    stored = versions.aggregate(total=Sum("size"))["total"] or 0
    if stored + size > BYTES_A_USER:
        raise _exceeded(f"Your versions would take more than {BYTES_A_USER // MEGABYTE} MB.", "Make it smaller.")


def count_scrimmages_left(owner: User) -> int:
    """How many scrimmage matches this author may still ask for in these 24 hours."""
    asked = Scrimmage.objects.filter(asked_by=owner, asked_at__gt=timezone.now() - DAY).count()
    return max(0, SCRIMMAGES_A_DAY - asked)


def _exceeded(message: str, fix: str) -> LeagueError:
    return LeagueError("quota_exceeded", message, fix, 429)
