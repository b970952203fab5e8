"""Standings: results add up to tallies, a chain of metrics orders them, and every row says why it stands there."""

from tournaments.rules.standings.metrics import DEFAULT_CHAIN, LATE_CHAIN, METRICS, Metric, credit_points, credit_wins
from tournaments.rules.standings.ranking import (
    Decision,
    StandingRow,
    compute_standings,
    find_level_title,
    rank_tallies,
)
from tournaments.rules.standings.results import (
    ByeCredit,
    FixtureEnd,
    Meetings,
    ResultTally,
    Scoring,
    TableResult,
    add_tallies,
    tally_results,
)

__all__ = [
    "DEFAULT_CHAIN",
    "LATE_CHAIN",
    "METRICS",
    "ByeCredit",
    "Decision",
    "FixtureEnd",
    "Meetings",
    "Metric",
    "ResultTally",
    "Scoring",
    "StandingRow",
    "TableResult",
    "add_tallies",
    "compute_standings",
    "credit_points",
    "credit_wins",
    "find_level_title",
    "rank_tallies",
    "tally_results",
]
