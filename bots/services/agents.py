"""Agents of bots: what plays for a bot now, whether it may enter, and how an uploaded version takes its seat."""

from aurum_league.common.errors import LeagueError
from bots.agents.sandboxed import SandboxedAgent
from bots.models import Bot, BotMode, BotState, BotVersion
from bots.services.code import fetch_code
from bots.services.usage import note_usage
from games.models import Player
from games.play.agents import Agent, PlatformFault, SeatOrder


class VersionAgent(SandboxedAgent):
    """A stored version at its seat; what it used is noted when it leaves."""

    def __init__(self, order: SeatOrder, version_id: int) -> None:
        self.version_id = version_id
        super().__init__(order, fetch_code(version_id))

    def close(self) -> None:
        super().close()
        note_usage(match_id=self.order.match, seat=self.order.seat, version_id=self.version_id, cpu=self.cpu)


def open_version(order: SeatOrder) -> Agent:
    version_id = int(order.agent.partition(":")[2])
    try:
        return VersionAgent(order, version_id)
    except BotVersion.DoesNotExist:
        raise PlatformFault(f"There is no uploaded version {version_id}.") from None


def name_agent(player: Player) -> str:
    """The agent of a bot, pinned to its active version; a paused bot plays on what it has entered."""
    bot = Bot.objects.filter(player=player, active_version__isnull=False).first()
    if bot is None:
        raise LeagueError("no_agent", f"{player.name} has no active version.", "Qualify and activate one.", 409)
    return f"connected:{bot.pk}" if bot.mode == BotMode.CONNECTED else f"version:{bot.active_version_id}"


def may_enter(player: Player, is_rated: bool) -> bool:
    """Rated or not, only a bot whose active version is qualified; activating asks for that."""
    return Bot.objects.filter(player=player, state=BotState.ACTIVE).exists()
