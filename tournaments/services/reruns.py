"""Rerunning matches: played once more by the same agents on the same deals, looked at, then applied or dropped."""

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import transaction

from aurum_league.common.errors import LeagueError
from games.models import Match, MatchKind, MatchState
from games.rules.ruleset import Ruleset
from games.services.by_hand import take_result
from games.services.create import MatchPlan, SeatPlan, create_matches
from tournaments.models import FixtureMatch, Rerun, RerunMatch, RerunState, StageState
from tournaments.rules.lifecycle import Step
from tournaments.selectors.reruns import RerunPreview, preview_rerun
from tournaments.services.decisions import apply_corrections
from tournaments.services.events import record_event
from tournaments.services.lifecycle import UNSTARTED, lock_tournament_for
from tournaments.services.standings import refresh_standings


@transaction.atomic
def rerun_matches(
    *, tournament_id: int, match_ids: Sequence[int], reason: str, actor: User | None = None
) -> Rerun:
    """Have finished matches of a tournament played once more; nothing of theirs changes until it is applied."""
    tournament = lock_tournament_for(tournament_id, Step.CORRECT)
    matches = list(
        Match.objects.filter(
            id__in=match_ids, state=MatchState.FINISHED, fixture_match__stage__tournament=tournament
        ).prefetch_related("seats__player")
    )
    if not matches or len(matches) != len(set(match_ids)) or not reason.strip():
        raise LeagueError("bad_rerun", "A rerun needs a reason and matches of this tournament that have a result.")
    plans = [
        MatchPlan(
            Ruleset.from_code(match.ruleset),
            tuple(SeatPlan(seat.player, seat.agent) for seat in match.seats.all()),
            bytes(match.seed),
            match.deals,
        )
        for match in matches
    ]
    rerun = Rerun.objects.create(tournament=tournament, reason=reason[:400], created_by=actor)
    again = create_matches(plans=plans, kind=MatchKind.TOURNAMENT, is_rated=False)
    RerunMatch.objects.bulk_create(
        [RerunMatch(rerun=rerun, match=match, again_id=new) for match, new in zip(matches, again, strict=True)]
    )
    record_event(tournament, "rerun_begun", actor=actor, reason=reason, detail={"rerun": rerun.id})
    return rerun


@transaction.atomic
def apply_rerun(*, rerun_id: int, actor: User | None = None) -> RerunPreview:
    """Let the results of a rerun stand instead of the old ones; what changed is returned and in the audit trail."""
    rerun = _lock(rerun_id)
    preview = preview_rerun(rerun)
    if rerun.state == RerunState.APPLIED:
        return preview
    _require_open(rerun)
    if preview.waiting:
        raise LeagueError("rerun_not_played", f"{preview.waiting} matches are still to be played.", status=409)
    pairs = dict(rerun.matches.values_list("match_id", "again_id"))
    changed = [result.match_id for result in preview.results]
    for match_id in sorted(changed):
        take_result(match_id=match_id, from_match_id=pairs[match_id])
    _count_again(changed)
    rerun.state = RerunState.APPLIED
    rerun.save(update_fields=("state",))
    detail = {"rerun": rerun.id, "matches": sorted(changed), "places": len(preview.places)}
    record_event(rerun.tournament, "rerun_applied", actor=actor, reason=rerun.reason, detail=detail)
    return preview


@transaction.atomic
def drop_rerun(*, rerun_id: int, actor: User | None = None) -> Rerun:
    """Leave the old results as they are."""
    rerun = _lock(rerun_id)
    if rerun.state == RerunState.DROPPED:
        return rerun
    _require_open(rerun)
    Match.objects.filter(rerun_of__rerun=rerun, state__in=UNSTARTED).update(state=MatchState.VOID)
    rerun.state = RerunState.DROPPED
    rerun.save(update_fields=("state",))
    record_event(rerun.tournament, "rerun_dropped", actor=actor, detail={"rerun": rerun.id})
    return rerun


def _lock(rerun_id: int) -> Rerun:
    rerun = Rerun.objects.filter(pk=rerun_id).first()
    if rerun is None:
        raise LeagueError("no_rerun", f"There is no rerun {rerun_id}.", status=404)
    lock_tournament_for(rerun.tournament_id, Step.CORRECT)
    return Rerun.objects.select_related("tournament").get(pk=rerun_id)


def _require_open(rerun: Rerun) -> None:
    if rerun.state != RerunState.PLAYING:
        raise LeagueError("rerun_closed", f"This rerun is {rerun.state}.", "Begin another one.", status=409)


def _count_again(match_ids: Sequence[int]) -> None:
    links = FixtureMatch.objects.filter(match_id__in=match_ids).select_related("stage__tournament")
    by_stage: dict[int, list[FixtureMatch]] = {}
    for link in links:
        by_stage.setdefault(link.stage_id, []).append(link)
    for stage_id, mine in by_stage.items():
        apply_corrections(stage_id, mine)
        if mine[0].stage.state == StageState.FINISHED:
            refresh_standings(stage_id=stage_id, is_final=True)
