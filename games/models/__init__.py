"""Tables of the games app: players, matches, seats, results, what failed, and lobbies."""

from games.models.failure import SeatFailure
from games.models.heartbeat import Heartbeat
from games.models.lobby import Lobby, LobbySeat
from games.models.match import Match, MatchKind, MatchState, RunnerNeed
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
]
