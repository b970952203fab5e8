"""Activating: which qualified version plays for a bot from now on."""

from django.contrib.auth.models import User
from django.db import transaction

from aurum_league.common.errors import LeagueError
from bots.models import Bot, BotVersion, VersionState
from bots.services.lifecycle import BotStep, next_bot_state
from bots.services.registration import lock_own_bot


@transaction.atomic
def activate_version(*, bot_id: int, owner: User, number: int) -> Bot:
    """Also how a paused bot comes back. Matches that were created before keep the version they were given."""
    bot = lock_own_bot(bot_id, owner)
    version = bot.versions.filter(number=number).first()
    if version is None:
        raise LeagueError("version_unknown", f"There is no version {number} of {bot}.", status=404)
    set_active(bot, version)
    return bot


def set_active(bot: Bot, version: BotVersion) -> None:
    """The caller holds the bot's lock."""
    if version.state != VersionState.QUALIFIED:
        raise LeagueError("not_qualified", f"Version {version.number} has not passed the check.", status=409)
    bot.state = next_bot_state(bot.state, BotStep.ACTIVATE)
    bot.active_version = version
    bot.failures = 0
    bot.paused_at = bot.author_told_at = None
    bot.save(update_fields=("state", "active_version", "failures", "paused_at", "author_told_at"))
