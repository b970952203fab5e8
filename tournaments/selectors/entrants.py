"""Entrants of a tournament, their ratings and teams, and whether somebody can enter by themselves."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, F, Q, QuerySet
from django.utils import timezone

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


def count_taking_part(tournament: Tournament) -> int:
    return tournament.entrants.filter(state__in=(EntrantState.ENTERED, EntrantState.CHECKED_IN)).count()


def list_answers(tournament: Tournament) -> list[Entrant]:
    """Those who answered the organiser's questions."""
    return list(list_entrants(tournament).exclude(answers=[]))


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
    can_check_in: bool
    needs_agreement: bool
    teams: list[Team] | None


def needs_agreement(tournament: Tournament) -> bool:
    """Whether people would be rated against bots."""
    return tournament.is_rated and tournament.entry_kind == EntryKind.MIXED


AWAITED = (EntrantState.ENTERED, EntrantState.ABSENT)
"""States in which an entrant may still check in."""


@dataclass(frozen=True, slots=True)
class CheckIn:
    """How many of those expected have checked in; `is_open` says whether players can do so by themselves now."""

    done: int
    expected: int
    opens_at: datetime | None
    ends_at: datetime | None
    is_open: bool
    is_to_come: bool


def read_check_in(tournament: Tournament) -> CheckIn | None:
    """None where there is no check-in, or none any more."""
    if not tournament.needs_check_in or tournament.state != TournamentState.OPEN:
        return None
    states = (EntrantState.ENTERED, EntrantState.CHECKED_IN, EntrantState.ABSENT)
    counted = dict(tournament.entrants.filter(state__in=states).order_by().values_list("state").annotate(Count("id")))
    return CheckIn(
        done=counted.get(EntrantState.CHECKED_IN, 0),
        expected=sum(counted.values()),
        opens_at=tournament.check_in_opens_at,
        ends_at=tournament.check_in_ends_at,
        is_open=is_check_in_open(tournament),
        is_to_come=tournament.check_in_opens_at is not None and tournament.check_in_opens_at > timezone.now(),
    )


def is_check_in_open(tournament: Tournament) -> bool:
    """Whether players can check in by themselves at this moment."""
    if not tournament.needs_check_in or tournament.state != TournamentState.OPEN:
        return False
    now, opens_at, ends_at = timezone.now(), tournament.check_in_opens_at, tournament.check_in_ends_at
    return (opens_at is None or opens_at <= now) and (ends_at is None or ends_at > now)


def list_people(entrants: QuerySet[Entrant]) -> list[User]:
    """The accounts behind entrants: people themselves, both of a team, and owners of bots."""
    told = entrants.select_related("player__owner", "player__team__first__owner", "player__team__second__owner")
    users: dict[int, User] = {}
    for entrant in told:
        player = entrant.player
        members = (player.team.first, player.team.second) if player.kind == PlayerKind.TEAM else (player,)
        users |= {one.owner.pk: one.owner for one in members if one.owner is not None}
    return list(users.values())


def list_own_check_ins(user: User) -> list[Entrant]:
    """Entries of the user's own that wait for a check-in now, with their tournaments."""
    own = Q(player__owner=user, player__kind=PlayerKind.PERSON)
    own |= Q(player__team__first__owner=user) | Q(player__team__second__owner=user)
    waiting = Entrant.objects.filter(
        own,
        state__in=AWAITED,
        tournament__needs_check_in=True,
        tournament__state=TournamentState.OPEN,
    )
    found = (
        waiting.select_related("tournament").defer("tournament__seed", "tournament__secret").order_by("tournament_id")
    )
    return [entrant for entrant in found if is_check_in_open(entrant.tournament)]


def are_entries_open(tournament: Tournament) -> bool:
    """Whether players can enter by themselves at this moment."""
    now, opens_at, closes_at = timezone.now(), tournament.entries_open_at, tournament.entries_close_at
    is_time = (opens_at is None or opens_at <= now) and (closes_at is None or closes_at > now)
    return tournament.state == TournamentState.OPEN and is_time


def find_own_entry(tournament: Tournament, user: User | AnonymousUser) -> OwnEntry:
    is_for_people = tournament.entry_kind in (EntryKind.PEOPLE, EntryKind.MIXED)
    is_open = is_for_people and are_entries_open(tournament)
    entrant, teams = None, None
    if isinstance(user, User) and is_for_people:
        entrant = list_own_entrants(tournament, user).first()
    if tournament.table_kind == TableKind.TEAMS4:
        teams = list(list_own_teams(user)) if isinstance(user, User) and is_open and entrant is None else []
    can_check_in = entrant is not None and entrant.state in AWAITED and is_check_in_open(tournament)
    return OwnEntry(entrant, is_open, can_check_in, needs_agreement(tournament), teams)


def list_own_entrants(tournament: Tournament, user: User) -> QuerySet[Entrant]:
    """Oneself, or teams that one plays in, as long as they take part or wait to."""
    own = Q(player__owner=user, player__kind=PlayerKind.PERSON)
    if tournament.table_kind == TableKind.TEAMS4:
        own = Q(player__team__first__owner=user) | Q(player__team__second__owner=user)
    here = (EntrantState.WAITING, EntrantState.ENTERED, EntrantState.CHECKED_IN, EntrantState.ABSENT)
    return tournament.entrants.filter(own, state__in=here)
