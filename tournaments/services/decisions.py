"""What an organiser decides about single matches: again, void, forfeit, by hand, or rerun beside the result.

A new match on fresh deals, for people and connected bots, is in services/fresh.py.
"""

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.dispatch import Signal

from aurum_league.common.errors import N_, LeagueError
from aurum_league.common.proofs import digest_version
from games.models import Match, MatchKind, MatchState, ResultKind
from games.rules.ruleset import Ruleset
from games.selectors.matches import tell_versions, untouched_matches
from games.services.by_hand import (
    HandResult,
    ResultDecision,
    correct_result,
    forfeit_result,
    settle_by_hand,
    take_result,
    void_results,
)
from games.services.create import MatchPlan, SeatPlan, create_matches
from games.services.notices import nudge_on_commit
from tournaments.models import (
    Fixture,
    FixtureMatch,
    FixtureState,
    Rerun,
    RerunMatch,
    RerunState,
    ScoreSheet,
    SheetState,
    StageState,
    Tournament,
    TournamentState,
)
from tournaments.rules.lifecycle import Step
from tournaments.rules.pairing import TableKind
from tournaments.selectors.desk import RerunPreview, find_fresh_match, preview_rerun
from tournaments.selectors.standings import read_fixture_results
from tournaments.services.lifecycle import list_tables, lock_tournament_for, record_event
from tournaments.services.results import bump_results, lock_fixtures, refresh_standings, settle_fixtures, void_fixture

results_corrected = Signal()
"""Sent inside the transaction that changed or took back results, with `match_ids`; ratings correct themselves by it."""

END_SHEETS = ("voided", "forfeited", "result_entered", "result_changed")
"""Decisions after which what players reported and nobody decided on is closed."""
UNDECIDED = (SheetState.OPEN, SheetState.DISPUTED)


@transaction.atomic
def play_again(*, match_id: int, actor: User | None = None, reason: str = "") -> None:
    """Let workers try a quarantined match again from where it stands: what its people did is not undone."""
    link, tournament = find_link(match_id, Step.DECIDE)
    state = MatchState.HELD if tournament.state == TournamentState.PAUSED else MatchState.READY
    quarantined = Match.objects.filter(pk=match_id, state=MatchState.QUARANTINED)
    if not quarantined.update(state=state, attempt=0, trouble=""):
        _require_state(match_id, (MatchState.READY, MatchState.HELD, MatchState.PLAYING, MatchState.FINISHED))
        return
    nudge_on_commit(1)
    _record(tournament, link, "played_again", actor, reason)


@transaction.atomic
def void_match(*, match_id: int, reason: str, actor: User | None = None) -> None:
    """Make a match, and with it its whole fixture, count for nothing."""
    require_reason(reason)
    link, tournament = find_link(match_id, Step.CORRECT)
    if link.fixture.state == FixtureState.VOID:
        return
    matches = FixtureMatch.objects.filter(fixture=link.fixture).values_list("match_id", flat=True)
    require_no_fresh(list(matches))
    counted = list(
        FixtureMatch.objects.filter(fixture=link.fixture, match__state=MatchState.FINISHED).values_list(
            "match_id", flat=True
        )
    )
    void_fixture(link.stage, link.fixture_id)
    if counted:
        void_results(match_ids=counted, decision=ResultDecision(ResultKind.VOID, reason, actor))
        results_corrected.send(sender=None, match_ids=counted)
    tables = list_tables(Fixture.objects.filter(pk=link.fixture_id))
    _record(tournament, link, "voided", actor, reason, void_tables=tables, **digest_results(counted))
    _refresh_if_over(link)


@transaction.atomic
def forfeit_match(*, match_id: int, seats: Sequence[int], reason: str, actor: User | None = None) -> None:
    """End a quarantined or waiting match with these seats last."""
    require_reason(reason)
    link, tournament = find_link(match_id, Step.DECIDE)
    if link.match.state == MatchState.FINISHED and link.match.result.forfeits == sorted(seats):
        return
    ruleset = Ruleset.from_code(tournament.ruleset)
    if not seats or not set(seats) <= set(range(ruleset.players)):
        raise LeagueError("bad_seats", N_("Name the seats that forfeit."))
    decision = ResultDecision(ResultKind.FORFEIT, reason, actor)
    settle_by_hand(match_id=match_id, result=forfeit_result(ruleset, seats), decision=decision)
    _record(tournament, link, "forfeited", actor, reason, seats=list(seats), **digest_results([match_id]))


