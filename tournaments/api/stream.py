"""The stream of a tournament's events as NDJSON: the full state first, then every event with its number."""

from collections.abc import AsyncIterator
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponseBase, JsonResponse, StreamingHttpResponse
from rest_framework.renderers import JSONRenderer

from aurum_league.common.api.errors import league_error_body
from aurum_league.common.api.streams import in_thread, is_wanted
from aurum_league.common.breaker import BrokerAway
from aurum_league.common.broker import PREFIX, follow
from aurum_league.common.errors import LeagueError
from aurum_league.common.files import LINES
from tournaments.api.serializers import EventSerializer, StandingsSerializer, TournamentSerializer
from tournaments.models import Tournament
from tournaments.selectors.desk import list_events
from tournaments.selectors.leagues import list_stages
from tournaments.selectors.rights import require_tournament
from tournaments.selectors.standings import read_standings

KEEP_ALIVE_SECONDS = 7.0
MOST_AT_ONCE = 500

Line = dict[str, Any]


async def stream_events(request: HttpRequest, slug: str) -> HttpResponseBase:
    """GET; `?after=` resumes after an event's number. What strangers may not see has no stream."""
    try:
        after = _read_after(request)
        tournament = await in_thread(require_tournament, slug, AnonymousUser())
    except LeagueError as error:
        return JsonResponse(league_error_body(error), status=error.status)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingHttpResponse(_follow(tournament, after), content_type=LINES, headers=headers)


def _read_after(request: HttpRequest) -> int | None:
    if request.method != "GET":
        raise LeagueError("method_not_allowed", "Streams are read by GET.", status=405)
    text = request.GET.get("after")
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise LeagueError("after_invalid", "after is the number of an event.", status=422)
    return int(text)


async def _follow(tournament: Tournament, after: int | None) -> AsyncIterator[bytes]:
    """Listens before it looks, so that nothing falls between; looks again at each keep-alive for what was not told."""
    try:
        async with follow(f"{PREFIX}tournament:{tournament.id}") as news:
            if after is None:
                state = await in_thread(_tell_state, tournament)
                after = state["number"]
                yield _line(state)
            while is_wanted():
                for event in await in_thread(_tell_events, tournament, after):
                    after = event["number"]
                    yield _line(event)
                if await news.wait(KEEP_ALIVE_SECONDS) is None:
                    yield b"\n"
    except BrokerAway:
        return


def _tell_state(tournament: Tournament) -> Line:
    """The number comes first: an event between it and the rest is then told once more, never left out."""
    last = list_events(tournament).order_by("-number").values_list("number", flat=True).first() or 0
    tournament.refresh_from_db()
    standings = {
        str(stage.number): StandingsSerializer(read_standings(stage)).data for stage in list_stages(tournament)
    }
    return {
        "type": "state",
        "number": last,
        "tournament": TournamentSerializer(tournament).data,
        "standings": standings,
    }


def _tell_events(tournament: Tournament, after: int) -> list[Line]:
    events = list_events(tournament).filter(number__gt=after)[:MOST_AT_ONCE]
    return [{"type": "event", **EventSerializer(event).data} for event in events]


def _line(told: Line) -> bytes:
    return JSONRenderer().render(told) + b"\n"
