"""Matches that could not be played: told to the organiser's open pages; the match row itself holds the reason."""

from collections.abc import Sequence

from tournaments.models import FixtureMatch
from tournaments.services.events import tell_on_commit


def report_trouble(*, match_ids: Sequence[int]) -> None:
    """Tell the pages of every tournament concerned that a decision is wanted."""
    links = FixtureMatch.objects.filter(match_id__in=match_ids).values_list("stage__tournament_id", "match_id")
    for tournament_id, match_id in links:
        tell_on_commit(tournament_id, {"kind": "quarantined", "match": match_id})
