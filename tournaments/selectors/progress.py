"""How far and how fast a tournament is."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db.models import Count, Max, Sum
from django.utils import timezone

from games.models import MatchState
from tournaments.models import (
    Fixture,
    FixtureMatch,
    FixtureState,
    Stage,
    StageStandings,
    Tournament,
    TournamentEvent,
    TournamentState,
)
from tournaments.rules.pairing import TableKind
from tournaments.selectors.results import matches_a_fixture


@dataclass(frozen=True, slots=True)
class MatchProgress:
    """`quarantined` matches wait for the organiser."""

    ended: int
    total: int
    quarantined: int


def read_progress(tournament: Tournament) -> MatchProgress:
    """Counted from the fixtures' own counters: no match is looked at but those that are set aside."""
    matches = FixtureMatch.objects.filter(stage__tournament=tournament)
    pending = Fixture.objects.filter(matchday__stage__tournament=tournament, state=FixtureState.PENDING)
    total = matches.count()
    return MatchProgress(
        ended=total - (pending.aggregate(left=Sum("open_matches"))["left"] or 0),
        total=total,
        quarantined=matches.filter(match__state=MatchState.QUARANTINED).count(),
    )


WINDOW = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Pace:
    """`left` is None where nothing ended lately, so that nobody can tell."""

    progress: MatchProgress
    a_minute: int
    left: timedelta | None


def read_pace(tournament: Tournament) -> Pace:
    progress = read_progress(tournament)
    progress = replace(progress, total=progress.total + count_planned(tournament))
    if tournament.state != TournamentState.PLAYING:
        return Pace(progress, 0, None)
    now = timezone.now()
    ended = FixtureMatch.objects.filter(
        stage__tournament=tournament, match__state=MatchState.FINISHED, match__finished_at__gt=now - WINDOW
    ).count()
    return measure_pace(progress, ended, tournament.started_at, now)


def count_planned(tournament: Tournament) -> int:
    """Matches of tables that are drawn already, but come into being only when they are released."""
    stages = {stage.pk: stage for stage in tournament.stages.all()}
    waiting = Fixture.objects.filter(matchday__stage__in=stages, state=FixtureState.PENDING, open_matches=0)
    kind = TableKind(tournament.table_kind)
    counted = waiting.values_list("matchday__stage_id").annotate(tables=Count("id")).order_by()
    return sum(tables * matches_a_fixture(stages[stage_id], kind) for stage_id, tables in counted)


def count_stage_matches(stage: Stage) -> int:
    return FixtureMatch.objects.filter(stage=stage).count()


def measure_pace(progress: MatchProgress, ended_lately: int, started_at: datetime | None, now: datetime) -> Pace:
    """The pace of the last minute, or of the time since the start where that is less."""
    watched = min(WINDOW, max(now - started_at, timedelta(seconds=1))) if started_at else WINDOW
    a_minute = round(ended_lately * (WINDOW / watched))
    left = progress.total - progress.ended
    return Pace(progress, a_minute, left * WINDOW / a_minute if a_minute else None)


def read_version(tournament: Tournament, stages: list[Stage]) -> str:
    """Changes whenever something that a page of the tournament shows has changed: a key for caches."""
    last = TournamentEvent.objects.filter(tournament=tournament).aggregate(last=Max("number"))["last"] or 0
    stored = dict(StageStandings.objects.filter(stage__in=stages).values_list("stage_id", "version"))
    counted = "-".join(f"{stage.results_version}.{stored.get(stage.id, 0)}" for stage in stages)
    return f"{tournament.id}-{tournament.state}-{last}-{counted}"
