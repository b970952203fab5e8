"""A new match on fresh deals for people and connected bots, whose old one must not stand.

The old result counts until the new match is settled; then that one counts by itself, as a further version, and nobody
can wait for what it will be before deciding whether it shall. Once a card of it was seen it is played to its end.
"""

import uuid
from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.urls import reverse

from aurum_league.common.errors import N_, LeagueError
from aurum_league.common.telling import tell
from games.models import Match, MatchKind, MatchSeat, MatchState, ResultKind
from games.rules.deal import draw_first_seat
from games.rules.ruleset import Ruleset
from games.selectors.matches import untouched_matches
from games.services.by_hand import ResultDecision, take_result
from games.services.create import MatchPlan, SeatPlan, create_matches, new_seed
from games.signals import SettledMatch
from tournaments.models import FixtureMatch, FixtureState, Rerun, RerunMatch, RerunState, Tournament, TournamentState
from tournaments.rules.lifecycle import Step
from tournaments.selectors.desk import find_fresh_match
from tournaments.services.decisions import count_again, digest_results, find_link, require_no_fresh, require_reason
from tournaments.services.lifecycle import lock_tournament, nudge_tournament_on_commit, record_event
from tournaments.services.release import DEFAULT_CLOCK


@transaction.atomic
def play_fresh(*, match_id: int, reason: str, actor: User | None = None) -> Rerun:
    """Have a finished match of people or connected bots played anew; everybody concerned is told."""
    require_reason(reason)
    link, tournament = find_link(match_id, Step.CORRECT)
    _require_can_begin(link, tournament)
    seats = list(MatchSeat.objects.filter(match_id=match_id).select_related("player__owner", "owner").order_by("seat"))
    _require_there(seats)
    ruleset = Ruleset.from_code(link.match.ruleset)
    plan = MatchPlan(
        ruleset,
        tuple(SeatPlan(seat.player, seat.ref) for seat in seats),
        _make_seed(ruleset, link.match.result.first_seat),
        uuid.uuid4(),
    )
    rerun = Rerun.objects.create(tournament=tournament, is_fresh=True, reason=reason[:400], created_by=actor)
    (fresh_id,) = create_matches(
        plans=[plan],
        kind=MatchKind.TOURNAMENT,
        is_rated=False,
        account=tournament.organiser_id,
        clock=tournament.clock or DEFAULT_CLOCK,
    )
    RerunMatch.objects.create(rerun=rerun, match_id=match_id, again_id=fresh_id)
    fresh = Match.objects.only("commitment").get(pk=fresh_id)
    detail = {"match": match_id, "fresh": fresh_id, "commitment": fresh.commitment, "rerun": rerun.id}
    record_event(tournament, "fresh_begun", actor=actor, reason=reason, detail=detail)
    tell(
        _list_concerned(seats),
        kind="fresh_match",
        subject=N_("A match of yours is played anew: %(tournament)s"),
        text=N_(
            "Match %(match)s of %(tournament)s is to be played anew on fresh deals, because: %(reason)s. "
            "You have as much time as for any match. Its old result counts until the new match has ended."
        ),
        url=reverse("match", args=[fresh_id]),
        tournament=tournament.name,
        match=match_id,
        reason=reason[:400],
    )
    return rerun


def _make_seed(ruleset: Ruleset, first_seat: int) -> bytes:
    """Chance of its own, for the tournament's seed may be public by now; who begins stays as it was drawn."""
    while draw_first_seat(seed := new_seed(), ruleset.players) != first_seat:
        pass
    return seed


def _require_can_begin(link: FixtureMatch, tournament: Tournament) -> None:
    if link.match.state != MatchState.FINISHED or link.fixture.state == FixtureState.VOID:
        sentence = N_("Match %(number)s has no result that counts.")
        raise LeagueError("no_result_yet", sentence, status=409, number=link.match_id)
    if not any(seat.ref.is_awaited for seat in link.match.seats.all()):
        raise LeagueError(
            "fresh_needs_people",
            N_("Nobody at match %(number)s can have seen its cards."),
            N_("Run it again on the same deals."),
            status=409,
            number=link.match_id,
        )
    if tournament.state == TournamentState.PAUSED:
        raise LeagueError("paused", N_("This tournament is paused."), N_("Resume it first."), status=409)
    require_no_fresh([link.match_id])


