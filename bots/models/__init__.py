"""Tables of the bots app: bots, their versions, what they used, and what a connected bot is told."""

from bots.models.bot import Bot, BotMode, BotState
from bots.models.message import BotMessage
from bots.models.scrimmage import Scrimmage
from bots.models.usage import SeatUsage
from bots.models.version import BotVersion, VersionState

__all__ = [
    "Bot",
    "BotMessage",
    "BotMode",
    "BotState",
    "BotVersion",
    "Scrimmage",
    "SeatUsage",
    "VersionState",
]