@transaction.atomic
def enter_result(*, match_id: int, result: HandResult, reason: str, actor: User | None = None) -> None:
    """State the result of a match that was not played here, or change one that is wrong."""
    require_reason(reason)
    link, tournament = find_link(match_id, Step.CORRECT)
    require_no_fresh([match_id])
    decision = ResultDecision(ResultKind.BY_HAND, reason, actor)
    if link.match.state == MatchState.FINISHED:
        before = list(link.match.result.places)
        correct_result(match_id=match_id, result=result, decision=decision)
        apply_corrections(link.stage_id, [link])
        about = {"before": before, "after": list(result.places), **_tell_bids(result), **digest_results([match_id])}
        _record(tournament, link, "result_changed", actor, reason, **about)
    else:
        settle_by_hand(match_id=match_id, result=result, decision=decision)
        about = {"after": list(result.places), **_tell_bids(result), **digest_results([match_id])}
        _record(tournament, link, "result_entered", actor, reason, **about)
    _refresh_if_over(link)


def _tell_bids(result: HandResult) -> dict[str, list[int]]:
    """Exact bids of a score sheet part equals in the standings, and no record holds them: so the chain does."""
    return {"exact_bids": list(result.exact_bids)} if result.rounds else {}


def apply_corrections(stage_id: int, links: Sequence[FixtureMatch]) -> None:
    """Place the fixtures of corrected matches again and tell who counts them; the tournament is locked."""
    stage = links[0].stage
    fixture_ids = sorted({link.fixture_id for link in links})
    settled = [one.id for one in lock_fixtures(fixture_ids) if one.state == FixtureState.SETTLED]
    settle_fixtures(stage, read_fixture_results(settled, TableKind(stage.tournament.table_kind)))
    bump_results({stage_id})
    results_corrected.send(sender=None, match_ids=[link.match_id for link in links])


def find_link(match_id: int, step: Step) -> tuple[FixtureMatch, Tournament]:
    """The match's place in its tournament, which is then locked."""
    links = FixtureMatch.objects.select_related("match__result", "fixture", "stage__tournament")
    link = links.filter(match_id=match_id).first()
    if link is None:
        raise LeagueError("no_match", N_("Match %(number)s belongs to no tournament."), status=404, number=match_id)
    tournament = lock_tournament_for(link.stage.tournament_id, step)
    return links.get(match_id=match_id), tournament


def require_reason(reason: str) -> None:
    if not reason.strip():
        raise LeagueError("needs_reason", N_("Say why: it goes into the audit trail."))


def require_no_fresh(match_ids: Sequence[int]) -> None:
    """Refuse any other decision while a new match is being played; the tournament is locked."""
    for fresh in filter(None, map(find_fresh_match, match_ids)):
        raise LeagueError(
            "fresh_under_way",
            N_("A new match on fresh deals is being played for it: %(number)s."),
            N_("Wait for its end; it can be dropped as long as nobody has seen a card."),
            status=409,
            number=fresh.again_id,
        )


def _require_state(match_id: int, states: Sequence[MatchState]) -> None:
    state = Match.objects.values_list("state", flat=True).get(pk=match_id)
    if state not in states:
        raise LeagueError(
            "match_not_quarantined",
            N_("Match %(number)s is %(state)s."),
            status=409,
            number=match_id,
            state=MatchState(state),
        )


def _record(
    tournament: Tournament, link: FixtureMatch, kind: str, actor: User | None, reason: str, **detail: object
) -> None:
    if kind in END_SHEETS:
        ScoreSheet.objects.filter(match=link.match_id, state__in=UNDECIDED).update(state=SheetState.DROPPED)
    about = {"match": link.match_id, "fixture": link.fixture_id, "stage": link.stage.number}
    record_event(tournament, kind, actor=actor, reason=reason, detail={**about, **detail})


def digest_results(match_ids: Sequence[int]) -> dict[str, dict[str, str]]:
    """What the chain keeps of the newest versions of these results, for the detail of the event that made them."""
    matches = Match.objects.filter(pk__in=match_ids).select_related("result").order_by("pk")
    newest = ((match.pk, tell_versions(match, is_sealed=False)[-1]) for match in matches)
    return {"results": {str(match_id): digest_version(match_id, version) for match_id, version in newest}}


def _refresh_if_over(link: FixtureMatch) -> None:
    """Nobody advances a stage that has ended, so its standings are brought up to date here."""
    if link.stage.state == StageState.FINISHED:
        refresh_standings(stage_id=link.stage_id, is_final=True)


