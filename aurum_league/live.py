"""Server-sent events: an open page hears that something changed, and fetches what it shows again."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing

import redis.asyncio
from django.conf import settings
from django.http import HttpRequest, StreamingHttpResponse
from django.urls import path
from redis.exceptions import RedisError

HEARTBEAT_SECONDS = 15.0
"""A line that says nothing keeps proxies from closing a quiet stream, and finds out who has gone."""

PAUSE_SECONDS = 0.5
"""Notes that come closer together than this are told as one: a busy tournament settles hundreds of matches a second."""

RETRY_MS = 2000
OPENED = {"kind": "open"}
TOLD = ("kind", "number", "version")
"""What a note may carry to everybody; whoever wants more asks a page that knows who is asking."""


async def stream_channel(request: HttpRequest, channel: str, number: int | None = None) -> StreamingHttpResponse:
    """Everything that happens to one tournament or match, or to all tournaments."""
    events = listen(f"aurum:{channel}:{'*' if number is None else number}")
    response = StreamingHttpResponse(events, content_type="text/event-stream")
    response["Cache-Control"] = "no-store"
    response["X-Accel-Buffering"] = "no"
    return response


async def listen(pattern: str) -> AsyncIterator[str]:
    """Events for a pattern of channels; the first one says that none can be missed from here on.

    Ends where Redis does not answer: the browser asks again by itself.
    """
    async with redis.asyncio.Redis.from_url(settings.LIVE_URL) as client, client.pubsub() as subscription:
        try:
            await subscription.psubscribe(pattern)
            yield f"retry: {RETRY_MS}\n" + as_event(OPENED)
            async with aclosing(read_notes(subscription)) as notes:
                async for note in notes:
                    yield as_event({key: note[key] for key in TOLD if key in note}) if note else ": still here\n\n"
        except RedisError:
            return


async def read_notes(subscription: redis.asyncio.client.PubSub) -> AsyncGenerator[dict[str, object], None]:
    """The newest note of each short while, or an empty one after a long quiet."""
    while True:
        message = await subscription.get_message(ignore_subscribe_messages=True, timeout=HEARTBEAT_SECONDS)
        if message is None:
            yield {}
            continue
        await asyncio.sleep(PAUSE_SECONDS)
        while newer := await subscription.get_message(ignore_subscribe_messages=True, timeout=0):
            message = newer
        yield json.loads(message["data"])


def as_event(payload: Mapping[str, object]) -> str:
    return f"data: {json.dumps(payload)}\n\n"


urlpatterns = [
    path("tournaments/", stream_channel, {"channel": "tournament"}, name="live_tournaments"),
    path("tournaments/<int:number>/", stream_channel, {"channel": "tournament"}, name="live_tournament"),
    path("matches/<int:number>/", stream_channel, {"channel": "match"}, name="live_match"),
]
