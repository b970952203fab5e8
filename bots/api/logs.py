"""What bots did, for their authors: the log of a match, its proof, and every match of a version as a file."""

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.access import person_of
from aurum_league.common.api.views import AnyLines, AnyParquet, AnyTable, LeagueView, operation
from aurum_league.common.errors import N_, LeagueError
from aurum_league.common.files import LINES, TABLE, send_file, send_lines, send_table
from aurum_league.common.parquet import PARQUET, write_parquet
from bots.api.serializers import LOG, PROOF
from bots.models import Bot, BotVersion
from bots.selectors import find_own_bot, list_versions, read_own_seats
from bots.selectors.version_results import COLUMNS, list_rows
from bots.services.proof import ask_proof, read_proof
from games.selectors.matches import find_match, require_unsealed


class LoggedDecisionSerializer(serializers.Serializer):
    counter = serializers.IntegerField(read_only=True, help_text="actions of the match that the question showed")
    action = serializers.CharField(read_only=True, allow_null=True, help_text="null where it failed")
    verdict = serializers.CharField(read_only=True)
    cpu_us = serializers.IntegerField(read_only=True, help_text="microseconds of processor time")
    wall_us = serializers.IntegerField(read_only=True, allow_null=True, help_text="on the wall; of Python alone")
    fuel = serializers.IntegerField(read_only=True, allow_null=True, help_text="of a WebAssembly module alone")
    said = serializers.CharField(read_only=True, help_text="what it wrote to stderr")


class DecisionLogSerializer(serializers.Serializer):
    decisions = LoggedDecisionSerializer(many=True, read_only=True)
    last_words = serializers.CharField(read_only=True, help_text="after the last decision")


class SeatLogSerializer(serializers.Serializer):
    seat = serializers.IntegerField(read_only=True)
    bot = serializers.CharField(read_only=True)
    version = serializers.IntegerField(read_only=True)
    log = DecisionLogSerializer(read_only=True, allow_null=True, help_text="null where none is kept")


class MatchLogs(LeagueView):
    is_private = True

    @operation(
        id="read_logs",
        summary="Every decision of your uploaded bots in a match, with its time or fuel and what it wrote to stderr",
        description="Kept for 30 days; sealed like the record until every match on the same deals has ended.",
        answer=SeatLogSerializer(many=True),
        example=LOG,
    )
    def get(self, request: Request, match_id: int) -> Response:
        owner = person_of(request)
        match = find_match(match_id, owner)
        return Response(SeatLogSerializer(read_own_seats(match, owner), many=True).data)


class ProvenSeatSerializer(serializers.Serializer):
    seat = serializers.IntegerField(read_only=True)
    agent = serializers.CharField(read_only=True)
    asked = serializers.IntegerField(read_only=True, help_text="decisions that were asked for again")
    alike = serializers.IntegerField(read_only=True, help_text="of those, how many came out as recorded")


class DifferenceSerializer(serializers.Serializer):
    counter = serializers.IntegerField(read_only=True, help_text="actions of the match before it")
    seat = serializers.IntegerField(read_only=True)
    recorded = serializers.CharField(read_only=True)
    played = serializers.CharField(read_only=True)


class ProofSerializer(serializers.Serializer):
    seats = ProvenSeatSerializer(many=True, read_only=True)
    left_out = serializers.ListField(
        child=serializers.IntegerField(), read_only=True, help_text="seats of people, connected bots and Python uploads"
    )
    differences = DifferenceSerializer(many=True, read_only=True, help_text="the first fifty")


class ProofStateSerializer(serializers.Serializer):
    proof = ProofSerializer(read_only=True, allow_null=True)
    is_asked = serializers.BooleanField(read_only=True, help_text="a worker is at it, or has done it")


class MatchProof(LeagueView):
    is_private = True
    scope = "bots"
    other_scopes = ("play",)

    @operation(
        id="read_proof",
        summary="Whether the house bots and modules of a match did what its record says",
        description="Ask for it by POST; then look until `proof` is there.",
        answer=ProofStateSerializer,
        example=PROOF,
    )
    def get(self, request: Request, match_id: int) -> Response:
        match = find_match(match_id, person_of(request))
        require_unsealed(match)
        return Response(ProofStateSerializer(read_proof(match)).data)

    @operation(
        id="ask_proof",
        summary="Ask every house bot and module of a match all its questions again",
        description="For whoever sat at the table, or whose bot did. Asking again changes nothing.",
        answer=ProofStateSerializer,
        example=PROOF,
    )
    def post(self, request: Request, match_id: int) -> Response:
        owner = person_of(request)
        match = find_match(match_id, owner)
        ask_proof(match=match, owner=owner)
        return Response(ProofStateSerializer(read_proof(match)).data)


SEALED = "A row a seat; matches on whose deals others are still played are left out."
MATCH_LINE = '{"match":4801,"ruleset":"en3","seat":0,"opponents":"Counting; Greedy","place":1,"score":1.0}\n'
MATCH_TABLE = "match,kind,ruleset,players\n4801,scrimmage,en3,3\n"


def find_own_version(slug: str, number: int, request: Request) -> tuple[Bot, BotVersion]:
    bot = find_own_bot(slug, person_of(request))
    version = list_versions(bot, request.user).filter(number=number).first()
    if version is None:
        raise LeagueError(
            "version_unknown", N_("There is no version %(number)s of %(bot)s."), status=404, number=number, bot=bot
        )
    return bot, version


class VersionLines(LeagueView):
    is_private = True
    renderer_classes = (AnyLines,)

    @operation(
        id="export_version_lines",
        summary="Every match of a version of your bot, a JSON object a seat",
        description=SEALED,
        answer=OpenApiTypes.STR,
        example=MATCH_LINE,
        media=LINES,
    )
    def get(self, request: Request, slug: str, number: int) -> StreamingHttpResponse:
        bot, version = find_own_version(slug, number, request)
        return send_lines(list_rows(bot, version), f"{slug}-{number}")


class VersionTable(LeagueView):
    is_private = True
    renderer_classes = (AnyTable,)

    @operation(
        id="export_version_table",
        summary="Every match of a version of your bot as CSV",
        description=SEALED,
        answer=OpenApiTypes.STR,
        example=MATCH_TABLE,
        media=TABLE,
    )
    def get(self, request: Request, slug: str, number: int) -> StreamingHttpResponse:
        bot, version = find_own_version(slug, number, request)
        return send_table(list_rows(bot, version), f"{slug}-{number}", list(COLUMNS))


class VersionParquet(LeagueView):
    is_private = True
    renderer_classes = (AnyParquet,)

    @operation(
        id="export_version_parquet",
        summary="Every match of a version of your bot as Parquet",
        description=SEALED,
        answer=OpenApiTypes.BINARY,
        example="PAR1…",
        media=PARQUET,
    )
    def get(self, request: Request, slug: str, number: int) -> StreamingHttpResponse:
        bot, version = find_own_version(slug, number, request)
        return send_file(write_parquet(list_rows(bot, version), COLUMNS), PARQUET, f"{slug}-{number}.parquet")
