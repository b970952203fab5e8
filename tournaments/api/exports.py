"""Whole tournaments as files, streamed: results and records, and the stream of events from the full state on."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponseBase, JsonResponse, StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from aurum_league.common.api.errors import league_error_body
from aurum_league.common.api.views import AnyLines, AnyTable, LeagueView, in_thread, is_wanted, operation
from aurum_league.common.breaker import BrokerAway
from aurum_league.common.broker import PREFIX, follow
from aurum_league.common.errors import LeagueError
from aurum_league.common.files import LINES, TABLE, Row, send_lines, send_table
from games.rules.transcript import write_transcript
from games.selectors.matches import find_match, record_of
from tournaments.api.examples import RECORD_LINE, RESULT_LINE, RESULT_TABLE
from tournaments.api.serializers import EventSerializer, StandingsSerializer, TournamentSerializer
from tournaments.models import Tournament
from tournaments.selectors.desk import list_events
from tournaments.selectors.exports import export_results, list_finished_matches
from tournaments.selectors.leagues import list_stages
from tournaments.selectors.rights import require_tournament
from tournaments.selectors.standings import list_sealed_matches, read_standings

RESULT_COLUMNS = (
    "match",
    "stage",
    "matchday",
    "table",
    "number",
    "side",
    "entrants",
    "place",
    "nuggets",
    "total",
    "exact_bids",
    "forfeit",
    "finished_at",
)
SEALED = "Matches that are still sealed are left out."


class ResultLines(LeagueView):
    renderer_classes = (AnyLines,)

    @operation(
        id="export_results_lines",
        summary="Results of a tournament, a JSON object a side and match",
        description=SEALED,
        answer=OpenApiTypes.STR,
        example=RESULT_LINE,
        media=LINES,
    )
    def get(self, request: Request, slug: str) -> StreamingHttpResponse:
        tournament = require_tournament(slug, request.user)
        return send_lines(_results(tournament), f"{slug}-results")


class ResultTable(LeagueView):
    renderer_classes = (AnyTable,)

    @operation(
        id="export_results_table",
        summary="Results of a tournament as CSV",
        description=f"{SEALED} Text that a spreadsheet would take for a formula begins with an apostrophe.",
        answer=OpenApiTypes.STR,
        example=RESULT_TABLE,
        media=TABLE,
    )
    def get(self, request: Request, slug: str) -> StreamingHttpResponse:
        tournament = require_tournament(slug, request.user)
        return send_table(_results(tournament), f"{slug}-results", RESULT_COLUMNS)


class RecordLines(LeagueView):
    renderer_classes = (AnyLines,)

    @operation(
        id="export_records_lines",
        summary="Records of a tournament, one a line",
        description=SEALED,
        answer=OpenApiTypes.STR,
        example=RECORD_LINE,
        media=LINES,
    )
    def get(self, request: Request, slug: str) -> StreamingHttpResponse:
        tournament = require_tournament(slug, request.user)
        return send_lines(_records(tournament, request.user), f"{slug}-records")


class RecordTable(LeagueView):
    renderer_classes = (AnyTable,)

    @operation(
        id="export_records_table",
        summary="Records of a tournament as CSV, each as its notation",
        description=SEALED,
        answer=OpenApiTypes.STR,
        example='match,commitment,seed,notation\n4711,9f2b…,00ff…,"aurum en3\n…"\n',
        media=TABLE,
    )
    def get(self, request: Request, slug: str) -> StreamingHttpResponse:
        tournament = require_tournament(slug, request.user)
        rows = ({**record, "notation": write_transcript(record)} for record in _records(tournament, request.user))
        return send_table(rows, f"{slug}-records", ("match", "commitment", "seed", "notation"))


def _results(tournament: Tournament) -> Iterator[Row]:
    sealed = list_sealed_matches(tournament)
    return (row for row in export_results(tournament) if row["match"] not in sealed)


def _records(tournament: Tournament, user: Any) -> Iterator[Row]:
    sealed = list_sealed_matches(tournament)
    return (
        record_of(find_match(match_id, user))
        for match_id in list_finished_matches(tournament)
        if match_id not in sealed
    )


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
