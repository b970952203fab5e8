"""How far a tournament is: matches ended of those released."""

from dataclasses import dataclass

from django.db.models import Sum

from games.models import MatchState
from tournaments.models import Fixture, FixtureMatch, FixtureState, Tournament


@dataclass(frozen=True, slots=True)
class Progress:
    """`quarantined` matches wait for the organiser."""

    ended: int
    total: int
    quarantined: int


def read_progress(tournament: Tournament) -> Progress:
    """Counted from the fixtures' own counters: no match is looked at but those that are set aside."""
    matches = FixtureMatch.objects.filter(stage__tournament=tournament)
    pending = Fixture.objects.filter(matchday__stage__tournament=tournament, state=FixtureState.PENDING)
    total = matches.count()
    return Progress(
        ended=total - (pending.aggregate(left=Sum("open_matches"))["left"] or 0),
        total=total,
        quarantined=matches.filter(match__state=MatchState.QUARANTINED).count(),
    )
