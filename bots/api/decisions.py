"""POST of a connected bot's decision."""

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from bots.api.authentication import BotThrottle, BotTokenAuthentication, IsBot
from bots.api.errors import BotApiView
from bots.models import Bot
from bots.services.decisions import LONGEST_KEY, decide

EXAMPLE = OpenApiExample("a play", {"counter": 17, "action": "play B7"}, request_only=True)


class DecisionSerializer(serializers.Serializer):
    counter = serializers.IntegerField(min_value=0, max_value=100_000, help_text="as in the question")
    action = serializers.CharField(max_length=40, trim_whitespace=False, help_text="one of the legal actions")
    seat = serializers.IntegerField(min_value=0, max_value=3, required=False, help_text="where the bot holds two")


class AcceptedSerializer(serializers.Serializer):
    accepted = serializers.BooleanField()


class DecisionView(BotApiView):
    authentication_classes = (BotTokenAuthentication,)
    permission_classes = (IsBot,)
    throttle_classes = (BotThrottle,)

    @extend_schema(
        operation_id="bot_decide",
        description="Answer a question that came on the stream. The same Idempotency-Key again changes nothing.",
        request=DecisionSerializer,
        responses={200: AcceptedSerializer},
        parameters=[OpenApiParameter("Idempotency-Key", str, OpenApiParameter.HEADER, description="up to 64 signs")],
        examples=[EXAMPLE],
    )
    def post(self, request: Request, match_id: int) -> Response:
        bot = request.auth
        assert isinstance(bot, Bot)
        form = DecisionSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        sent = form.validated_data
        key = request.headers.get("Idempotency-Key", "")[: LONGEST_KEY + 1]
        decide(
            bot=bot,
            match_id=match_id,
            seat=sent.get("seat"),
            counter=sent["counter"],
            action=sent["action"],
            key=key,
        )
        return Response({"accepted": True})