def _require_there(seats: Sequence[MatchSeat]) -> None:
    for seat in seats:
        if not seat.player.is_active:
            raise LeagueError(
                "player_gone",
                N_("%(name)s is no longer here."),
                N_("Enter a result by hand, or make it void."),
                status=409,
                name=seat.player.name,
            )


def _list_concerned(seats: Sequence[MatchSeat]) -> list[User]:
    """People, and the owners of bots, each once."""
    return [owner for owner in {seat.owner_id: seat.owner for seat in seats}.values() if owner is not None]


def notice_fresh_ends(*, matches: Sequence[SettledMatch]) -> None:
    """Have a worker count new matches that have just ended; within the transaction that settles them."""
    unrated = [match.id for match in matches if not match.is_rated]
    if unrated:
        ended = Rerun.objects.filter(is_fresh=True, state=RerunState.PLAYING, matches__again__in=unrated)
        for tournament_id in ended.values_list("tournament_id", flat=True).distinct():
            nudge_tournament_on_commit(tournament_id)


def count_fresh_results(*, tournament_id: int | None = None) -> int:
    """Let new matches that have ended count, of one tournament or of all; how many did. Twice changes nothing."""
    ended = RerunMatch.objects.filter(
        rerun__is_fresh=True, rerun__state=RerunState.PLAYING, again__state=MatchState.FINISHED
    )
    if tournament_id is not None:
        ended = ended.filter(rerun__tournament=tournament_id)
    found = list(ended.order_by("rerun_id").values_list("rerun_id", "rerun__tournament_id"))
    return sum(_count_one(rerun_id, tournament) for rerun_id, tournament in found)


@transaction.atomic
def _count_one(rerun_id: int, tournament_id: int) -> bool:
    tournament = lock_tournament(tournament_id)
    rerun = Rerun.objects.select_related("created_by").get(pk=rerun_id)
    if rerun.state != RerunState.PLAYING:
        return False
    pair = rerun.matches.get()
    decision = ResultDecision(ResultKind.FRESH, rerun.reason, rerun.created_by)
    take_result(match_id=pair.match_id, from_match_id=pair.again_id, decision=decision)
    rerun.state = RerunState.APPLIED
    rerun.save(update_fields=("state",))
    count_again([pair.match_id])
    detail = {"match": pair.match_id, "fresh": pair.again_id, "rerun": rerun.id, **digest_results([pair.match_id])}
    record_event(tournament, "fresh_counted", reason=rerun.reason, actor=rerun.created_by, detail=detail)
    return True


@transaction.atomic
def drop_fresh(*, match_id: int, reason: str = "", actor: User | None = None) -> None:
    """Leave the old result as it is; possible while nobody has seen a card of the new match, or it cannot be played."""
    _, tournament = find_link(match_id, Step.CORRECT)
    fresh = find_fresh_match(match_id)
    if fresh is None:
        return
    again = Match.objects.select_for_update(no_key=True).get(pk=fresh.again_id)
    is_untouched = untouched_matches().filter(pk=again.pk).exists()
    if not is_untouched and again.state != MatchState.QUARANTINED:
        raise LeagueError(
            "match_under_way",
            N_("Match %(number)s of this table is under way."),
            N_("Wait for its end, or let a seat forfeit."),
            status=409,
            number=again.pk,
        )
    Match.objects.filter(pk=again.pk).update(state=MatchState.VOID)
    Rerun.objects.filter(pk=fresh.rerun_id).update(state=RerunState.DROPPED)
    detail = {"match": match_id, "fresh": again.pk, "rerun": fresh.rerun_id}
    record_event(tournament, "fresh_dropped", actor=actor, reason=reason, detail=detail)
    seats = MatchSeat.objects.filter(match_id=again.pk).select_related("owner")
    tell(
        _list_concerned(list(seats)),
        kind="fresh_match",
        subject=N_("No new match after all: %(tournament)s"),
        text=N_("Match %(match)s of %(tournament)s is not played anew; its result stays as it is."),
        url=reverse("match", args=[match_id]),
        tournament=tournament.name,
        match=match_id,
    )
