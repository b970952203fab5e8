"""How a bot does, for its author alone; and what the champion thinks of a person's decisions in a match."""

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.access import person_of
from aurum_league.common.api.views import LeagueList, LeagueView, operation
from aurum_league.common.errors import LeagueError
from bots.api.serializers import FAILURE, JUDGEMENT, PERFORMANCE
from bots.models import Bot, BotVersion
from bots.selectors import (
    agent_of_version,
    find_own_bot,
    list_failures,
    list_versions,
    read_usage,
    read_win_rates,
)
from bots.services.opinion import LEVEL, read_judgement
from games.models import Match, MatchState, SeatFailure
from games.selectors.matches import find_match, require_unsealed

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


SEAT = OpenApiParameter(
    "seat", {"type": "integer", "minimum": 0, "maximum": 3}, description="a person's; left out, the first of them"
)
ROUND = OpenApiParameter("round", {"type": "integer", "minimum": 1}, description="left out, the first")


class OpinionSerializer(serializers.Serializer):
    """One decision that left a choice; `cost` is by how much the chance to win fell, by the champion's count."""

    applied = serializers.IntegerField(read_only=True, help_text="actions of the round before it")
    trick = serializers.IntegerField(read_only=True, help_text="0 for the bid")
    played = serializers.CharField(read_only=True)
    best = serializers.CharField(read_only=True, help_text="what the champion would have done")
    cost = serializers.FloatField(read_only=True)
    chance = serializers.FloatField(read_only=True, help_text="to win, had the champion decided")


class JudgementSerializer(serializers.Serializer):
    match = serializers.IntegerField(read_only=True)
    seat = serializers.IntegerField(read_only=True)
    round = serializers.IntegerField(read_only=True)
    rounds = serializers.IntegerField(read_only=True, help_text="of the match")
    champion = serializers.CharField(read_only=True)
    opinions = OpinionSerializer(many=True, read_only=True, allow_null=True, help_text="null until all are there")
    done = serializers.IntegerField(read_only=True, help_text="decisions looked at so far")
    total = serializers.IntegerField(read_only=True, help_text="0 before a worker has begun")


class MatchOpinion(LeagueView):
    is_cacheable = False

    @operation(
        id="read_opinion",
        summary="What the champion would have played in a person's place",
        description="A worker forms it in some seconds: ask again until `opinions` is there.",
        answer=JudgementSerializer,
        example=JUDGEMENT,
        parameters=[SEAT, ROUND],
    )
    def get(self, request: Request, match_id: int) -> Response:
        match = _find_judged(match_id, request)
        seat = _read_number(request, "seat", [held.seat for held in match.seats.all() if held.ref.is_person])
        number = _read_number(request, "round", list(range(1, match.result.rounds + 1)))
        judgement = read_judgement(match=match, seat=seat, number=number)
        told = {"match": match.pk, "seat": seat, "round": number, "rounds": match.result.rounds, "champion": LEVEL}
        return Response(JudgementSerializer({**told, **asdict(judgement)}).data)


def _find_judged(match_id: int, request: Request) -> Match:
    """A match with a record that everybody may read, and a person at its table."""
    match = find_match(match_id, request.user)
    if match.state != MatchState.FINISHED or match.result.is_by_hand:
        raise LeagueError("record_missing", "This match has no record: it was not played to its end.", status=404)
    require_unsealed(match)
    if not any(held.ref.is_person for held in match.seats.all()):
        raise LeagueError("no_person", "Nobody but bots sat at this table.", status=404)
    return match


def _read_number(request: Request, name: str, allowed: list[int]) -> int:
    text, there_are = request.query_params.get(name, str(allowed[0])), list(map(str, allowed))
    if text not in there_are:
        raise LeagueError("bad_question", "%(name)s must be one of: %(names)s.", name=name, names=list(there_are))
    return int(text)
