"""Tables of the tournaments app: leagues, tournaments, stages, draws, entrants, standings, ratings and trials."""

from tournaments.models.draw import Bye, Fixture, FixtureMatch, FixtureSeat, FixtureState, Matchday, MatchdayState
from tournaments.models.entrant import Conflict, Entrant, EntrantState, Team
from tournaments.models.event import TournamentEvent
from tournaments.models.league import League
from tournaments.models.rating import FitState, Rating, RatingChange, RatingPool
from tournaments.models.rerun import Rerun, RerunMatch, RerunState
from tournaments.models.stage import Release, Stage, StageState
from tournaments.models.standing import StageStandings
from tournaments.models.tournament import EntryKind, Tournament, TournamentState
from tournaments.models.trial import Trial, TrialState, TrialUnit

__all__ = [
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
