"""The fixture that a match belongs to."""

from games.models import Match
from tournaments.models import Fixture


def find_fixture_of(match: Match) -> Fixture | None:
    """With its matchday, stage, tournament and league; None for a match outside of a tournament."""
    fixtures = Fixture.objects.select_related("matchday__stage__tournament__league")
    return fixtures.defer("matchday__stage__tournament__seed").filter(fixture_matches__match=match).first()
