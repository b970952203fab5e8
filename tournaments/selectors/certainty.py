"""How sure the standings of a stage are: intervals of the points a match, and which places the results leave open."""

from dataclasses import dataclass
from math import inf, isinf

from django.core.cache import cache

from tournaments.models import Stage
from tournaments.rules.pairing import TableKind
from tournaments.rules.ratings.scale import INTERVAL_WIDTH
from tournaments.rules.ratings.separable import span_ranks
from tournaments.rules.ratings.values import Estimate
from tournaments.rules.statistics.points import estimate_points
from tournaments.selectors.divisions import split_field
from tournaments.selectors.results import read_stage_results
from tournaments.selectors.stages import scoring_of

KEPT_SECONDS = 24 * 3600


@dataclass(frozen=True, slots=True)
class Certainty:
    """Mean points a match, half the width of its 95 % interval (None from one block alone), and the span of places."""

    mean: float
    reach: float | None
    best: int
    worst: int


def find_certainty(stage: Stage, version: int) -> dict[int, Certainty] | None:
    """By entrant, if it was counted for this version of the results before."""
    known: dict[int, Certainty] | None = cache.get(_key(stage, version))
    return known


def read_certainty(stage: Stage, version: int) -> dict[int, Certainty]:
    """By entrant; counted once for each version of the results, seconds for a hundred thousand matches."""
    known = find_certainty(stage, version)
    if known is None:
        known = _measure(stage)
        cache.set(_key(stage, version), known, KEPT_SECONDS)
    return known


def _key(stage: Stage, version: int) -> str:
    return f"certainty-{stage.id}-{version}"


def _measure(stage: Stage) -> dict[int, Certainty]:
    kind = TableKind(stage.tournament.table_kind)
    estimates = widen_zeros(estimate_points(read_stage_results(stage, kind), scoring_of(stage)))
    known: dict[int, Certainty] = {}
    for _, members in split_field(stage.tournament, stage):
        spans = span_ranks({entrant: estimates[entrant] for entrant in members if entrant in estimates})
        for entrant, (best, worst) in spans.items():
            mean, error = estimates[entrant]
            known[entrant] = Certainty(mean, None if isinf(error) else INTERVAL_WIDTH * error, best, worst)
    return known


def widen_zeros(estimates: dict[int, Estimate]) -> dict[int, Estimate]:
    """Results that never varied are not therefore certain: such an entrant gets the largest error of the others."""
    largest = max((one.se for one in estimates.values() if not isinf(one.se)), default=0.0) or inf
    return {entrant: one if one.se else Estimate(one.value, largest) for entrant, one in estimates.items()}
