"""The stream of a connected bot: one JSON message a line, an empty line while there is nothing to say."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterable

import structlog
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase, JsonResponse, StreamingHttpResponse
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.exceptions import RedisError
from rest_framework.request import Request
from rest_framework.views import APIView

from aurum_league.common.api.errors import league_error_body
from aurum_league.common.api.streams import in_thread, is_wanted
from aurum_league.common.errors import LeagueError
from bots.api.authentication import StreamThrottle, find_bot
from bots.contract import Message
from bots.services.messages import catch_up_bot
from bots.services.streams import BotStream, open_stream

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
        seconds = str(int(throttle.wait() or 1) + 1)
        raise LeagueError("throttled", "Too many streams were opened.", seconds, 429)
    after = request.GET.get("after", "")
    if after and not (after.isascii() and after.isdigit() and len(after) < 19):
        raise LeagueError("after_invalid", "after is the number of a message.", status=422)
    return bot.pk, int(after) if after else None


async def _follow(stream: BotStream, first: Iterable[Message]) -> AsyncIterator[str]:
    """Listen before looking, so that nothing falls between; look again at each keep-alive, for what was not told."""
    for message in first:
        yield _line(message)
    async with Redis.from_url(settings.CACHES["default"]["LOCATION"]) as client, client.pubsub() as news:
        is_listening = await _listen(news, stream.bot_id)
        while is_wanted():
            messages, goes_on = await in_thread(stream.take_messages)
            for message in messages:
                yield _line(message)
            if not goes_on:
                return
            try:
                if not is_listening:
                    await asyncio.sleep(WITHOUT_REDIS_SECONDS)
                    is_listening = await _listen(news, stream.bot_id)
                    is_woken = False
                else:
                    is_woken = await news.get_message(True, timeout=KEEP_ALIVE_SECONDS) is not None
            except (RedisError, OSError):
                is_listening = is_woken = False
            if not is_woken:
                yield "\n"
                await in_thread(catch_up_bot, bot_id=stream.bot_id)


async def _listen(news: PubSub, bot_id: int) -> bool:
    try:
        await news.subscribe(f"aurum:bot:{bot_id}")
    except (RedisError, OSError) as error:
        log.warning("stream_deaf", bot_id=bot_id, error=type(error).__name__)
        return False
    return True


def _refuse(error: LeagueError, **headers: str) -> JsonResponse:
    return JsonResponse(league_error_body(error), status=error.status, headers=headers)


def _line(message: Message) -> str:
    return json.dumps(message, separators=(",", ":")) + "\n"
