"""Releasing: fixtures become matches that workers and people may play."""

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from games.models import MatchKind
from games.services.create import create_matches
from tournaments.models import (
    Fixture,
    Matchday,
    MatchdayState,
    Stage,
    StageState,
    Tournament,
    TournamentState,
)
from tournaments.rules.lifecycle import Step
from tournaments.selectors.fixture_sides import array_text
from tournaments.selectors.free_fixtures import list_free_fixtures
from tournaments.selectors.stages import find_current_stage
from tournaments.services.events import record_event
from tournaments.services.lifecycle import lock_tournament, lock_tournament_for, take_step
from tournaments.services.match_plans import MatchPlanner, PlannedMatch
from tournaments.services.nudge import nudge_tournament_on_commit

_COPY_LINKS = "COPY tournaments_fixturematch (fixture_id, match_id, stage_id, number, entrants) FROM STDIN"
DEFAULT_CLOCK: dict[str, float] = {"bank": 1800, "window": 259_200}
"""Half an hour a match for people and connected bots, where the organiser sets nothing else; people meet within three
days."""


@transaction.atomic
def start_tournament(*, tournament_id: int, actor: User | None = None) -> Tournament:
    """Release the drawn tournament: its first matches can be played once this commits."""
    tournament = lock_tournament(tournament_id)
    if tournament.state == TournamentState.PLAYING:
        return tournament
    take_step(tournament, Step.START)
    stage = find_current_stage(tournament)
    stage.state = StageState.PLAYING
    stage.save(update_fields=("state",))
    release_next_matchday(tournament, stage)
    record_event(tournament, "started", actor=actor)
    nudge_tournament_on_commit(tournament.id)
    return tournament


@transaction.atomic
def release_by_hand(*, tournament_id: int, actor: User | None = None) -> Matchday | None:
    """Release the next drawn matchday of a tournament that plays; None where there is none."""
    tournament = lock_tournament_for(tournament_id, Step.RELEASE)
    matchday = release_next_matchday(tournament, find_current_stage(tournament), actor=actor)
    nudge_tournament_on_commit(tournament.id)
    return matchday


def release_next_matchday(tournament: Tournament, stage: Stage, *, actor: User | None = None) -> Matchday | None:
    """Make matches of the first matchday that is drawn and not released; the caller holds the tournament's lock."""
    matchday = stage.matchdays.filter(state=MatchdayState.DRAWN).order_by("number").first()
    if matchday is not None:
        _release_fixtures(tournament, stage, matchday, list(_with_seats(matchday.fixtures.all())), actor)
    return matchday


def release_free_fixtures(tournament: Tournament, stage: Stage) -> int:
    """Make matches of every drawn table whose entrants have all ended their earlier ones; of how many matchdays.

    So one slow table holds up only those who sit at it. The caller holds the tournament's lock.
    """
    free = list_free_fixtures(stage)
    is_empty = Q(state=MatchdayState.DRAWN, fixtures=None)
    days = list(stage.matchdays.filter(Q(fixtures__in=free) | is_empty).distinct().order_by("number"))
    for matchday in days:
        _release_fixtures(tournament, stage, matchday, list(_with_seats(matchday.fixtures.filter(id__in=free))))
    return len(days)


def _with_seats(fixtures: QuerySet[Fixture]) -> QuerySet[Fixture]:
    return fixtures.prefetch_related("seats").order_by("table")


def _release_fixtures(
    tournament: Tournament, stage: Stage, matchday: Matchday, fixtures: list[Fixture], actor: User | None = None
) -> None:
    """Make the matches of some of a matchday's tables; the matchday counts as released with the first of them."""
    count = _create_fixture_matches(tournament, stage, matchday, fixtures)
    if matchday.state == MatchdayState.DRAWN:
        matchday.state = MatchdayState.RELEASED
        matchday.released_at = timezone.now()
        matchday.save(update_fields=("state", "released_at"))
    detail = {"stage": stage.number, "matchday": matchday.number, "matches": count}
    record_event(tournament, "released", actor=actor, detail=detail)


def _create_fixture_matches(
    tournament: Tournament, stage: Stage, matchday: Matchday, fixtures: list[Fixture]
) -> int:
    planner = MatchPlanner(tournament, stage)
    parts: dict[bool, list[PlannedMatch]] = {}
    for fixture in fixtures:
        planned = list(planner.plan(matchday, fixture))
        fixture.open_matches = len(planned)
        parts.setdefault(tournament.is_rated and is_rateable(fixture), []).extend(planned)
    for is_rated, part in parts.items():
        _create(tournament, stage, part, is_rated=is_rated)
    Fixture.objects.bulk_update(fixtures, ["open_matches"], batch_size=2000)
    return sum(map(len, parts.values()))


def is_rateable(fixture: Fixture) -> bool:
    """Tables that a house bot fills, or that the format could not keep apart as it should, are played unrated."""
    return not {"house_fills", "unrated"} & {code for code, _ in fixture.why}


def _create(tournament: Tournament, stage: Stage, planned: Sequence[PlannedMatch], *, is_rated: bool) -> None:
    match_ids = create_matches(
        plans=[match.plan for match in planned],
        kind=MatchKind.TOURNAMENT,
        is_rated=is_rated,
        clock=tournament.clock or DEFAULT_CLOCK,
    )
    with connection.cursor() as cursor, cursor.copy(_COPY_LINKS) as copy:
        for one, match_id in zip(planned, match_ids, strict=True):
            copy.write_row((one.fixture.pk, match_id, stage.pk, one.number, array_text(one.entrants)))
