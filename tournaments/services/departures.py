"""Leaving: withdrawal, disqualification and replacement, in any format, undoing nothing that was played."""

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext

from aurum_league.common.errors import N_, LeagueError
from games.models import MatchSeat, Player
from games.selectors.matches import untouched_matches
from games.services.players import agent_of
from tournaments.models import (
    Entrant,
    EntrantState,
    Fixture,
    FixtureState,
    MatchdayState,
    Tournament,
    TournamentState,
)
from tournaments.rules.lifecycle import Step
from tournaments.rules.pairing import TableKind
from tournaments.selectors.stages import find_current_stage, next_unreleased_matchday
from tournaments.services.draw import drop_unreleased_matchdays
from tournaments.services.entries import require_can_enter
from tournaments.services.lifecycle import (
    lock_tournament_for,
    nudge_tournament_on_commit,
    record_event,
    take_step,
    void_untouched_fixtures,
)
from tournaments.services.presence import IN_FIELD, find_entrant, promote_waiting
from tournaments.services.release import members_of
from tournaments.services.results import bump_results

STILL_HERE = (*IN_FIELD, EntrantState.WAITING, EntrantState.ABSENT)


@transaction.atomic
def withdraw_entrant(*, entrant_id: int, actor: User | None = None, reason: str = "") -> Entrant:
    """Take an entrant out: its tables that nobody has begun become void, and it is drawn no more."""
    return _leave(entrant_id, EntrantState.WITHDRAWN, actor, reason)


def withdraw_players(*, players: Sequence[int]) -> None:
    """Take players who are gone for good out of every tournament that is not over."""
    entered = Entrant.objects.filter(player__in=players, state__in=STILL_HERE)
    running = entered.exclude(tournament__state__in=(TournamentState.FINISHED, TournamentState.CANCELLED))
    for entrant_id in running.order_by("pk").values_list("pk", flat=True):
        withdraw_entrant(entrant_id=entrant_id, reason=gettext("The player has left the league."))


@transaction.atomic
def disqualify_entrant(*, entrant_id: int, reason: str, actor: User | None = None) -> Entrant:
    """The same against the entrant's will, for a stated reason; what it played before still counts."""
    if not reason.strip():
        raise LeagueError("needs_reason", N_("A disqualification needs a reason."))
    return _leave(entrant_id, EntrantState.DISQUALIFIED, actor, reason)


@transaction.atomic
def replace_entrant(*, entrant_id: int, player: Player, actor: User | None = None, reason: str = "") -> Entrant:
    """Let another player take over an entrant's place, points and all, at every table that nobody has begun."""
    entrant = find_entrant(entrant_id)
    tournament = lock_tournament_for(entrant.tournament_id, Step.REPLACE)
    entrant.refresh_from_db()
    if entrant.player_id == player.id:
        return entrant
    if entrant.state not in IN_FIELD:
        raise LeagueError("has_left", N_("%(entrant)s has left this tournament."), status=409, entrant=entrant)
    if tournament.entrants.filter(player=player).exists():
        raise LeagueError(
            "already_entered", N_("%(name)s is or was in this tournament itself."), status=409, name=player.name
        )
    if tournament.table_kind == TableKind.TEAMS4 and entrant.player.kind != player.kind:
        raise LeagueError("wrong_kind", N_("A team can be replaced by a team only, and a bot by a bot."))
    require_can_enter(tournament, player)
    replaced = entrant.player
    Entrant.objects.filter(pk=entrant.pk).update(player=player, replaces=None)
    former = Entrant.objects.create(
        tournament=tournament,
        player=replaced,
        state=EntrantState.REPLACED,
        replaces_id=entrant.replaces_id,
        reason=reason[:200],
    )
    Entrant.objects.filter(pk=entrant.pk).update(replaces=former)
    _take_over_seats(tournament, entrant.id, replaced, player)
    entrant.refresh_from_db()
    detail = {"entrant": entrant.id, "player": player.id, "replaced": replaced.id}
    record_event(tournament, "replaced", actor=actor, reason=reason, detail=detail)
    return entrant


def _leave(entrant_id: int, state: EntrantState, actor: User | None, reason: str) -> Entrant:
    entrant = find_entrant(entrant_id)
    tournament = lock_tournament_for(entrant.tournament_id, Step.LEAVE)
    entrant.refresh_from_db()
    if entrant.state == state:
        return entrant
    if entrant.state not in STILL_HERE:
        raise LeagueError("has_left", N_("%(entrant)s has left this tournament already."), status=409, entrant=entrant)
    entrant.state, entrant.reason = state, reason[:200]
    if tournament.state in (TournamentState.PLAYING, TournamentState.PAUSED):
        _leave_running(tournament, entrant)
    entrant.save(update_fields=("state", "reason", "left_on"))
    record_event(tournament, state, actor=actor, reason=reason, detail={"entrant": entrant.id})
    if tournament.state == TournamentState.DRAWN:
        drop_unreleased_matchdays(find_current_stage(tournament))
        take_step(tournament, Step.LEAVE)
    promote_waiting(tournament)
    return entrant


def _leave_running(tournament: Tournament, entrant: Entrant) -> None:
    stage = find_current_stage(tournament)
    entrant.left_on = next_unreleased_matchday(stage)
    pending = Fixture.objects.filter(
        matchday__stage=stage,
        matchday__state=MatchdayState.RELEASED,
        state=FixtureState.PENDING,
        seats__entrant=entrant,
    )
    if void_untouched_fixtures(pending):
        bump_results({stage.id})
    drop_unreleased_matchdays(stage)
    nudge_tournament_on_commit(tournament.id)


def _take_over_seats(tournament: Tournament, entrant_id: int, replaced: Player, player: Player) -> None:
    """Seats at matches that nobody has begun go to the new player; at all others the one who began plays on."""
    untouched = untouched_matches().filter(
        fixture_match__stage__tournament=tournament, fixture_match__entrants__contains=[entrant_id]
    )
    locked = untouched.order_by("id").only("id").select_for_update(skip_locked=True, no_key=True, of=("self",))
    begun_by_nobody = MatchSeat.objects.filter(match__in=[match.id for match in locked])
    leaving = members_of(replaced)
    for old, new in zip(leaving, members_of(player), strict=True):
        seats = list(begun_by_nobody.filter(player=old).values_list("id", "match_id"))
        if not seats:
            continue
        others = MatchSeat.objects.filter(match__in=[match_id for _, match_id in seats], match__is_rated=True)
        if new.owner_id and others.filter(owner_id=new.owner_id).exclude(player__in=leaving).exists():
            sentence = N_("The owner of %(name)s already sits at one of its tables.")
            raise LeagueError("owner_conflict", sentence, status=409, name=new.name)
        MatchSeat.objects.filter(id__in=[seat_id for seat_id, _ in seats]).update(
            player=new, owner_id=new.owner_id, agent=agent_of(new), seen_at=None
        )
