"""Entering, on time, waiting or late; and leaving: withdrawn, disqualified or replaced, undoing nothing played."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext

from aurum_league.common.errors import N_, LeagueError
from games.models import MatchSeat, Player, PlayerKind
from games.selectors.matches import untouched_matches
from games.services.players import agent_of, can_enter, is_barred, is_connected
from tournaments.models import (
    Entrant,
    EntrantState,
    EntryKind,
    Fixture,
    FixtureState,
    MatchdayState,
    Tournament,
    TournamentState,
)
from tournaments.rules.formats import FORMATS
from tournaments.rules.lifecycle import Step, can_take
from tournaments.rules.pairing import TableKind
from tournaments.selectors.leagues import find_current_stage, next_unreleased_matchday
from tournaments.services.chance import accept_contribution, contribute
from tournaments.services.draw import drop_unreleased_matchdays
from tournaments.services.field import IN_FIELD, find_entrant, promote_waiting, state_on_entry
from tournaments.services.lifecycle import (
    lock_tournament_for,
    nudge_tournament_on_commit,
    record_event,
    take_step,
    void_untouched_fixtures,
)
from tournaments.services.release import members_of
from tournaments.services.results import bump_results

GONE = (EntrantState.WITHDRAWN, EntrantState.DISQUALIFIED, EntrantState.REPLACED)
KINDS_ALLOWED = {
    EntryKind.BOTS: {PlayerKind.BOT, PlayerKind.HOUSE},
    EntryKind.PEOPLE: {PlayerKind.PERSON, PlayerKind.GUEST},
    EntryKind.MIXED: {PlayerKind.PERSON, PlayerKind.GUEST, PlayerKind.BOT, PlayerKind.HOUSE},
}


@transaction.atomic
def enter_player(*, tournament_id: int, player: Player, actor: User | None = None, contribution: str = "") -> Entrant:
    """Enter a player, or a team by its player; on the waiting list where the tournament is full.

    `contribution` goes into the tournament's seed; who is in already and has given none can still give it so.
    """
    return enter_players(tournament_id=tournament_id, players=[player], actor=actor, contribution=contribution)[0]


@transaction.atomic
def enter_players(
    *, tournament_id: int, players: Iterable[Player], actor: User | None = None, contribution: str = ""
) -> list[Entrant]:
    """Enter several in the order given: all of them, or none if one may not. Who is in already stays as it is."""
    tournament = lock_tournament_for(tournament_id, Step.ENTER)
    given = accept_contribution(tournament, contribution)
    taken = tournament.entrants.filter(state__in=IN_FIELD).count()
    entrants = []
    for player in players:
        require_can_enter(tournament, player)
        _require_not_barred(tournament, player)
        is_full = tournament.capacity is not None and taken >= tournament.capacity
        state = EntrantState.WAITING if is_full else state_on_entry(tournament, player)
        entrant, is_new = _enter(tournament, player, state, actor, given)
        taken += is_new and not is_full
        entrants.append(entrant)
    return entrants


@transaction.atomic
def enter_now(*, tournament: Tournament, players: Iterable[Player], actor: User | None = None) -> list[Entrant]:
    """Enter several on time or, where the tournament plays already, late: all of them, or none if one may not."""
    if can_take(tournament.state, Step.ENTER_LATE):
        return [enter_late(tournament_id=tournament.id, player=player, actor=actor) for player in players]
    return enter_players(tournament_id=tournament.id, players=players, actor=actor)


@transaction.atomic
def enter_late(*, tournament_id: int, player: Player, actor: User | None = None) -> Entrant:
    """Enter while the tournament plays: drawn from the next matchday that is not released."""
    tournament = lock_tournament_for(tournament_id, Step.ENTER_LATE)
    require_can_enter(tournament, player)
    _require_not_barred(tournament, player)
    stage = find_current_stage(tournament)
    if not FORMATS[stage.format].takes_late_entries:
        raise LeagueError("no_late_entry", N_("A bracket takes nobody after it was drawn."), status=409)
    # Whoever is entered while it plays is there: nobody checks in any more.
    is_there = EntrantState.CHECKED_IN if tournament.needs_check_in else EntrantState.ENTERED
    late = {"stage": stage.number, "matchday": next_unreleased_matchday(stage)}
    entrant, is_new = _enter(tournament, player, is_there, actor, late=late)
    if is_new:
        entrant.entered_on = late["matchday"]
        entrant.save(update_fields=("entered_on",))
        stage.field = [*stage.field, entrant.id]
        stage.save(update_fields=("field",))
        drop_unreleased_matchdays(stage)
        nudge_tournament_on_commit(tournament.id)
    return entrant


def require_can_enter(tournament: Tournament, player: Player) -> None:
    """A coded error where the tournament is not for this player."""
    if player.kind == PlayerKind.GUEST and tournament.is_rated:
        raise LeagueError(
            "guest_unrated", N_("Guests have no account, so nothing of theirs is rated."), N_("Make it unrated.")
        )
    members = [player]
    if player.kind == PlayerKind.TEAM:
        if tournament.table_kind != TableKind.TEAMS4:
            raise LeagueError("no_teams", N_("This tournament is for single players, not for teams."))
        members = [player.team.first, player.team.second]
    elif tournament.table_kind == TableKind.TEAMS4 and player.kind in (PlayerKind.PERSON, PlayerKind.GUEST):
        raise LeagueError("needs_team", N_("People enter this tournament as teams of two."), N_("Make a team first."))
    _require_one_hand_each(tournament, player, members)
    allowed = KINDS_ALLOWED[EntryKind(tournament.entry_kind)]
    for member in members:
        if member.kind not in allowed:
            raise LeagueError(
                "wrong_kind", N_("%(name)s cannot enter: this tournament is for others."), name=member.name
            )
        if not can_enter(member, is_rated=tournament.is_rated):
            raise LeagueError(
                "not_qualified", N_("%(name)s may not enter yet."), N_("Qualify it first."), name=member.name
            )


def _require_not_barred(tournament: Tournament, player: Player) -> None:
    """Whom a moderator suspended, or holds from rated play, enters nothing new; who is in already stays in."""
    members = [player.team.first, player.team.second] if player.kind == PlayerKind.TEAM else [player]
    for member in members:
        if is_barred(member, is_rated=tournament.is_rated):
            raise LeagueError(
                "kept_from_play",
                N_("%(name)s cannot enter now: a moderator decided so."),
                N_("They can appeal on their page of fair play."),
                status=403,
                name=member.name,
            )


def _require_one_hand_each(tournament: Tournament, player: Player, members: Sequence[Player]) -> None:
    """In rated play nobody who answers for connected bots sees both hands of a side."""
    if not tournament.is_rated or tournament.table_kind != TableKind.TEAMS4:
        return
    seeing = [member for member in members if member.kind == PlayerKind.PERSON or is_connected(member)]
    holds_both = player.kind == PlayerKind.BOT and seeing
    if holds_both or (len(seeing) == 2 and seeing[0].owner_id == seeing[1].owner_id):
        raise LeagueError(
            "both_seats",
            N_("One person would see two hands, by a connected bot of theirs."),
            N_("Enter an uploaded bot, or make a team with another author's bot."),
            status=409,
        )


def _require_members_free(tournament: Tournament, player: Player) -> None:
    """Nobody takes part both alone and in a team, or in two teams."""
    if tournament.table_kind != TableKind.TEAMS4 or player.kind == PlayerKind.HOUSE:
        return
    members = [player.team.first, player.team.second] if player.kind == PlayerKind.TEAM else [player]
    others = tournament.entrants.exclude(state__in=GONE).exclude(player=player)
    for member in members:
        in_team = Q(player__team__first=member) | Q(player__team__second=member)
        if others.filter(Q(player=member) | in_team).exists():
            raise LeagueError("already_entered", N_("%(name)s takes part already."), status=409, name=member.name)


def _enter(
    tournament: Tournament,
    player: Player,
    state: EntrantState,
    actor: User | None,
    given: str = "",
    late: dict[str, int] | None = None,
) -> tuple[Entrant, bool]:
    entered = {"state": state, "entered_by": actor, "contribution": given}
    entrant, is_new = Entrant.objects.get_or_create(tournament=tournament, player=player, defaults=entered)
    if is_new or entrant.state in GONE:
        _require_members_free(tournament, player)
    if not is_new:
        if entrant.state == EntrantState.DISQUALIFIED:
            raise LeagueError(
                "disqualified", N_("%(name)s was disqualified from this tournament."), status=409, name=player.name
            )
        if entrant.state not in (*GONE, EntrantState.ABSENT):
            contribute(tournament, entrant, given, actor)
            return entrant, False
        if tournament.state != TournamentState.OPEN and entrant.state in GONE:
            raise LeagueError(
                "has_left",
                N_("%(entrant)s has left this tournament."),
                N_("Replace somebody."),
                status=409,
                entrant=player.name,
            )
        entrant.state, entrant.left_on, entrant.reason = state, None, ""
        entrant.contribution = entrant.contribution or given
        entrant.save(update_fields=("state", "left_on", "reason", "contribution"))
    detail = {"entrant": entrant.id, "state": state, "contribution": entrant.contribution or None}
    detail |= {"player": player.id} | ({"late": late} if late else {})
    record_event(tournament, "entered", actor=actor, detail=detail)
    return entrant, True


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
    detail: dict[str, Any] = {"entrant": entrant.id}
    if tournament.state in (TournamentState.PLAYING, TournamentState.PAUSED):
        tables = _leave_running(tournament, entrant)
        detail |= {"left_on": entrant.left_on, "void_tables": tables}
    entrant.save(update_fields=("state", "reason", "left_on"))
    record_event(tournament, state, actor=actor, reason=reason, detail=detail)
    if tournament.state == TournamentState.DRAWN:
        drop_unreleased_matchdays(find_current_stage(tournament))
        take_step(tournament, Step.LEAVE)
    promote_waiting(tournament)
    return entrant


def _leave_running(tournament: Tournament, entrant: Entrant) -> list[list[int]]:
    """The tables that became void."""
    stage = find_current_stage(tournament)
    entrant.left_on = next_unreleased_matchday(stage)
    pending = Fixture.objects.filter(
        matchday__stage=stage,
        matchday__state=MatchdayState.RELEASED,
        state=FixtureState.PENDING,
        seats__entrant=entrant,
    )
    voided = void_untouched_fixtures(pending)
    if voided.tables:
        bump_results({stage.id})
    drop_unreleased_matchdays(stage)
    nudge_tournament_on_commit(tournament.id)
    return voided.tables


def _take_over_seats(tournament: Tournament, entrant_id: int, replaced: Player, player: Player) -> None:
    """Seats at matches that nobody has begun go to the new player; at all others the one who began plays on."""
    untouched = untouched_matches().filter(
        fixture_match__stage__tournament=tournament, fixture_match__entrants__contains=[entrant_id]
    )
    locked = untouched.order_by("id").only("id").select_for_update(skip_locked=True, no_key=True, of=("self",))
    begun_by_nobody = MatchSeat.objects.filter(match__in=[match.id for match in locked])
    leaving = members_of(replaced)
    for old, new in zip(leaving, members_of(player), strict=True):
        seats = list(begun_by_nobody.filter(player=old).values_list("match_id", flat=True))
        if not seats:
            continue
        others = MatchSeat.objects.filter(match__in=seats, match__is_rated=True)
        if new.owner_id and others.filter(owner_id=new.owner_id).exclude(player__in=leaving).exists():
            sentence = N_("The owner of %(name)s already sits at one of its tables.")
            raise LeagueError("owner_conflict", sentence, status=409, name=new.name)
        MatchSeat.objects.filter(match__in=seats, player=old).update(
            player=new, owner_id=new.owner_id, agent=agent_of(new), seen_at=None
        )
