"""Rooms of watchers: whoever looks at the same thing shares one subscription and one rendering of what changes."""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing

import redis.asyncio
from django.conf import settings
from redis.exceptions import RedisError

HEARTBEAT_SECONDS = 15.0
"""A line that says nothing keeps proxies from closing a quiet stream, and finds out who has gone."""

PAUSE_SECONDS = 0.3
"""The first note is told at once; those that follow it closer than this are told as one, the newest."""

RETRY_MS = 2000
OPENED: dict[str, object] = {"kind": "open"}
STILL_HERE = ": still here\n\n"
TOLD = ("kind", "number", "version")
"""What a note may carry to everybody; whoever wants more asks a page that knows who is asking."""

Render = Callable[[], Awaitable[str]]


class Room:
    """Watchers of one thing; each hears the newest event, and one who is slow misses those between."""

    def __init__(self, pattern: str, render: Render | None) -> None:
        self.pattern = pattern
        self.render = render
        self.watchers = 0
        self.is_closed = False
        self.welcome = ""
        self.event = ""
        self.number = 0
        self.changed = asyncio.Event()
        self.work = asyncio.create_task(self._listen())

    async def watch(self) -> AsyncGenerator[str, None]:
        """Events from now on; the first says that none can be missed. Ends where Redis does not answer."""
        while not self.welcome and not self.is_closed:
            await self.changed.wait()
        changed, seen = self.changed, self.number
        if self.welcome:
            yield f"retry: {RETRY_MS}\n{self.welcome}"
        while not self.is_closed:
            await changed.wait()
            is_news = self.number != seen
            changed, seen = self.changed, self.number
            if not self.is_closed:
                yield self.event if is_news else STILL_HERE

    async def _listen(self) -> None:
        try:
            async with redis.asyncio.Redis.from_url(settings.LIVE_URL) as client, client.pubsub() as subscription:
                await subscription.psubscribe(self.pattern)
                self.welcome = await self._make_event(OPENED)
                self._wake()
                await self._pass_on(subscription)
        except RedisError:
            return
        finally:
            self.is_closed = True
            self._wake()

    async def _pass_on(self, subscription: redis.asyncio.client.PubSub) -> None:
        # Asked for besides being cancelled: Python 3.11's `wait_for` can swallow that while a client connects.
        while self.watchers:
            message = await subscription.get_message(ignore_subscribe_messages=True, timeout=HEARTBEAT_SECONDS)
            if message is None:
                self._wake()
                continue
            while newer := await subscription.get_message(ignore_subscribe_messages=True, timeout=0):
                message = newer
            note = json.loads(message["data"])
            self.event = await self._make_event({key: note[key] for key in TOLD if key in note})
            self.number += 1
            if self.render:
                self.welcome = self.event
            self._wake()
            await asyncio.sleep(PAUSE_SECONDS)

    async def _make_event(self, note: Mapping[str, object]) -> str:
        html = await self.render() if self.render else ""
        return f"data: {json.dumps({**note, 'html': html} if html else note)}\n\n"

    def _wake(self) -> None:
        self.changed.set()
        self.changed = asyncio.Event()


rooms: dict[tuple[asyncio.AbstractEventLoop, str, object], Room] = {}


async def watch(pattern: str, key: object = None, render: Render | None = None) -> AsyncGenerator[str, None]:
    """Events for a pattern of channels, out of the one room of this key; the last to leave closes it."""
    place = (asyncio.get_running_loop(), pattern, key)
    room = rooms.get(place)
    if room is None or room.is_closed:
        room = rooms[place] = Room(pattern, render)
    room.watchers += 1
    try:
        async with aclosing(room.watch()) as events:
            async for event in events:
                yield event
    finally:
        room.watchers -= 1
        if not room.watchers:
            if rooms.get(place) is room:
                del rooms[place]
            room.work.cancel()
