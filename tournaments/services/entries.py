"""Entering: who may, the waiting list, check-in, and late entries."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from aurum_league.common.errors import N_, LeagueError
from games.models import Player, PlayerKind
from games.services.players import can_enter, is_connected
from tournaments.models import Entrant, EntrantState, EntryKind, Tournament, TournamentState
from tournaments.rules.formats.catalogue import FORMATS
from tournaments.rules.lifecycle import Step, can_take
from tournaments.rules.pairing import TableKind
from tournaments.selectors.stages import find_current_stage, next_unreleased_matchday
from tournaments.services.chance import accept_contribution, contribute
from tournaments.services.draw import drop_unreleased_matchdays
from tournaments.services.lifecycle import lock_tournament_for, nudge_tournament_on_commit, record_event

IN_FIELD = (EntrantState.ENTERED, EntrantState.CHECKED_IN)
GONE = (EntrantState.WITHDRAWN, EntrantState.DISQUALIFIED, EntrantState.REPLACED)
KINDS_ALLOWED = {
    EntryKind.BOTS: {PlayerKind.BOT, PlayerKind.HOUSE},
    EntryKind.PEOPLE: {PlayerKind.PERSON},
    EntryKind.MIXED: {PlayerKind.PERSON, PlayerKind.BOT, PlayerKind.HOUSE},
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
        is_full = tournament.capacity is not None and taken >= tournament.capacity
        state = EntrantState.WAITING if is_full else EntrantState.ENTERED
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
    stage = find_current_stage(tournament)
    if not FORMATS[stage.format].takes_late_entries:
        raise LeagueError("no_late_entry", N_("A bracket takes nobody after it was drawn."), status=409)
    entrant, is_new = _enter(tournament, player, EntrantState.ENTERED, actor)
    if is_new:
        entrant.entered_on = next_unreleased_matchday(stage)
        entrant.save(update_fields=("entered_on",))
        stage.field = [*stage.field, entrant.id]
        stage.save(update_fields=("field",))
        drop_unreleased_matchdays(stage)
        nudge_tournament_on_commit(tournament.id)
    return entrant


@transaction.atomic
def check_in_entrant(*, entrant_id: int, actor: User | None = None) -> Entrant:
    """Confirm that an entrant is there; running twice changes nothing."""
    entrant = find_entrant(entrant_id)
    tournament = lock_tournament_for(entrant.tournament_id, Step.CHECK_IN)
    entrant.refresh_from_db()
    if entrant.state == EntrantState.CHECKED_IN:
        return entrant
    if entrant.state != EntrantState.ENTERED:
        raise LeagueError(
            "not_entered", N_("%(entrant)s is not entered, so it cannot check in."), status=409, entrant=entrant
        )
    if tournament.check_in_ends_at is not None and tournament.check_in_ends_at < timezone.now():
        raise LeagueError("check_in_over", N_("The time to check in is over."), N_("Ask the organiser."), status=409)
    entrant.state = EntrantState.CHECKED_IN
    entrant.save(update_fields=("state",))
    record_event(tournament, "checked_in", actor=actor, detail={"entrant": entrant.id})
    return entrant


@transaction.atomic
def set_check_in_end(*, tournament_id: int, ends_at: datetime | None, actor: User | None = None) -> Tournament:
    """Say until when entrants can check in, or with None that no time is set; the same time twice changes nothing."""
    tournament = lock_tournament_for(tournament_id, Step.SET_CHECK_IN)
    if not tournament.needs_check_in:
        raise LeagueError("no_check_in", N_("This tournament has no check-in."), N_("Edit the draft."), status=409)
    if tournament.check_in_ends_at != ends_at:
        tournament.check_in_ends_at = ends_at
        tournament.save(update_fields=("check_in_ends_at",))
        said = ends_at.isoformat() if ends_at else None
        record_event(tournament, "check_in_set", actor=actor, detail={"check_in_ends_at": said})
    return tournament


def find_entrant(entrant_id: int) -> Entrant:
    try:
        return Entrant.objects.select_related("player").get(pk=entrant_id)
    except Entrant.DoesNotExist:
        raise LeagueError("no_entrant", N_("There is no entrant %(number)s."), status=404, number=entrant_id) from None


def promote_waiting(tournament: Tournament) -> None:
    """Fill free places from the waiting list, first come first served; the caller holds the lock."""
    if tournament.state != TournamentState.OPEN:
        return
    waiting = tournament.entrants.filter(state=EntrantState.WAITING).order_by("entered_at", "id")
    if tournament.capacity is not None:
        waiting = waiting[: max(0, tournament.capacity - tournament.entrants.filter(state__in=IN_FIELD).count())]
    for entrant in waiting:
        entrant.state = EntrantState.ENTERED
        entrant.save(update_fields=("state",))
        record_event(tournament, "entered", detail={"entrant": entrant.id, "state": entrant.state})


def require_can_enter(tournament: Tournament, player: Player) -> None:
    """A coded error where the tournament is not for this player."""
    members = [player]
    if player.kind == PlayerKind.TEAM:
        if tournament.table_kind != TableKind.TEAMS4:
            raise LeagueError("no_teams", N_("This tournament is for single players, not for teams."))
        members = [player.team.first, player.team.second]
    elif tournament.table_kind == TableKind.TEAMS4 and player.kind == PlayerKind.PERSON:
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


def _require_one_hand_each(tournament: Tournament, player: Player, members: Sequence[Player]) -> None:
    """In rated play nobody who answers for connected bots sees both hands of a side."""
    if not tournament.is_rated or tournament.table_kind != TableKind.TEAMS4:
        return
    bots = [member for member in members if member.kind == PlayerKind.BOT and is_connected(member)]
    holds_both = player.kind == PlayerKind.BOT and bots
    if holds_both or (len(bots) == 2 and bots[0].owner_id == bots[1].owner_id):
        raise LeagueError(
            "both_seats",
            N_("One author's connected bots would see both hands of a side."),
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
    tournament: Tournament, player: Player, state: EntrantState, actor: User | None, given: str = ""
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
        if entrant.state not in GONE:
            contribute(tournament, entrant, given, actor)
            return entrant, False
        if tournament.state != TournamentState.OPEN:
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
    record_event(tournament, "entered", actor=actor, detail=detail)
    return entrant, True
