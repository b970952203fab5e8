"""Matches of a tournament: which are its own, and which are still sealed."""

from games.models import Match
from games.models.match import ENDED
from tournaments.models import Tournament


def list_sealed_matches(tournament: Tournament) -> frozenset[int]:
    """Numbers of matches on deals on which another match is still to end."""
    own = Match.objects.filter(fixture_match__stage__tournament=tournament)
    in_play = own.exclude(state__in=ENDED).values("deals")
    return frozenset(own.filter(deals__in=in_play).values_list("id", flat=True))


def has_match(tournament: Tournament, match_id: int) -> bool:
    return Match.objects.filter(pk=match_id, fixture_match__stage__tournament=tournament).exists()
