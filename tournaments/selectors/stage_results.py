"""What the results of a stage say beyond the standings: the crosstable, and whether seats or turns matter."""

from dataclasses import dataclass

from django.core.cache import cache

from tournaments.models import Entrant, Stage
from tournaments.rules.pairing import HOUSE, TableKind
from tournaments.rules.statistics.bias import PositionBias, measure_first_player_bias, measure_seat_bias
from tournaments.rules.statistics.crosstable import CrosstableCell, build_crosstable
from tournaments.selectors.results import read_stage_results

KEPT_SECONDS = 24 * 3600


@dataclass(frozen=True, slots=True)
class StageBias:
    seats: PositionBias
    turns: PositionBias


def read_crosstable(stage: Stage) -> dict[tuple[int, int], CrosstableCell]:
    """A cell for each ordered pair that met; kept by the version of the results."""
    key = f"crosstable-{stage.id}-{stage.results_version}"
    known: dict[tuple[int, int], CrosstableCell] | None = cache.get(key)
    if known is None:
        cells = build_crosstable(read_stage_results(stage, TableKind(stage.tournament.table_kind)))
        known = {pair: cell for pair, cell in cells.items() if HOUSE not in pair}
        cache.set(key, known, KEPT_SECONDS)
    return known


def read_bias(stage: Stage) -> StageBias:
    """Kept by the version of the results too."""
    key = f"bias-{stage.id}-{stage.results_version}"
    known: StageBias | None = cache.get(key)
    if known is None:
        results = read_stage_results(stage, TableKind(stage.tournament.table_kind))
        known = StageBias(measure_seat_bias(results), measure_first_player_bias(results))
        cache.set(key, known, KEPT_SECONDS)
    return known


def name_field(stage: Stage) -> dict[int, str]:
    """Names of the stage's entrants by number, in seed order."""
    names = dict(Entrant.objects.filter(id__in=stage.field).values_list("id", "player__name"))
    return {entrant: names[entrant] for entrant in stage.field if entrant in names}
