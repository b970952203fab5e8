"""Sequential tests: is a bot's new version better, asked after every unit of matches, answered as early as can be."""

from tournaments.rules.sequential.estimate import StoppedEstimate, estimate_effect
from tournaments.rules.sequential.gsprt import Progress, SequentialTest, UnitScores, Verdict
from tournaments.rules.sequential.units import Role, duel_seatings, score_unit

__all__ = [
    "Progress",
    "Role",
    "SequentialTest",
    "StoppedEstimate",
    "UnitScores",
    "Verdict",
    "duel_seatings",
    "estimate_effect",
    "score_unit",
]
