"""Which agent plays for a player, and whether a player may enter a competition: answered by the app that knows bots."""

from collections.abc import Callable
from dataclasses import dataclass

from aurum_league.common.errors import LeagueError
from games.models import Player, PlayerKind

HOUSE_SLUG = "house-"
"""A house player's slug is this and its brain's name; a second one of the same brain is called `house-greedy_2`."""


@dataclass(frozen=True, slots=True)
class BotRules:
    """`agent_of` names the agent that plays for a bot now; `can_enter` says whether it may, in a rated event or not."""

    agent_of: Callable[[Player], str]
    can_enter: Callable[[Player, bool], bool]


_bot_rules: list[BotRules] = []


def register_bots(rules: BotRules) -> None:
    """Say how bots are played; the app that stores them calls it when Django starts."""
    _bot_rules[:] = [rules]


def agent_of(player: Player) -> str:
    """The agent of a player as it stands now; whoever creates a match pins it."""
    if player.kind == PlayerKind.HOUSE:
        return f"house:{player.slug.removeprefix(HOUSE_SLUG).partition('_')[0]}"
    if player.kind == PlayerKind.PERSON:
        return f"person:{player.pk}"
    if player.kind == PlayerKind.BOT and _bot_rules:
        return _bot_rules[0].agent_of(player)
    raise LeagueError("no_agent", f"Nothing can play for {player.name} now.", "Give it a version that is qualified.")


def can_enter(player: Player, *, is_rated: bool) -> bool:
    if player.kind == PlayerKind.BOT and _bot_rules:
        return _bot_rules[0].can_enter(player, is_rated)
    return player.is_active
