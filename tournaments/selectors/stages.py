"""Stages: which one a tournament is in, its format, scoring and matchdays."""

from django.db.models import Max

from tournaments.models import Matchday, MatchdayState, Stage, StageState, Tournament
from tournaments.rules.format_options import make_stage_format
from tournaments.rules.formats.format import Format
from tournaments.rules.pairing import TableKind
from tournaments.rules.standings import ByeCredit, Metric, Scoring


def find_current_stage(tournament: Tournament) -> Stage:
    """The first stage that is not finished, or the last one."""
    stages = list(tournament.stages.order_by("number"))
    return next((stage for stage in stages if stage.state != StageState.FINISHED), stages[-1])


def find_next_stage(stage: Stage) -> Stage | None:
    return Stage.objects.filter(tournament_id=stage.tournament_id, number=stage.number + 1).first()


def format_of(tournament: Tournament, stage: Stage) -> Format:
    return make_stage_format(stage.format, TableKind(tournament.table_kind), stage.options)


def scoring_of(stage: Stage) -> Scoring:
    """Points by place; a bye counts as a first place in a Swiss, elsewhere as the entrant's own mean."""
    return Scoring(tuple(stage.points), ByeCredit.WIN if stage.format == "swiss" else ByeCredit.OWN_MEAN)


def chain_of(stage: Stage) -> tuple[Metric, ...]:
    return tuple(Metric(name) for name in stage.tiebreaks)


def next_unreleased_matchday(stage: Stage) -> int:
    released = Matchday.objects.filter(stage=stage).exclude(state=MatchdayState.DRAWN)
    return (released.aggregate(last=Max("number"))["last"] or 0) + 1
