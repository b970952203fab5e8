"""How sure the standings of a stage are: intervals of the points a match, and which places the results leave open."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isinf

from tournaments.models import Stage, Tournament
from tournaments.rules.ratings.scale import INTERVAL_WIDTH
from tournaments.rules.ratings.separable import span_ranks
from tournaments.rules.ratings.values import Estimate
from tournaments.rules.standings import TableResult
from tournaments.rules.statistics.points import estimate_points
from tournaments.selectors.divisions import split_field
from tournaments.selectors.stages import scoring_of


@dataclass(frozen=True, slots=True)
class Certainty:
    """Mean points a match, half the width of its 95 % interval (None from one block alone), and the span of places."""

    mean: float
    reach: float | None
    best: int
    worst: int


def measure_certainty(
    tournament: Tournament, stage: Stage, results: Sequence[TableResult]
) -> dict[int, Certainty]:
    """By entrant who played; seconds for a hundred thousand results, so it is stored with the standings."""
    estimates = widen_zeros(estimate_points(results, scoring_of(stage)))
    known: dict[int, Certainty] = {}
    for _, members in split_field(tournament, stage):
        spans = span_ranks({entrant: estimates[entrant] for entrant in members if entrant in estimates})
        for entrant, (best, worst) in spans.items():
            mean, error = estimates[entrant]
            known[entrant] = Certainty(mean, None if isinf(error) else INTERVAL_WIDTH * error, best, worst)
    return known


def widen_zeros(estimates: dict[int, Estimate]) -> dict[int, Estimate]:
    """Results that never varied are not therefore certain: such an entrant gets the largest error of the others."""
    largest = max((one.se for one in estimates.values() if not isinf(one.se)), default=0.0) or inf
    return {entrant: one if one.se else Estimate(one.value, largest) for entrant, one in estimates.items()}
