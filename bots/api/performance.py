"""How a bot does, for its author alone: results, processor time and fuel by version, and every failure."""

from dataclasses import asdict
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.access import person_of
from aurum_league.common.api.views import LeagueList, LeagueView, operation
from aurum_league.common.errors import LeagueError
from bots.api.serializers import FAILURE, PERFORMANCE
from bots.models import Bot, BotVersion
from bots.selectors import agent_of_version, find_own_bot, list_failures, list_versions, read_usage, read_win_rates
from games.models import SeatFailure

TABLE_SIZES = (3, 4)


class FailureSerializer(serializers.ModelSerializer):
    match = serializers.IntegerField(source="match_id", read_only=True)

    class Meta:
        model = SeatFailure
        fields = ("id", "match", "seat", "step", "verdict", "detail", "asked", "answered", "stderr", "created_at")
        read_only_fields = fields


class WinRateSerializer(serializers.Serializer):
    """At tables of so many players; `low` and `high` bound the share of matches won by a 95 % interval."""

    players = serializers.IntegerField(read_only=True)
    matches = serializers.IntegerField(read_only=True)
    deals = serializers.IntegerField(read_only=True)
    forfeits = serializers.IntegerField(read_only=True)
    mean = serializers.FloatField(read_only=True)
    low = serializers.FloatField(read_only=True)
    high = serializers.FloatField(read_only=True)
    even = serializers.FloatField(read_only=True, help_text="the share among equals")


class CpuTimeSerializer(serializers.Serializer):
    decisions = serializers.IntegerField(read_only=True)
    p50 = serializers.FloatField(read_only=True, help_text="milliseconds")
    p99 = serializers.FloatField(read_only=True, help_text="milliseconds")


class FuelSerializer(serializers.Serializer):
    decisions = serializers.IntegerField(read_only=True)
    p50 = serializers.IntegerField(read_only=True)
    p99 = serializers.IntegerField(read_only=True)


class PerformanceSerializer(serializers.Serializer):
    version = serializers.IntegerField(read_only=True)
    rates = WinRateSerializer(many=True, read_only=True)
    cpu = CpuTimeSerializer(read_only=True, allow_null=True, help_text="a decision")
    fuel = FuelSerializer(read_only=True, allow_null=True, help_text="a decision; of a WebAssembly module alone")


class BotPerformance(LeagueView):
    is_private = True

    @operation(
        id="read_performance",
        summary="Results, processor time and fuel of your bot's versions",
        answer=PerformanceSerializer(many=True),
        example=PERFORMANCE,
    )
    def get(self, request: Request, slug: str) -> Response:
        bot = find_own_bot(slug, person_of(request))
        rates = {players: read_win_rates(bot, players) for players in TABLE_SIZES}
        versions = list_versions(bot, request.user).order_by("-number")
        rows = [_describe(bot, version, rates) for version in versions]
        return Response(PerformanceSerializer(rows, many=True).data)


class BotFailures(LeagueList):
    is_private = True
    serializer_class = FailureSerializer
    queryset = SeatFailure.objects.none()
    filter_backends = ()

    @operation(
        id="list_failures",
        summary="Decisions that your bot failed to make, with what was asked and answered",
        answer=FailureSerializer(many=True),
        example=FAILURE,
    )
    def get(self, request: Request, slug: str) -> Response:
        return self.show_page(list_failures(find_own_bot(slug, person_of(request))))


class BotFailure(LeagueView):
    is_private = True

    @operation(id="read_failure", summary="One failure of your bot", answer=FailureSerializer, example=FAILURE)
    def get(self, request: Request, slug: str, failure_id: int) -> Response:
        failures = list_failures(find_own_bot(slug, person_of(request)))
        failure = failures.filter(pk=failure_id).first()
        if failure is None:
            raise LeagueError("no_failure", "Your bot has no failure %(number)s.", status=404, number=failure_id)
        return Response(FailureSerializer(failure).data)


def _describe(bot: Bot, version: BotVersion, rates: dict[int, Any]) -> dict[str, Any]:
    agent = str(agent_of_version(bot, version.pk))
    told = [{"players": players, **asdict(by[agent])} for players, by in rates.items() if agent in by]
    return {"version": version.number, "rates": told, **asdict(read_usage(version.pk))}
