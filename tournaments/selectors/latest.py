"""Results as one line each: who sat at a match, in which place they ended, and where it counted."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from games.models import Match, MatchKind, MatchState


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
    matches = with_result(Match.objects.filter(kind=MatchKind.TOURNAMENT, state=MatchState.FINISHED))
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
    places, forfeits = match.result.places, match.result.forfeits
    seats = [
        ResultSeat(held.player.name, held.player.slug, places[held.side], held.seat in forfeits)
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
