"""Registering bots: a player of its own, a name nobody else has, and for connected bots a token shown once."""

import hashlib
import secrets

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from aurum_league.common.errors import LeagueError
from bots.contract import CONTRACT
from bots.contract.messages import RULES_VERSION
from bots.models import Bot, BotMode, BotState, BotVersion
from bots.services.house import ensure_house_players
from bots.services.lifecycle import BotStep, next_bot_state
from bots.services.names import check_name, choose_slug
from bots.services.quotas import require_room_for_bot
from games.models import Player, PlayerKind

TOKEN_PREFIX = "aurbot_"


@transaction.atomic
def register_bot(*, owner: User, name: str, mode: BotMode, description: str = "") -> Bot:
    """A new bot with no version yet; a connected one has the one version it will ever have, to be qualified."""
    # Two forms sent at once must not both find room.
    User.objects.select_for_update().get(pk=owner.pk)
    require_room_for_bot(owner)
    name = check_name(name)
    try:
        with transaction.atomic():
            player = Player.objects.create(kind=PlayerKind.BOT, name=name, slug=choose_slug(name), owner=owner)
    except IntegrityError:
        raise LeagueError("name_taken", f"The name {name} is taken.", "Choose another.", 409) from None
    ensure_house_players()
    bot = Bot.objects.create(player=player, mode=mode, description=description.strip()[:300])
    if mode == BotMode.CONNECTED:
        content = hashlib.sha256(f"connected:{bot.pk}".encode()).hexdigest()
        BotVersion.objects.create(bot=bot, number=1, content_hash=content, contract=CONTRACT, rules=RULES_VERSION)
    return bot


@transaction.atomic
def change_bot(*, bot_id: int, owner: User, description: str, allows_scrimmages: bool) -> Bot:
    bot = lock_own_bot(bot_id, owner)
    bot.description = description.strip()[:300]
    bot.allows_scrimmages = allows_scrimmages
    bot.save(update_fields=("description", "allows_scrimmages"))
    return bot


@transaction.atomic
def retire_bot(*, bot_id: int, owner: User) -> Bot:
    """For good: it enters nothing any more. What it has played stays, and its name stays taken."""
    bot = lock_own_bot(bot_id, owner)
    bot.state = next_bot_state(bot.state, BotStep.RETIRE)
    bot.token_digest = None
    bot.save(update_fields=("state", "token_digest"))
    Player.objects.filter(pk=bot.player_id).update(is_active=False)
    return bot


@transaction.atomic
def renew_token(*, bot_id: int, owner: User) -> str:
    """A new token for a connected bot, in clear this once; the old one is void from now on."""
    bot = lock_own_bot(bot_id, owner)
    if bot.mode != BotMode.CONNECTED or bot.state == BotState.RETIRED:
        raise LeagueError("bot_mode", "Only a connected bot that is not retired has a token.", status=409)
    token = TOKEN_PREFIX + secrets.token_urlsafe(32)
    bot.token_digest = digest_token(token)
    bot.save(update_fields=("token_digest",))
    return token


def digest_token(token: str) -> str:
    """Tokens are long and random, so that a plain hash is as safe as a slow one."""
    return hashlib.sha256(token.encode()).hexdigest()


def lock_own_bot(bot_id: int, owner: User) -> Bot:
    """The bot, locked; one of somebody else is as good as none."""
    try:
        return Bot.objects.select_for_update(of=("self",)).select_related("player").get(pk=bot_id, player__owner=owner)
    except Bot.DoesNotExist:
        raise LeagueError("bot_unknown", "You have no such bot.", status=404) from None
