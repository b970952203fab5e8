"""Search over leagues, tournaments and players by name."""

from dataclasses import dataclass
from typing import TypeVar

from django.db.models import Case, IntegerField, Model, QuerySet, Value, When

from games.models import Player
from tournaments.models import League, Tournament, TournamentState

LONGEST_QUERY = 100
M = TypeVar("M", bound=Model)


@dataclass(frozen=True, slots=True)
class Found:
    leagues: list[League]
    tournaments: list[Tournament]
    players: list[Player]

    @property
    def is_empty(self) -> bool:
        return not (self.leagues or self.tournaments or self.players)


def search_names(query: str, limit: int) -> Found:
    """The best of each kind: names that start so before names that only contain it."""
    # Postgres stores no NUL, and refuses to look for one.
    words = query.replace("\x00", "").strip()[:LONGEST_QUERY]
    if not words:
        return Found([], [], [])
    public = Tournament.objects.exclude(state=TournamentState.DRAFT).defer("seed")
    return Found(
        list(_by_name(League.objects.all(), words)[:limit]),
        list(_by_name(public, words)[:limit]),
        list(_by_name(Player.objects.filter(is_active=True), words)[:limit]),
    )


def _by_name(rows: QuerySet[M], words: str) -> QuerySet[M]:
    starts = Case(When(name__istartswith=words, then=Value(0)), default=Value(1), output_field=IntegerField())
    return rows.filter(name__icontains=words).order_by(starts, "name")
