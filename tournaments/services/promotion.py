"""From one stage to the next: the cut of the final standings becomes the next stage's field, best first."""

from aurum_league.common.errors import LeagueError
from tournaments.models import Entrant, EntrantState, Stage, StageStandings, StageState, Tournament
from tournaments.rules.formats.stages import cut_groups
from tournaments.services.events import record_event
from tournaments.services.seeding import set_field


def seed_next_stage(tournament: Tournament, stage: Stage, following: Stage) -> None:
    """Start the following stage with those who made the cut and are still there; the caller holds the lock."""
    here = set(
        tournament.entrants.filter(state__in=(EntrantState.ENTERED, EntrantState.CHECKED_IN)).values_list(
            "id", flat=True
        )
    )
    rows = StageStandings.objects.get(stage=stage).rows
    divisions: dict[str, list[int]] = {}
    for row in rows:
        if row["entrant"] in here:
            divisions.setdefault(row["division"], []).append(row["entrant"])
    if stage.cut is None:
        raise LeagueError("no_cut", f"The stage {stage.name} does not say how many go on.", status=409)
    set_field(following, cut_groups(list(divisions.values()), max(1, stage.cut // max(1, len(divisions)))))
    following.state = StageState.PLAYING
    following.save(update_fields=("state",))
    Entrant.objects.filter(id__in=following.field).update(entered_on=1)
    record_event(tournament, "stage_seeded", detail={"stage": following.number, "field": following.field})
