"""A match with its seats, and the block of matches on the same deals that it belongs to."""

from collections.abc import Sequence

from django.db.models import Prefetch, QuerySet

from games.models import Match, MatchSeat, MatchState
from games.models.match import ENDED

MOST_IN_A_BLOCK = 24


def _seats() -> QuerySet[MatchSeat]:
    return MatchSeat.objects.select_related("player").order_by("seat")


def load_match(match_id: int) -> Match | None:
    """With its result and, in two queries, its seats in order; whoever shows it asks `may_see_match` first."""
    matches = Match.objects.select_related("result").prefetch_related(Prefetch("seats", queryset=_seats()))
    return matches.filter(pk=match_id).first()


def count_open_matches(match: Match) -> int:
    """How many matches on the same deals are still to end; none of them ended means this one is no longer sealed."""
    return Match.objects.filter(deals=match.deals).exclude(state__in=ENDED).count()


def list_seatings(match: Match) -> Sequence[Match]:
    """Every finished match of the block, this one included, with results and seats; for unsealed matches only."""
    matches = Match.objects.filter(deals=match.deals, state=MatchState.FINISHED).select_related("result")
    seats = Prefetch("seats", queryset=_seats())
    return list(matches.defer("seed", "log", "result__log").prefetch_related(seats).order_by("pk")[:MOST_IN_A_BLOCK])
