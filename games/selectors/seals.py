"""Seals: hands, seeds and logs stay sealed until every match on the same deals has ended."""

from collections.abc import Iterable

from aurum_league.common.errors import LeagueError
from games.models import Match
from games.models.match import ENDED


def is_sealed(match: Match) -> bool:
    """Whether hidden cards of this match could still help somebody."""
    return match.state not in ENDED or Match.objects.filter(deals=match.deals).exclude(state__in=ENDED).exists()


def sealed_deals(deals: Iterable[object]) -> frozenset[object]:
    """Of these deals, those on which a match is still to end."""
    open_matches = Match.objects.filter(deals__in=list(deals)).exclude(state__in=ENDED)
    return frozenset(open_matches.values_list("deals", flat=True).distinct())


def require_unsealed(match: Match) -> None:
    if is_sealed(match):
        raise LeagueError(
            "match_sealed",
            "This match is sealed until every match on the same deals has ended.",
            "Come back when they have.",
            403,
        )
