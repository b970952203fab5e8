"""Entrants of a tournament, their ratings and teams, and whether somebody can enter by themselves."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import F, Q, QuerySet

from aurum_league.common.errors import N_, LeagueError
from games.models import Player, PlayerKind
from tournaments.models import Entrant, EntrantState, EntryKind, Rating, Stage, Team, Tournament, TournamentState
from tournaments.rules.pairing import TableKind


def list_entrants(tournament: Tournament) -> QuerySet[Entrant]:
    listed = Entrant.objects.filter(tournament=tournament).select_related("player__owner")
    return listed.order_by(F("seed_number").asc(nulls_last=True), "id")


def list_entries(player_id: int, limit: int) -> list[Entrant]:
    """The tournaments that a player entered, newest first; drafts have no entrants."""
    entries = (
        Entrant.objects.filter(player_id=player_id)
        .select_related("tournament__league")
        .defer("tournament__seed", "tournament__secret")
    )
    return list(entries.order_by("-tournament_id")[:limit])


def name_field(stage: Stage) -> dict[int, str]:
    """Names of a stage's entrants by number."""
    return dict(Entrant.objects.filter(id__in=stage.field).values_list("id", "player__name"))


def read_entrant_ratings(tournament: Tournament, players: Iterable[int]) -> dict[int, Rating]:
    """By player; who has none yet is missing. Fixed sides are rated as themselves, in a pool of teams."""
    kind = TableKind(tournament.table_kind)
    found = Rating.objects.filter(
        pool__players=kind.seats,
        pool__entry_kind=tournament.entry_kind,
        pool__is_teams=kind is TableKind.TEAMS4,
        player_id__in=list(players),
    )
    return {rating.player_id: rating for rating in found}


def list_teams() -> QuerySet[Team]:
    return Team.objects.select_related("player", "first", "second", "created_by")


def list_own_teams(user: User) -> QuerySet[Team]:
    own = Q(created_by=user) | Q(first__owner=user) | Q(second__owner=user)
    return list_teams().filter(own).order_by("player__name")


def require_team(slug: str) -> Team:
    team = list_teams().filter(player__slug=slug).first()
    if team is None:
        raise LeagueError("no_team", N_("There is no team %(slug)s."), status=404, slug=slug)
    return team


def is_own_player(player: Player, user_id: int | None) -> bool:
    """Whether somebody speaks for this player: as its owner, or as one of the team."""
    if user_id is None:
        return False
    if player.kind != PlayerKind.TEAM:
        return player.owner_id == user_id
    return user_id in (player.owner_id, player.team.first.owner_id, player.team.second.owner_id)


@dataclass(frozen=True, slots=True)
class OwnEntry:
    """`entrant` is None for who is not in; `is_open` says whether people enter by themselves now.

    `teams` are those that could enter where sides are fixed; None where everybody enters alone.
    """

    entrant: Entrant | None
    is_open: bool
    needs_agreement: bool
    teams: list[Team] | None


def needs_agreement(tournament: Tournament) -> bool:
    """Whether people would be rated against bots."""
    return tournament.is_rated and tournament.entry_kind == EntryKind.MIXED


def find_own_entry(tournament: Tournament, user: User | AnonymousUser) -> OwnEntry:
    is_for_people = tournament.entry_kind in (EntryKind.PEOPLE, EntryKind.MIXED)
    is_open = tournament.state == TournamentState.OPEN and is_for_people
    entrant, teams = None, None
    if isinstance(user, User) and is_for_people:
        entrant = list_own_entrants(tournament, user).first()
    if tournament.table_kind == TableKind.TEAMS4:
        teams = list(list_own_teams(user)) if isinstance(user, User) and is_open and entrant is None else []
    return OwnEntry(entrant, is_open, needs_agreement(tournament), teams)


def list_own_entrants(tournament: Tournament, user: User) -> QuerySet[Entrant]:
    """Oneself, or teams that one plays in, as long as they take part or wait to."""
    own = Q(player__owner=user, player__kind=PlayerKind.PERSON)
    if tournament.table_kind == TableKind.TEAMS4:
        own = Q(player__team__first__owner=user) | Q(player__team__second__owner=user)
    here = (EntrantState.WAITING, EntrantState.ENTERED, EntrantState.CHECKED_IN)
    return tournament.entrants.filter(own, state__in=here)
