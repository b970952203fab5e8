"""Reports by a program, and what came of one's own. Cases are decided by hand on the site alone."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.access import person_of
from aurum_league.common.api.idempotency import answer_once
from aurum_league.common.api.views import LeagueView, operation
from aurum_league.common.errors import LeagueError
from games.selectors.matches import find_match, find_player
from tournaments.models import Report, ReportKind
from tournaments.selectors.cases import list_own_reports
from tournaments.services.cases import ReportWish, report_player

REPORT = {
    "id": 12,
    "player": "bartholomew",
    "match": 4711,
    "kind": "collusion",
    "round_number": 2,
    "trick": 5,
    "text": "Threw the highest silver under his friend's trick.",
    "made_at": "2026-11-16T08:00:00Z",
    "is_closed": False,
}


class ReportFormSerializer(serializers.Serializer):
    player = serializers.SlugField(max_length=60, help_text="who is reported: a player's slug")
    match = serializers.IntegerField(required=False, allow_null=True, default=None, min_value=1)
    kind = serializers.ChoiceField(ReportKind.choices)
    round_number = serializers.IntegerField(required=False, allow_null=True, default=None, min_value=1, max_value=20)
    trick = serializers.IntegerField(required=False, allow_null=True, default=None, min_value=0, max_value=20)
    text = serializers.CharField(max_length=400, help_text="what is wrong, in a sentence")


class ReportSerializer(serializers.ModelSerializer):
    player = serializers.CharField(source="player.slug", read_only=True)
    kind = serializers.ChoiceField(ReportKind.choices, read_only=True)
    is_closed = serializers.SerializerMethodField(help_text="whether a moderator has closed the case")

    class Meta:
        model = Report
        fields = ("id", "player", "match", "kind", "round_number", "trick", "text", "made_at", "is_closed")
        read_only_fields = fields

    def get_is_closed(self, report: Report) -> bool:
        return report.case.closed_at is not None


class Reports(LeagueView):
    scope = "play"
    is_private = True

    @operation(
        id="list_reports",
        summary="What you reported",
        answer=ReportSerializer(many=True),
        example=REPORT,
    )
    def get(self, request: Request) -> Response:
        return Response(ReportSerializer(list_own_reports(person_of(request))[:100], many=True).data)

    @operation(
        id="report_player",
        summary="Report a player to the moderators",
        description="One report a match. With `match` also `round_number` and `trick`: the decision it is about.",
        answer=ReportSerializer,
        example=REPORT,
        status=201,
        request=ReportFormSerializer,
        request_example={"player": "bartholomew", "match": 4711, "kind": "collusion", "text": "Threw his silver."},
    )
    @answer_once
    def post(self, request: Request) -> Response:
        sent: dict[str, Any] = self.read_body(request, ReportFormSerializer)
        match = find_match(sent["match"], request.user) if sent["match"] else None
        if match is None and (sent["round_number"] or sent["trick"]):
            raise LeagueError("match_missing", "A decision is one of a match.", "Name the match too.", status=422)
        wish = ReportWish(sent["kind"], sent["text"], sent["round_number"], sent["trick"])
        player = find_player(sent["player"])
        report = report_player(user=person_of(request), player=player, match=match, wish=wish)
        return Response(ReportSerializer(report).data, status=201)
