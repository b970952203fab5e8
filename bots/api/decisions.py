"""POST of a connected bot's decision."""

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.idempotency import answer_once
from aurum_league.common.api.operations import operation
from aurum_league.common.api.views import LeagueView
from bots.api.authentication import BotThrottle, BotTokenAuthentication, IsBot
from bots.models import Bot
from bots.services.decisions import decide


class BotDecisionSerializer(serializers.Serializer):
    counter = serializers.IntegerField(min_value=0, max_value=100_000, help_text="as in the question")
    action = serializers.CharField(max_length=40, trim_whitespace=False, help_text="one of the legal actions")
    seat = serializers.IntegerField(min_value=0, max_value=3, required=False, help_text="where the bot holds two")


class AcceptedSerializer(serializers.Serializer):
    accepted = serializers.BooleanField(read_only=True)


class BotDecisions(LeagueView):
    authentication_classes = (BotTokenAuthentication,)
    permission_classes = (IsBot,)
    throttle_classes = (BotThrottle,)
    scope = "play"

    @operation(
        id="bot_decide",
        summary="Answer a question that came on a connected bot's stream",
        description="With the bot's own token. A question that was answered or has gone by answers 409.",
        answer=AcceptedSerializer,
        example={"accepted": True},
        request=BotDecisionSerializer,
        request_example={"counter": 17, "action": "play B7"},
    )
    @answer_once
    def post(self, request: Request, match_id: int) -> Response:
        bot = request.auth
        assert isinstance(bot, Bot)
        decide(bot=bot, match_id=match_id, **self.read_body(request, BotDecisionSerializer))
        return Response({"accepted": True})
