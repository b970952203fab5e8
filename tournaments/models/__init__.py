"""Tables of the tournaments app: leagues, tournaments, stages, draws, entrants, standings, ratings and trials."""

from tournaments.models.draw import (
    Bye,
    Fixture,
    FixtureMatch,
    FixtureSeat,
    FixtureState,
    Matchday,
    MatchdayState,
    Rerun,
    RerunMatch,
    RerunState,
)
from tournaments.models.entrant import Conflict, Entrant, EntrantState, Team
from tournaments.models.rating import FitState, Rating, RatingChange, RatingPool, Trial, TrialState, TrialUnit
from tournaments.models.tournament import (
    EntryKind,
    League,
    Release,
    Stage,
    StageStandings,
    StageState,
    Tournament,
    TournamentEvent,
    TournamentState,
)
from tournaments.models.waiting import Block, Seeker

__all__ = [
    "Block",
    "Bye",
    "Conflict",
    "Entrant",
    "EntrantState",
    "EntryKind",
    "FitState",
    "Fixture",
    "FixtureMatch",
    "FixtureSeat",
    "FixtureState",
    "League",
    "Matchday",
    "MatchdayState",
    "Rating",
    "RatingChange",
    "RatingPool",
    "Release",
    "Rerun",
    "RerunMatch",
    "RerunState",
    "Seeker",
    "Stage",
    "StageStandings",
    "StageState",
    "Team",
    "Tournament",
    "TournamentEvent",
    "TournamentState",
    "Trial",
    "TrialState",
    "TrialUnit",
]
