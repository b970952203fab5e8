"""Players as everybody may see them: found by address, their public results, and who they met."""

from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from games.models import Match, MatchKind, MatchState, Player
from tournaments.selectors.latest import with_result

PUBLIC_KINDS = (MatchKind.TOURNAMENT, MatchKind.CASUAL)
"""Qualifications, scrimmages and trials are a bot author's own business."""

LATEST_MATCHES = 1000
"""What a player's page sums up: some bots play a hundred thousand, and nobody would wait for those to be counted."""

_OPPONENTS = """
    SELECT other.player_id, player.name, player.slug, count(*),
           avg(CASE WHEN r.places[mine.side + 1] < r.places[other.side + 1] THEN 1.0
                    WHEN r.places[mine.side + 1] = r.places[other.side + 1] THEN 0.5 ELSE 0.0 END)::float8,
           avg(r.totals[mine.side + 1] - r.totals[other.side + 1])::float8
    FROM (
        SELECT * FROM games_matchseat WHERE player_id = %(player)s ORDER BY match_id DESC LIMIT %(latest)s
    ) AS mine
    JOIN games_match AS m ON m.id = mine.match_id AND m.state = 'finished' AND m.kind = ANY(%(kinds)s)
    JOIN games_matchresult AS r ON r.match_id = mine.match_id
    JOIN games_matchseat AS other ON other.match_id = mine.match_id AND other.side <> mine.side
    JOIN games_player AS player ON player.id = other.player_id
    WHERE other.player_id <> mine.player_id
    GROUP BY other.player_id, player.name, player.slug ORDER BY count(*) DESC, player.name LIMIT %(limit)s
"""


@dataclass(frozen=True, slots=True)
class Opponent:
    """What one player did against one other: `ahead` is the share of better places, a shared one counts half."""

    player_id: int
    name: str
    slug: str
    meetings: int
    ahead: float
    difference: float


def find_player(slug: str) -> Player | None:
    return Player.objects.filter(slug=slug).select_related("owner", "team__first", "team__second").first()


def list_player_matches(player: Player, opponent: Player | None = None) -> QuerySet[Match]:
    """Finished public matches, newest first; with an opponent, those in which both sat."""
    played = Match.objects.filter(seats__player=player, state=MatchState.FINISHED, kind__in=PUBLIC_KINDS)
    if opponent is not None:
        played = played.filter(id__in=Match.objects.filter(seats__player=opponent).values("id"))
    return with_result(played.distinct()).order_by("-id")


def list_opponents(player: Player, limit: int) -> list[Opponent]:
    """Those whom a player met most in the latest matches, partners left out."""
    values: dict[str, Any] = {"player": player.pk, "kinds": list(PUBLIC_KINDS), "latest": LATEST_MATCHES}
    with connection.cursor() as cursor:
        cursor.execute(_OPPONENTS, {**values, "limit": limit})
        return [Opponent(*row) for row in cursor.fetchall()]
