"""Divisions of a stage: whose results are ranked together."""

from tournaments.models import Entrant, Stage, Tournament
from tournaments.rules.formats.league_season import LeagueSeason
from tournaments.rules.formats.situation import Entry
from tournaments.selectors.stages import format_of


def split_field(tournament: Tournament, stage: Stage) -> list[tuple[str, list[int]]]:
    """Each division's name (`D1`, as in the slots of its fixtures) and entrants; one without a name elsewhere."""
    made = format_of(tournament, stage)
    if not isinstance(made, LeagueSeason):
        return [("", list(stage.field))]
    entered = dict(Entrant.objects.filter(id__in=stage.field).values_list("id", "entered_on"))
    entries = [Entry(entrant, entered_on=entered[entrant]) for entrant in stage.field]
    return [
        (f"D{number}", [entry.id for entry in division])
        for number, division in enumerate(made.split(entries), start=1)
    ]
