"""Words over Redis: nudges to workers, notes to whoever follows, and the one subscription by which a process hears.

Losing a word costs seconds, never a match: what it was about waits in Postgres, and sweeps and reloads find it.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

import redis
import redis.asyncio
import structlog
from celery import current_app
from django.conf import settings
from kombu import Producer
from kombu.exceptions import ChannelError, OperationalError
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import NoBackoff

from aurum_league.common.api.views import is_wanted
from aurum_league.common.breaker import ANSWER_SECONDS, NO_ANSWER, BrokerAway, breaker, make_redis_options

PREFIX = "aurum:"
PING_SECONDS = 5.0
MOST_SILENCE_SECONDS = 10.0

Note = dict[str, Any]

log = structlog.get_logger()


def send_nudge(task: str, *, expires: int = 60, **options: Any) -> bool:
    """Have a worker do something soon; False, and a line in the log, where the broker does not answer."""
    return _is_sent(task, lambda: current_app.send_task(task, expires=expires, retry=False, **options))


def send_nudges(task: str, *, wanted: int, queue: str, **options: Any) -> None:
    """As many nudges as are wanted, less those that wait in the queue already."""

    def send() -> None:
        with current_app.producer_or_acquire() as producer:
            for _ in range(wanted - _count_waiting(producer, queue)):
                current_app.send_task(task, expires=60, retry=False, queue=queue, producer=producer, **options)

    _is_sent(task, send)


def _is_sent(task: str, send: Callable[[], object]) -> bool:
    """A broker that does not answer is noted and left to the sweep."""
    try:
        with breaker.guarding(OperationalError):
            send()
    except (OperationalError, *NO_ANSWER) as error:
        log.warning("nudge_failed", task=task, error=type(error).__name__)
        return False
    return True


def _count_waiting(producer: Producer, queue: str) -> int:
    try:
        return int(producer.channel.queue_declare(queue, passive=True).message_count)
    except ChannelError:
        return 0


@cache
def _client(url: str) -> redis.Redis:
    return redis.Redis.from_url(url, **make_redis_options())


def connect_live() -> redis.Redis:
    """The one client of this process for words over Redis."""
    return _client(settings.LIVE_URL)


def publish(channel: str, payload: Note) -> None:
    """Tell whoever follows; where Redis does not answer that is noted, and the followers' own reload repairs it."""
    try:
        connect_live().publish(f"{PREFIX}{channel}", json.dumps(payload))
    except NO_ANSWER as error:
        log.warning("publish_failed", channel=channel, error=type(error).__name__)


class Follower:
    """The newest of what was told on a channel: of two notes that say the same kind of thing the later one, since each
    only says that there is news."""

    def __init__(self) -> None:
        self._newest: Note | None = None
        self._is_lost = False
        self._changed = asyncio.Event()

    def tell(self, note: Note) -> None:
        self._newest = {**(self._newest or {}), **note}
        self._changed.set()

    def lose(self) -> None:
        self._is_lost = True
        self._changed.set()

    async def wait(self, seconds: float) -> Note | None:
        """The newest note since the last one that was asked for; None where none comes. BrokerAway ends it."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._changed.wait()
        if self._is_lost:
            raise BrokerAway("Redis does not answer.")
        self._changed.clear()
        note, self._newest = self._newest, None
        return note


class Subscription:
    """One connection for every channel that anybody in this process follows."""

    def __init__(self) -> None:
        # Pings find out whether it still answers; a reader of notes may rightly wait for hours.
        self._client = redis.asyncio.Redis.from_url(
            settings.LIVE_URL,
            socket_connect_timeout=ANSWER_SECONDS,
            # Its own time limit is `wait_for`, which in Python 3.11 can swallow that a task is to end.
            socket_timeout=None,
            retry=AsyncRetry(NoBackoff(), 0),
        )
        self._news = self._client.pubsub()
        self._followers: dict[str, set[Follower]] = {}
        self._confirmed: dict[str, asyncio.Event] = {}
        self.is_lost = False
        self._opened = asyncio.Event()
        self._work = asyncio.create_task(self._listen())

    async def add(self, channel: str) -> Follower:
        """Once this returns no note is missed."""
        await self._opened.wait()
        follower = Follower()
        self._followers.setdefault(channel, set()).add(follower)
        try:
            if channel not in self._confirmed:
                self._confirmed[channel] = asyncio.Event()
                await self._ask("subscribe", channel)
            async with asyncio.timeout(ANSWER_SECONDS * 2):
                await self._confirmed[channel].wait()
        except (TimeoutError, KeyError, *NO_ANSWER):
            breaker.open()
            self._lose()
            self._work.cancel()
        if self.is_lost:
            raise BrokerAway("Redis does not answer.")
        return follower

    async def remove(self, channel: str, follower: Follower) -> None:
        followers = self._followers.get(channel, set())
        followers.discard(follower)
        if not followers and channel in self._confirmed:
            del self._followers[channel], self._confirmed[channel]
            with suppress(*NO_ANSWER):
                await self._ask("unsubscribe", channel)

    async def _ask(self, verb: str, channel: str) -> None:
        is_pattern = channel.endswith("*")
        await getattr(self._news, f"p{verb}" if is_pattern else verb)(channel)

    async def _listen(self) -> None:
        try:
            async with asyncio.timeout(ANSWER_SECONDS * 2):
                await self._news.connect()
                await self._news.ping()
            self._opened.set()
            await self._pass_on()
        except (TimeoutError, *NO_ANSWER):
            breaker.open()
        finally:
            self._lose()
            with suppress(*NO_ANSWER):
                await self._news.aclose()
                await self._client.aclose()

    async def _pass_on(self) -> None:
        loop = asyncio.get_running_loop()
        heard_at = loop.time()
        while is_wanted() and not self.is_lost:
            message = await self._news.get_message(timeout=PING_SECONDS)
            if message is not None:
                heard_at = loop.time()
                breaker.close()
                self._take(message)
            elif loop.time() - heard_at > MOST_SILENCE_SECONDS:
                raise BrokerAway("Redis has stopped answering.")
            else:
                await self._news.ping()

    def _take(self, message: Note) -> None:
        kind, channel = message["type"], (message["pattern"] or message["channel"] or b"").decode()
        if kind in ("subscribe", "psubscribe"):
            name = message["channel"].decode()
            if name in self._confirmed:
                self._confirmed[name].set()
        elif kind in ("message", "pmessage"):
            note = json.loads(message["data"])
            for follower in self._followers.get(channel, ()):
                follower.tell(note)

    def _lose(self) -> None:
        self.is_lost = True
        self._opened.set()
        for event in self._confirmed.values():
            event.set()
        for followers in self._followers.values():
            for follower in followers:
                follower.lose()


_subscriptions: WeakKeyDictionary[asyncio.AbstractEventLoop, Subscription] = WeakKeyDictionary()


@asynccontextmanager
async def follow(channel: str) -> AsyncIterator[Follower]:
    """Hear a channel, or with a star at its end every one that begins so. BrokerAway where Redis does not answer."""
    loop = asyncio.get_running_loop()
    subscription = _subscriptions.get(loop)
    if subscription is None or subscription.is_lost:
        with breaker.guarding():
            subscription = _subscriptions[loop] = Subscription()
    follower = await subscription.add(channel)
    try:
        yield follower
    finally:
        await subscription.remove(channel, follower)
