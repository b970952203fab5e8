"""Whether somebody can enter a tournament by themselves, and whether they have."""

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Q, QuerySet

from games.models import PlayerKind
from tournaments.models import Entrant, EntrantState, EntryKind, Team, Tournament, TournamentState
from tournaments.rules.pairing import TableKind
from tournaments.selectors.teams import list_own_teams


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
