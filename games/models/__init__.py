"""Tables of the games app: players, matches, seats, results, what failed, lobbies, company and notices."""

from games.models.lobby import Lobby, LobbySeat, MeetingTime, TableWord, TurnNotice
from games.models.match import (
    AT_THE_DESK,
    Heartbeat,
    Match,
    MatchKind,
    MatchResult,
    MatchSeat,
    MatchState,
    ResultKind,
    ResultVersion,
    RunnerNeed,
    SeatFailure,
    Sleeper,
)
from games.models.player import Player, PlayerKind

__all__ = [
    "AT_THE_DESK",
    "Heartbeat",
    "Lobby",
    "LobbySeat",
    "Match",
    "MatchKind",
    "MatchResult",
    "MatchSeat",
    "MatchState",
    "MeetingTime",
    "Player",
    "PlayerKind",
    "ResultKind",
    "ResultVersion",
    "RunnerNeed",
    "SeatFailure",
    "Sleeper",
    "TableWord",
    "TurnNotice",
]
