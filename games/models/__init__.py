"""Tables of the games app: players, matches, seats, results, what failed, lobbies, company and notices."""

from games.models.lobby import Lobby, LobbySeat, MeetingTime, TableWord, TurnNotice
from games.models.match import (
    AT_THE_DESK,
    Heartbeat,
    Match,
    MatchKind,
    MatchSeat,
    MatchState,
    RunnerNeed,
    Sleeper,
)
from games.models.player import Player, PlayerKind
from games.models.result import Archive, MatchResult, ResultKind, ResultVersion, SeatFailure

__all__ = [
    "AT_THE_DESK",
    "Archive",
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
