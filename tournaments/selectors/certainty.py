"""How sure the standings of a stage are: intervals of the points a match, and which places the results leave open."""

from dataclasses import dataclass
from math import isinf

from django.core.cache import cache

from tournaments.models import Stage
from tournaments.rules.pairing import HOUSE, TableKind
from tournaments.rules.ratings.scale import INTERVAL_WIDTH
from tournaments.rules.ratings.separable import span_ranks
from tournaments.rules.statistics.points import estimate_points
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


def read_certainty(stage: Stage, version: int) -> dict[int, Certainty]:
    """By entrant, kept by the version of the results: it is computed once for each."""
    key = f"certainty-{stage.id}-{version}"
    known: dict[int, Certainty] | None = cache.get(key)
    if known is None:
        known = _measure(stage)
        cache.set(key, known, KEPT_SECONDS)
    return known


def _measure(stage: Stage) -> dict[int, Certainty]:
    results = read_stage_results(stage, TableKind(stage.tournament.table_kind))
    estimates = estimate_points(results, scoring_of(stage))
    estimates.pop(HOUSE, None)
    spans = span_ranks(estimates)
    return {
        entrant: Certainty(
            estimate.value,
            None if isinf(estimate.se) else INTERVAL_WIDTH * estimate.se,
            spans[entrant].best,
            spans[entrant].worst,
        )
        for entrant, estimate in estimates.items()
    }
