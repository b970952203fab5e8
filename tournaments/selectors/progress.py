"""How far a tournament is: matches ended of those released."""

from dataclasses import dataclass

from django.db.models import Count, Q

from games.models import MatchState
from games.models.match import ENDED
from tournaments.models import FixtureMatch, Tournament


@dataclass(frozen=True, slots=True)
class Progress:
    """`quarantined` matches wait for the organiser."""

    ended: int
    total: int
    quarantined: int


def read_progress(tournament: Tournament) -> Progress:
    counts = FixtureMatch.objects.filter(stage__tournament=tournament).aggregate(
        ended=Count("id", filter=Q(match__state__in=ENDED)),
        total=Count("id"),
        quarantined=Count("id", filter=Q(match__state=MatchState.QUARANTINED)),
    )
    return Progress(**counts)
