"""Qualifying uploads: a worker with a sandbox takes one that waits, plays the check, and notes the outcome."""

from datetime import datetime

import structlog
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.utils import timezone

from aurum_league.common.errors import LeagueError
from bots.agents.conformance import CheckReport, check_bot
from bots.models import Bot, BotState, BotVersion, VersionState
from bots.selectors.bots import draw_table_names
from bots.services.activation import set_active
from bots.services.code import fetch_code
from bots.services.lifecycle import VersionStep, next_version_state
from bots.services.nudge import nudge_sweep_on_commit
from bots.services.registration import lock_own_bot
from games.play.agents import PlatformFault

CHECK_MINUTES = 10
"""After so long a check is taken for lost with its worker, and begun again."""
_CLAIM = """
    UPDATE bots_botversion SET state = 'checking', check_started_at = now()
    WHERE id = (
        SELECT id FROM bots_botversion
        WHERE upload IS NOT NULL
          AND EXISTS (SELECT FROM bots_bot WHERE bots_bot.id = bot_id AND bots_bot.state <> 'retired')
          AND (state = 'new' OR (state = 'checking' AND check_started_at < now() - make_interval(mins => %s)))
        ORDER BY created_at FOR UPDATE SKIP LOCKED LIMIT 1
    )
    RETURNING id, check_started_at
"""

log = structlog.get_logger()


def qualify_waiting_versions() -> int:
    """Check every version that waits; how many were. Stops at a failure of ours, to be tried again later."""
    checked = 0
    while (claim := _claim_version()) is not None:
        version_id, started = claim
        try:
            report = check_bot(fetch_code(version_id), names=draw_table_names(version_id))
        except PlatformFault as fault:
            log.warning("qualification_postponed", version_id=version_id, reason=str(fault))
            _store(version_id, started, VersionStep.POSTPONE, {})
            break
        _store(version_id, started, _judge(report), report.to_dict())
        checked += 1
    return checked


@transaction.atomic
def ask_again(*, bot_id: int, owner: User, number: int) -> BotVersion:
    """Have a rejected upload checked once more."""
    bot = lock_own_bot(bot_id, owner)
    version = bot.versions.select_for_update().filter(number=number, state=VersionState.REJECTED).first()
    if version is None or version.upload is None:
        raise LeagueError("version_state", "Only an upload that failed its check can be checked again.", status=409)
    version.state = VersionState.NEW
    version.save(update_fields=("state",))
    nudge_sweep_on_commit()
    return version


def _claim_version() -> tuple[int, datetime] | None:
    with connection.cursor() as cursor:
        cursor.execute(_CLAIM, [CHECK_MINUTES])
        return cursor.fetchone()


def _judge(report: CheckReport) -> VersionStep:
    return VersionStep.PASS if report.is_passed else VersionStep.FAIL


@transaction.atomic
def _store(version_id: int, started: datetime, step: VersionStep, report: dict[str, object]) -> None:
    """Only while the claim stands: a check that was taken for lost no longer counts."""
    version = BotVersion.objects.filter(pk=version_id, state=VersionState.CHECKING, check_started_at=started).first()
    if version is None:
        return
    finish_check(version, step, report)


def finish_check(version: BotVersion, step: VersionStep, report: dict[str, object]) -> None:
    """Note how a check ended; the first version of a bot that passes plays for it at once."""
    bot = Bot.objects.select_for_update().get(pk=version.bot_id)
    version.state = next_version_state(version.state, step)
    version.report = report
    version.checked_at = timezone.now() if step != VersionStep.POSTPONE else None
    version.save(update_fields=("state", "report", "checked_at"))
    if version.state == VersionState.QUALIFIED and bot.state == BotState.NEW:
        set_active(bot, version)
