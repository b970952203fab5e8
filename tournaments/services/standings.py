"""Keeping standings: computed from the results alone and stored as a snapshot that pages read."""

from dataclasses import asdict
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from tournaments.models import Stage, StageStandings
from tournaments.rules.pairing import TableKind
from tournaments.selectors.certainty import measure_certainty
from tournaments.selectors.results import read_stage_results
from tournaments.selectors.stage_table import compute_stage_standings

RESULTS_A_SECOND = 2000
"""While a stage plays, standings wait a second and one more for so many rows: large ones must not eat the workers."""


def refresh_standings(*, stage_id: int, is_final: bool = False) -> bool:
    """Bring the snapshot up to the stage's results; False where it is recent enough or already is."""
    stage = Stage.objects.select_related("tournament").get(pk=stage_id)
    stored = StageStandings.objects.filter(stage=stage).first()
    if stored is not None and not is_final:
        pause = timedelta(seconds=1 + sum(row["tally"]["played"] for row in stored.rows) / 3 / RESULTS_A_SECOND)
        if stored.version == stage.results_version or timezone.now() < stored.computed_at + pause:
            return False
    rows = _compute_rows(stage)
    with transaction.atomic():
        is_newer = StageStandings.objects.filter(stage=stage, version__lte=stage.results_version)
        if not is_newer.update(version=stage.results_version, rows=rows, computed_at=timezone.now()):
            StageStandings.objects.get_or_create(
                stage=stage, defaults={"version": stage.results_version, "rows": rows}
            )
    return True


def _compute_rows(stage: Stage) -> list[dict[str, Any]]:
    """Places, and how sure they are, from one reading of the results: a page only reads what stands here."""
    tournament = stage.tournament
    results = read_stage_results(stage, TableKind(tournament.table_kind))
    certainty = measure_certainty(tournament, stage, results)
    rows = compute_stage_standings(tournament, stage, results)
    for row in rows:
        sure = certainty.get(row["entrant"])
        row["certainty"] = asdict(sure) if sure else None
    return rows
