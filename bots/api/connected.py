"""Connected bots in the API: who one is, the stream that asks it, and the decisions it sends."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack

import structlog
from django.http import HttpRequest, HttpResponseBase, JsonResponse, StreamingHttpResponse
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework import serializers
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from aurum_league.common.api.access import is_within_rate, seconds_left
from aurum_league.common.api.errors import league_error_body
from aurum_league.common.api.idempotency import answer_once
from aurum_league.common.api.views import LeagueView, in_thread, is_wanted, operation
from aurum_league.common.breaker import BrokerAway
from aurum_league.common.broker import PREFIX, Follower, follow
from aurum_league.common.errors import LeagueError
from bots.contract import Message
from bots.models import Bot
from bots.services.connected import BotStream, catch_up_bot, decide, open_stream
from bots.services.registration import TOKEN_PREFIX, digest_token

SCHEME = "bearer"


def find_bot(request: HttpRequest | Request) -> Bot | None:
    """The bot whose token the request carries; None for no token of a bot, or one that is void."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != SCHEME or not token.startswith(TOKEN_PREFIX):
        return None
    bots = Bot.objects.select_related("player__owner").filter(player__owner__is_active=True)
    return bots.filter(token_digest=digest_token(token)).first()


class BotTokenAuthentication(BaseAuthentication):
    """Sets `request.auth` to the bot; its user is the author, who holds no more rights by it than the bot."""

    def authenticate(self, request: Request) -> tuple[object, Bot]:
        bot = find_bot(request)
        if bot is None or bot.player.owner is None:
            raise AuthenticationFailed("The token of a connected bot is needed, as Authorization: Bearer aurbot_…")
        return bot.player.owner, bot

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class BotTokenScheme(OpenApiAuthenticationExtension):
    target_class = "bots.api.connected.BotTokenAuthentication"
    name = "bot_token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "A connected bot's token, from its dashboard."}


class IsBot(BasePermission):
    def has_permission(self, request: Request, view: APIView) -> bool:
        return isinstance(request.auth, Bot)


class BotThrottle(BaseThrottle):
    """Requests a minute: more than any bot needs at fifty tables; past it the answer is 429 with Retry-After."""

    rate = 1200
    scope = "bot"

    def allow_request(self, request: Request, view: APIView) -> bool:
        return not isinstance(request.auth, Bot) or is_within_rate(str(request.auth.pk), self.scope, self.rate)

    def wait(self) -> float:
        return seconds_left()


class StreamThrottle(BotThrottle):
    """Opening streams: a client that reconnects in a loop is slowed down."""

    rate = 30
    scope = "bot-stream"


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


KEEP_ALIVE_SECONDS = 7.0
WITHOUT_REDIS_SECONDS = 1.0

log = structlog.get_logger()


async def stream_messages(request: HttpRequest) -> HttpResponseBase:
    """GET with a bot's token; `?after=` resumes after a message's number. Runs on the async stack."""
    if request.method != "GET":
        return _refuse(LeagueError("method_not_allowed", "Streams are read by GET.", status=405), Allow="GET")
    try:
        bot_id, after = await in_thread(_admit, request)
    except LeagueError as error:
        return _refuse(error, **{"Retry-After": error.fix} if error.status == 429 else {})
    stream, first = await in_thread(open_stream, bot_id=bot_id, after=after)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingHttpResponse(_follow(stream, first), content_type="application/x-ndjson", headers=headers)


def _admit(request: HttpRequest) -> tuple[int, int | None]:
    """The bot that asks, and where it wants to go on."""
    bot = find_bot(request)
    if bot is None:
        raise LeagueError("bad_token", "The token of a connected bot is needed.", status=401)
    throttle = StreamThrottle()
    asked = Request(request)
    asked.auth = bot
    if not throttle.allow_request(asked, APIView()):
        seconds = int(throttle.wait() or 1) + 1
        raise LeagueError("throttled", "Too many streams were opened.", "%(seconds)s", status=429, seconds=seconds)
    after = request.GET.get("after", "")
    if after and not (after.isascii() and after.isdigit() and len(after) < 19):
        raise LeagueError("after_invalid", "after is the number of a message.", status=422)
    return bot.pk, int(after) if after else None


async def _follow(stream: BotStream, first: Iterable[Message]) -> AsyncIterator[str]:
    """Listen before looking, so that nothing falls between; look again at each keep-alive, for what was not told."""
    for message in first:
        yield _line(message)
    async with AsyncExitStack() as following:
        news = await _listen(following, stream.bot_id)
        while is_wanted():
            messages, goes_on = await in_thread(stream.take_messages)
            for message in messages:
                yield _line(message)
            if not goes_on:
                return
            is_woken = False
            if news is None:
                await asyncio.sleep(WITHOUT_REDIS_SECONDS)
                news = await _listen(following, stream.bot_id)
            else:
                try:
                    is_woken = await news.wait(KEEP_ALIVE_SECONDS) is not None
                except BrokerAway:
                    news = None
            if not is_woken:
                yield "\n"
                await in_thread(catch_up_bot, bot_id=stream.bot_id)


async def _listen(following: AsyncExitStack, bot_id: int) -> Follower | None:
    try:
        return await following.enter_async_context(follow(f"{PREFIX}bot:{bot_id}"))
    except BrokerAway:
        log.warning("stream_deaf", bot_id=bot_id)
        return None


def _refuse(error: LeagueError, **headers: str) -> JsonResponse:
    return JsonResponse(league_error_body(error), status=error.status, headers=headers)


def _line(message: Message) -> str:
    return json.dumps(message, separators=(",", ":")) + "\n"
