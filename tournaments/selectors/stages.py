"""Stages: which one a tournament is in, its format, scoring, divisions and version."""

from django.db import connection
from django.db.models import Max

from tournaments.models import Entrant, Matchday, MatchdayState, Stage, StageState, Tournament
from tournaments.rules.formats.catalogue import FORMATS, make_stage_format
from tournaments.rules.formats.format import Format
from tournaments.rules.pairing import TableKind
from tournaments.rules.stage_sheet import StageSheet
from tournaments.rules.standings import Scoring


def find_current_stage(tournament: Tournament) -> Stage:
    """The first stage that is not finished, or the last one."""
    stages = list(tournament.stages.order_by("number"))
    return next((stage for stage in stages if stage.state != StageState.FINISHED), stages[-1])


def find_next_stage(stage: Stage) -> Stage | None:
    return Stage.objects.filter(tournament_id=stage.tournament_id, number=stage.number + 1).first()


def format_of(tournament: Tournament, stage: Stage) -> Format:
    return make_stage_format(stage.format, TableKind(tournament.table_kind), stage.options)


def scoring_of(stage: Stage) -> Scoring:
    """Points by place, and what a bye is worth in this format."""
    return Scoring(tuple(stage.points), FORMATS[stage.format].bye)


def next_unreleased_matchday(stage: Stage) -> int:
    released = Matchday.objects.filter(stage=stage).exclude(state=MatchdayState.DRAWN)
    return (released.aggregate(last=Max("number"))["last"] or 0) + 1


def make_sheet(tournament: Tournament, stage: Stage) -> StageSheet:
    """All that counting the stage depends on, beside its results; one query, and none where there are no divisions."""
    entered = dict.fromkeys(stage.field, 1)
    if FORMATS[stage.format].has_divisions:
        entered |= dict(Entrant.objects.filter(id__in=stage.field).values_list("id", "entered_on"))
    return StageSheet(
        number=stage.number,
        kind=TableKind(tournament.table_kind),
        format=stage.format,
        options=stage.options,
        points=tuple(stage.points),
        tiebreaks=tuple(stage.tiebreaks),
        block_deals=stage.block_deals,
        matches_each=stage.matches_each,
        field=tuple(stage.field),
        entered=entered,
        final_places=tuple((entrant, place) for entrant, place in stage.final_places),
    )


def split_field(tournament: Tournament, stage: Stage) -> list[tuple[str, list[int]]]:
    """Each division's name (`D1`, as in the slots of its fixtures) and entrants; one without a name elsewhere."""
    return make_sheet(tournament, stage).split_field()


_VERSION = """
    SELECT ROW(
        stage.results_version, stage.state, stage.tiebreaks, standings.version, standings.computed_at,
        (
            SELECT md5(string_agg(ROW(entrant.state, player.name)::text, ',' ORDER BY entrant.id))
            FROM tournaments_entrant AS entrant JOIN games_player AS player ON player.id = entrant.player_id
            WHERE entrant.tournament_id = stage.tournament_id
        )
    )::text
    FROM tournaments_stage AS stage LEFT JOIN tournaments_stagestandings AS standings ON standings.stage_id = stage.id
    WHERE stage.id = %s
"""


def read_stage_version(stage_id: int) -> str | None:
    """Changes with every result that counts, when standings are computed, a state changes, somebody is renamed."""
    with connection.cursor() as cursor:
        cursor.execute(_VERSION, [stage_id])
        found = cursor.fetchone()
    return str(found[0]) if found else None
