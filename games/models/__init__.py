"""Tables of the games app: players, matches, seats, results, what failed, lobbies and notices."""

from games.models.failure import SeatFailure
from games.models.heartbeat import Heartbeat
from games.models.lobby import Lobby, LobbySeat
from games.models.match import Match, MatchKind, MatchState, RunnerNeed
from games.models.notice import TurnNotice
from games.models.player import Player, PlayerKind
from games.models.result import MatchResult
from games.models.seat import MatchSeat

__all__ = [
    "Heartbeat",
    "Lobby",
    "LobbySeat",
    "Match",
    "MatchKind",
    "MatchResult",
    "MatchSeat",
    "MatchState",
    "Player",
    "PlayerKind",
    "RunnerNeed",
    "SeatFailure",
    "TurnNotice",
]
