"""Whether somebody can enter a tournament by themselves, and whether they have."""

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser, User

from games.models import PlayerKind
from tournaments.models import Entrant, EntrantState, EntryKind, Tournament, TournamentState
from tournaments.rules.pairing import TableKind


@dataclass(frozen=True, slots=True)
class OwnEntry:
    """`entrant` is None for who is not in; `is_open` says whether people enter one by one now."""

    entrant: Entrant | None
    is_open: bool
    needs_agreement: bool


def needs_agreement(tournament: Tournament) -> bool:
    """Whether people would be rated against bots."""
    return tournament.is_rated and tournament.entry_kind == EntryKind.MIXED


def find_own_entry(tournament: Tournament, user: User | AnonymousUser) -> OwnEntry:
    is_for_people = tournament.entry_kind in (EntryKind.PEOPLE, EntryKind.MIXED)
    is_open = tournament.state == TournamentState.OPEN and tournament.table_kind != TableKind.TEAMS4
    entrant = None
    if isinstance(user, User) and is_for_people:
        own = tournament.entrants.filter(player__owner=user, player__kind=PlayerKind.PERSON)
        here = (EntrantState.WAITING, EntrantState.ENTERED, EntrantState.CHECKED_IN)
        entrant = own.filter(state__in=here).first()
    return OwnEntry(entrant, is_open and is_for_people, needs_agreement(tournament))
