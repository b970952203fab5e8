"""Ratings of a tournament's entrants in the pool that its matches count in."""

from collections.abc import Iterable

from tournaments.models import Rating, Tournament
from tournaments.rules.pairing import TableKind


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
