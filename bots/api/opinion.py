"""What the champion among the house bots thinks of a person's decisions in a finished match."""

from dataclasses import asdict

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.views import LeagueView, operation
from aurum_league.common.errors import LeagueError
from bots.api.serializers import JUDGEMENT
from bots.services.opinion import LEVEL, read_judgement
from games.models import Match, MatchState
from games.selectors.matches import find_match, require_unsealed

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