@transaction.atomic
def rerun_matches(*, tournament_id: int, match_ids: Sequence[int], reason: str, actor: User | None = None) -> Rerun:
    """Have finished matches of a tournament played once more; nothing of theirs changes until it is applied."""
    tournament = lock_tournament_for(tournament_id, Step.CORRECT)
    matches = list(
        Match.objects.filter(
            id__in=match_ids, state=MatchState.FINISHED, fixture_match__stage__tournament=tournament
        ).prefetch_related("seats__player")
    )
    if not matches or len(matches) != len(set(match_ids)) or not reason.strip():
        raise LeagueError("bad_rerun", N_("A rerun needs a reason and matches of this tournament that have a result."))
    _require_blind_agents(matches)
    plans = [
        MatchPlan(
            Ruleset.from_code(match.ruleset),
            tuple(SeatPlan(seat.player, seat.ref) for seat in match.seats.all()),
            bytes(match.seed),
            match.deals,
        )
        for match in matches
    ]
    rerun = Rerun.objects.create(tournament=tournament, reason=reason[:400], created_by=actor)
    again = create_matches(plans=plans, kind=MatchKind.TOURNAMENT, is_rated=False, account=tournament.organiser_id)
    RerunMatch.objects.bulk_create(
        [RerunMatch(rerun=rerun, match=match, again_id=new) for match, new in zip(matches, again, strict=True)]
    )
    record_event(tournament, "rerun_begun", actor=actor, reason=reason, detail={"rerun": rerun.id})
    return rerun


def _require_blind_agents(matches: Sequence[Match]) -> None:
    """The cards of a finished match are public: whoever can have read them does not play it on the same deals again."""
    for match in matches:
        if any(seat.ref.is_awaited for seat in match.seats.all()):
            raise LeagueError(
                "rerun_needs_bots",
                N_("Match %(number)s was played by people or connected bots, and its cards are known by now."),
                N_("Have it played anew on fresh deals, or enter a result by hand."),
                status=409,
                number=match.pk,
            )


@transaction.atomic
def apply_rerun(*, rerun_id: int, actor: User | None = None) -> RerunPreview:
    """Let the results of a rerun stand instead of the old ones; what changed is returned and in the audit trail."""
    rerun = _lock(rerun_id)
    preview = preview_rerun(rerun)
    if rerun.state == RerunState.APPLIED:
        return preview
    _require_open(rerun)
    if preview.waiting:
        raise LeagueError(
            "rerun_not_played", N_("%(number)s matches are still to be played."), status=409, number=preview.waiting
        )
    pairs = dict(rerun.matches.values_list("match_id", "again_id"))
    changed = [result.match_id for result in preview.results]
    decision = ResultDecision(ResultKind.RERUN, rerun.reason, actor)
    for match_id in sorted(changed):
        take_result(match_id=match_id, from_match_id=pairs[match_id], decision=decision)
    count_again(changed)
    rerun.state = RerunState.APPLIED
    rerun.save(update_fields=("state",))
    detail = {"rerun": rerun.id, "matches": sorted(changed), "places": len(preview.places), **digest_results(changed)}
    record_event(rerun.tournament, "rerun_applied", actor=actor, reason=rerun.reason, detail=detail)
    return preview


@transaction.atomic
def drop_rerun(*, rerun_id: int, actor: User | None = None) -> Rerun:
    """Leave the old results as they are."""
    rerun = _lock(rerun_id)
    if rerun.state == RerunState.DROPPED:
        return rerun
    _require_open(rerun)
    untouched_matches().filter(rerun_of__rerun=rerun).update(state=MatchState.VOID)
    rerun.state = RerunState.DROPPED
    rerun.save(update_fields=("state",))
    record_event(rerun.tournament, "rerun_dropped", actor=actor, detail={"rerun": rerun.id})
    return rerun


def _lock(rerun_id: int) -> Rerun:
    rerun = Rerun.objects.filter(pk=rerun_id, is_fresh=False).first()
    if rerun is None:
        raise LeagueError("no_rerun", N_("There is no rerun %(number)s."), status=404, number=rerun_id)
    lock_tournament_for(rerun.tournament_id, Step.CORRECT)
    return Rerun.objects.select_related("tournament").get(pk=rerun_id)


def _require_open(rerun: Rerun) -> None:
    if rerun.state != RerunState.PLAYING:
        raise LeagueError(
            "rerun_closed",
            N_("This rerun is %(state)s."),
            N_("Begin another one."),
            status=409,
            state=RerunState(rerun.state),
        )


def count_again(match_ids: Sequence[int]) -> None:
    links = FixtureMatch.objects.filter(match_id__in=match_ids).select_related("stage__tournament")
    by_stage: dict[int, list[FixtureMatch]] = {}
    for link in links:
        by_stage.setdefault(link.stage_id, []).append(link)
    for stage_id, mine in by_stage.items():
        apply_corrections(stage_id, mine)
        if mine[0].stage.state == StageState.FINISHED:
            refresh_standings(stage_id=stage_id, is_final=True)
