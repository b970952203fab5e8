"""Players as everybody may see them: found by address, their results as one line each, and who they met."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from games.models import Match, MatchKind, MatchState, Player


@dataclass(frozen=True, slots=True)
class ResultSeat:
    name: str
    slug: str
    place: int
    is_forfeit: bool


@dataclass(frozen=True, slots=True)
class ResultLine:
    """A finished match; `seats` from the best place down. `tournament` is empty for a match outside of one."""

    match_id: int
    finished_at: datetime | None
    seats: tuple[ResultSeat, ...]
    tournament: str
    tournament_slug: str


def list_latest(limit: int) -> list[ResultLine]:
    """The matches of tournaments that ended last; places are public even while the cards are sealed."""
    ended = Match.objects.filter(kind=MatchKind.TOURNAMENT, finished_at__isnull=False, state=MatchState.FINISHED)
    matches = with_result(ended)
    return [result_line(match) for match in matches.order_by("-finished_at")[:limit]]


def with_result(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Everything that `result_line` needs, in two queries, and no hidden card among it."""
    return (
        matches.select_related("result", "fixture_match__stage__tournament")
        .prefetch_related("seats__player")
        .only(
            "id",
            "state",
            "finished_at",
            "closes_at",
            "result__places",
            "result__forfeits",
            "fixture_match__id",
            "fixture_match__stage__id",
            "fixture_match__stage__tournament__name",
            "fixture_match__stage__tournament__slug",
        )
    )


def result_line(match: Match) -> ResultLine:
    places, forfeits = match.result.seat_places, match.result.forfeits
    seats = [
        ResultSeat(held.player.name, held.player.slug, places[held.seat], held.seat in forfeits)
        for held in match.seats.all()
    ]
    link = getattr(match, "fixture_match", None)
    return ResultLine(
        match_id=match.pk,
        finished_at=match.finished_at,
        seats=tuple(sorted(seats, key=lambda seat: seat.place)),
        tournament=link.stage.tournament.name if link else "",
        tournament_slug=link.stage.tournament.slug if link else "",
    )


PUBLIC_KINDS = (MatchKind.TOURNAMENT, MatchKind.CASUAL)
"""Qualifications, scrimmages and trials are a bot author's own business."""

LATEST_MATCHES = 1000
"""What a player's page sums up: some bots play a hundred thousand, and nobody would wait for those to be counted."""

_OPPONENTS = """
    SELECT other.player_id, player.name, player.slug, count(*),
           avg(CASE WHEN mine.seat = ANY(r.forfeits) THEN CASE WHEN other.seat = ANY(r.forfeits) THEN 0.5 ELSE 0.0 END
                    WHEN other.seat = ANY(r.forfeits) THEN 1.0
                    WHEN r.places[mine.side + 1] < r.places[other.side + 1] THEN 1.0
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


def find_shown_player(slug: str) -> Player | None:
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
