"""Keeping standings: computed from the results alone and stored as a snapshot that pages read."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from tournaments.models import Stage, StageStandings
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
    rows = compute_stage_standings(stage.tournament, stage)
    with transaction.atomic():
        is_newer = StageStandings.objects.filter(stage=stage, version__lte=stage.results_version)
        if not is_newer.update(version=stage.results_version, rows=rows, computed_at=timezone.now()):
            StageStandings.objects.get_or_create(
                stage=stage, defaults={"version": stage.results_version, "rows": rows}
            )
    return True
