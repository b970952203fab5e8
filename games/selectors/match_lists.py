"""Matches and players that somebody may see; seeds and logs are never loaded with them."""

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Prefetch, Q, QuerySet

from aurum_league.common.errors import LeagueError
from games.models import Match, MatchKind, MatchSeat, Player

PUBLIC_KINDS = (MatchKind.TOURNAMENT, MatchKind.CASUAL)
"""What authors try out among themselves is shown to those who hold a seat."""


def list_matches(user: User | AnonymousUser) -> QuerySet[Match]:
    """With seats, players and results, in three queries however many."""
    seats = Prefetch("seats", MatchSeat.objects.select_related("player").order_by("seat"))
    shown = Match.objects.defer("seed", "log", "result__log").select_related("result").prefetch_related(seats)
    if user.is_staff:
        return shown
    is_public = Q(kind__in=PUBLIC_KINDS)
    if not user.is_authenticated:
        return shown.filter(is_public)
    return shown.filter(is_public | Q(pk__in=MatchSeat.objects.filter(owner=user).values("match_id")))


def may_see_match(match: Match, user: User | AnonymousUser) -> bool:
    """The same for one match whose seats have been fetched."""
    if user.is_staff or match.kind in PUBLIC_KINDS:
        return True
    return user.is_authenticated and any(seat.owner_id == user.pk for seat in match.seats.all())


def find_match(match_id: int, user: User | AnonymousUser) -> Match:
    match = list_matches(user).filter(pk=match_id).first()
    if match is None:
        raise LeagueError("match_unknown", "There is no such match.", status=404)
    return match


def list_players() -> QuerySet[Player]:
    return Player.objects.select_related("owner")


def find_player(slug: str) -> Player:
    player = list_players().filter(slug=slug).first()
    if player is None:
        raise LeagueError("player_unknown", f"There is no player {slug}.", status=404)
    return player
