"""Whole tournaments as files: results and records, streamed. A season of a league is a tournament like any other."""

from collections.abc import Iterator
from typing import Any

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request

from aurum_league.common.api.views import AnyLines, AnyTable, LeagueView, operation
from aurum_league.common.files import LINES, TABLE, Row, send_lines, send_table
from games.rules.transcript import write_transcript
from games.selectors.matches import find_match, record_of
from tournaments.api.examples import RECORD_LINE, RESULT_LINE, RESULT_TABLE
from tournaments.models import Tournament
from tournaments.selectors.exports import export_results, list_finished_matches
from tournaments.selectors.results import list_sealed_matches
from tournaments.selectors.rights import require_tournament

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
