"""Moving a tournament on: matchdays end, the next are drawn and released, stages follow each other, all of it ends."""

from collections.abc import Sequence
from typing import Any

import structlog
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from aurum_league.common.errors import N_, LeagueError
from tournaments.models import (
    Entrant,
    EntrantState,
    Fixture,
    FixtureMatch,
    FixtureState,
    Matchday,
    MatchdayState,
    Release,
    Stage,
    StageStandings,
    StageState,
    Tournament,
    TournamentState,
)
from tournaments.rules.formats import FORMATS
from tournaments.rules.formats.format import cut_groups
from tournaments.rules.lifecycle import Step
from tournaments.rules.pairing import Finished
from tournaments.selectors.exports import digest_stage
from tournaments.selectors.leagues import find_current_stage, find_next_stage, format_of
from tournaments.selectors.timetable import rhythm_of
from tournaments.services.draw import draw_stage, store_draws
from tournaments.services.field import field_of, set_field
from tournaments.services.fresh import count_fresh_results
from tournaments.services.lifecycle import (
    lock_tournament,
    lock_tournament_for,
    pause_tournament,
    record_event,
    take_step,
    tell_on_commit,
    void_untouched_fixtures,
)
from tournaments.services.ratings import nudge_fit_on_commit
from tournaments.services.release import release_free_fixtures, release_next_matchday
from tournaments.services.results import bump_results, refresh_standings


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
        raise LeagueError("no_cut", N_("The stage %(name)s does not say how many go on."), status=409, name=stage.name)
    set_field(following, cut_groups(list(divisions.values()), max(1, stage.cut // max(1, len(divisions)))))
    following.state = StageState.PLAYING
    following.save(update_fields=("state",))
    Entrant.objects.filter(id__in=following.field).update(entered_on=1)
    record_event(tournament, "stage_seeded", detail=field_of(following))


def report_trouble(*, match_ids: Sequence[int]) -> None:
    """Tell the pages of every tournament concerned that a decision is wanted."""
    links = FixtureMatch.objects.filter(match_id__in=match_ids).values_list("stage__tournament_id", "match_id")
    for tournament_id, match_id in links:
        tell_on_commit(tournament_id, {"kind": "quarantined", "match": match_id})


"""The format that no result ends."""

log = structlog.get_logger()


def advance_tournament(*, tournament_id: int) -> None:
    """Do whatever the results allow now; running it twice, or at any other time, changes nothing.

    A draw or a release that cannot be made pauses the tournament with the reason, for the organiser to decide.
    """
    count_fresh_results(tournament_id=tournament_id)
    try:
        stage_id = _advance(tournament_id)
    except LeagueError as error:
        log.warning("tournament_stuck", tournament_id=tournament_id, code=error.code)
        pause_tournament(tournament_id=tournament_id, reason=str(error))
        return
    if stage_id is not None:
        refresh_standings(stage_id=stage_id)
    else:
        _refresh_cancelled(tournament_id)


def _refresh_cancelled(tournament_id: int) -> None:
    """Tables that were begun before their tournament was cancelled are played on and counted."""
    cancelled = Stage.objects.filter(tournament_id=tournament_id, tournament__state=TournamentState.CANCELLED)
    for stage_id in cancelled.exclude(results_version=0).order_by("number").values_list("id", flat=True):
        refresh_standings(stage_id=stage_id, is_final=True)


def sweep_tournaments() -> int:
    """Look after every tournament that plays, in case a nudge was lost; how many there are."""
    count_fresh_results()
    playing = list(Tournament.objects.filter(state=TournamentState.PLAYING).order_by("id").values_list("id", flat=True))
    for tournament_id in playing:
        advance_tournament(tournament_id=tournament_id)
    return len(playing)


@transaction.atomic
def finish_tournament(*, tournament_id: int, actor: User | None = None, reason: str = "") -> Tournament:
    """End a tournament that would run on, once nothing of it is left to play; while it is paused, what nobody has
    begun becomes void."""
    tournament = lock_tournament(tournament_id)
    if tournament.state == TournamentState.FINISHED:
        return tournament
    lock_tournament_for(tournament_id, Step.FINISH)
    stage = find_current_stage(tournament)
    tables = _void_what_is_held(stage) if tournament.state == TournamentState.PAUSED else []
    if has_pending_fixtures(stage):
        is_paused = tournament.state == TournamentState.PAUSED
        fix = N_("Resume it until they have ended.") if is_paused else N_("Pause it first.")
        raise LeagueError("still_playing", N_("Some tables are still to be played."), fix, status=409)
    _finish_stage(tournament, stage)
    _finish(tournament, actor, reason, {"void_tables": tables})
    return tournament


def _void_what_is_held(stage: Stage) -> list[list[int]]:
    if not FORMATS[stage.format].runs_on:
        sentence = N_("This tournament ends by itself when all is played.")
        raise LeagueError("ends_by_itself", sentence, N_("Resume it, or cancel it."), status=409)
    pending = Fixture.objects.filter(matchday__stage=stage, state=FixtureState.PENDING)
    voided = void_untouched_fixtures(pending)
    if voided.tables:
        bump_results({stage.id})
    return voided.tables


@transaction.atomic
def _advance(tournament_id: int) -> int | None:
    """The id of the stage that was looked after; None where the tournament does not play."""
    playing = Tournament.objects.filter(pk=tournament_id, state=TournamentState.PLAYING)
    tournament = playing.select_for_update(no_key=True).first()
    if tournament is None:
        return None
    while True:
        stage = find_current_stage(tournament)
        _finish_matchdays(stage)
        if not _advance_stage(tournament, stage) or tournament.state != TournamentState.PLAYING:
            return stage.id


def _advance_stage(tournament: Tournament, stage: Stage) -> bool:
    """Take one step; whether there may be another."""
    if _release(tournament, stage):
        return True
    if stage.matchdays.filter(state=MatchdayState.DRAWN).exists():
        return False
    if has_pending_fixtures(stage) and _has_whole_plan(tournament, stage):
        return False
    draws, ending = draw_stage(tournament, stage)
    if draws:
        store_draws(stage, draws)
        detail = {"stage": stage.number, "matchday": draws[0].matchday, "matchdays": len(draws)}
        record_event(tournament, "drawn", detail=detail)
        return True
    if not isinstance(ending, Finished) or has_pending_fixtures(stage):
        return False
    stage.final_places = [list(pair) for pair in ending.places]
    _finish_stage(tournament, stage)
    following = find_next_stage(stage)
    if following is None:
        _finish(tournament)
        return False
    seed_next_stage(tournament, stage, following)
    return True


def _release(tournament: Tournament, stage: Stage) -> bool:
    """Release what the stage's way of releasing allows now; whether anything was."""
    if stage.release == Release.BY_HAND or not _is_time(tournament, stage):
        return False
    if stage.release == Release.TIMED:
        return release_next_matchday(tournament, stage) is not None
    if stage.release == Release.ALL or not format_of(tournament, stage).is_planned:
        return release_next_matchday(tournament, stage) is not None
    return release_free_fixtures(tournament, stage) > 0


def _is_time(tournament: Tournament, stage: Stage) -> bool:
    """Whether the next matchday may begin by its time; those without one may at once."""
    if stage.release != Release.TIMED:
        return True
    number = stage.matchdays.filter(state=MatchdayState.DRAWN).order_by("number").values_list("number", flat=True)
    at = rhythm_of(stage).find_time(number[0], tournament.time_zone) if number else None
    return at is None or at <= timezone.now()


def _has_whole_plan(tournament: Tournament, stage: Stage) -> bool:
    """Whether every matchday of a plan is drawn, so that nothing need be read to know that nothing is left to draw."""
    made = format_of(tournament, stage)
    starters = Entrant.objects.filter(id__in=stage.field, entered_on__lte=1).count()
    planned = made.plan_length(starters) if made.is_planned else None
    return planned is not None and stage.matchdays.count() >= planned


def _finish_matchdays(stage: Stage) -> None:
    pending = Fixture.objects.filter(matchday=OuterRef("pk"), state=FixtureState.PENDING)
    Matchday.objects.filter(~Exists(pending), stage=stage, state=MatchdayState.RELEASED).update(
        state=MatchdayState.FINISHED, finished_at=timezone.now()
    )


def has_pending_fixtures(stage: Stage) -> bool:
    return Fixture.objects.filter(matchday__stage=stage, state=FixtureState.PENDING).exists()


def _finish_stage(tournament: Tournament, stage: Stage) -> None:
    _finish_matchdays(stage)
    stage.state = StageState.FINISHED
    stage.finished_at = timezone.now()
    stage.save(update_fields=("state", "finished_at", "final_places"))
    refresh_standings(stage_id=stage.id, is_final=True)
    detail = {"stage": stage.number, "played": digest_stage(stage)}
    record_event(tournament, "stage_finished", detail=detail)
    nudge_fit_on_commit()


def _finish(
    tournament: Tournament, actor: User | None = None, reason: str = "", detail: dict[str, Any] | None = None
) -> None:
    take_step(tournament, Step.FINISH)
    record_event(tournament, "finished", actor=actor, reason=reason, detail=detail)
