"""One breaker for Redis: after one slow answer nobody asks it for a while, and it closes by itself.

Shared by the cache, the throttles, streams and nudges of a process: whoever finds out spares the others the wait.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from django.conf import settings
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError
from redis.retry import Retry

ANSWER_SECONDS = 1.0
"""Redis answers within a millisecond; what takes this long is as good as no answer."""

PAUSE_SECONDS = 1.0

NO_ANSWER = (RedisError, OSError)
"""What a question to Redis may raise."""

Answer = TypeVar("Answer")


class BrokerAway(RedisConnectionError):
    """Redis did not answer just now, so it was not asked."""


class Breaker:
    """Open, it turns everybody away; a thread of its own asks Redis after each pause, and an answer closes it.

    So whoever plays or reads waits for one answer at most, however long Redis is silent.
    """

    def __init__(self) -> None:
        self._is_open = False
        self._watcher: threading.Thread | None = None
        self._inside = threading.local()

    @property
    def is_open(self) -> bool:
        return self._is_open

    @contextmanager
    def guarding(self, *failures: type[Exception]) -> Iterator[None]:
        """Around a question to Redis, within another one too; `failures` are those that mean no answer."""
        if getattr(self._inside, "depth", 0):
            yield
            return
        if self._is_open:
            # A fork of a process has its state and none of its threads.
            self._watch()
            raise BrokerAway("Redis did not answer just now.")
        self._inside.depth = 1
        try:
            yield
        except Exception as error:
            if isinstance(error, (RedisConnectionError, RedisTimeoutError, OSError, *failures)):
                self.open()
            raise
        finally:
            self._inside.depth = 0

    def open(self) -> None:
        self._is_open = True
        self._watch()

    def close(self) -> None:
        self._is_open = False

    def _watch(self) -> None:
        """Without a lock, which a fork could copy while it is held: two who watch do no harm."""
        if self._watcher is None or not self._watcher.is_alive():
            self._watcher = threading.Thread(target=self._ask_again, name="breaker", daemon=True)
            self._watcher.start()

    def _ask_again(self) -> None:
        while self._is_open:
            time.sleep(PAUSE_SECONDS)
            if self._is_open and does_redis_answer():
                self.close()


def does_redis_answer() -> bool:
    """By a connection of its own: one that has hung tells nothing of the server."""
    waits = {"socket_timeout": ANSWER_SECONDS, "socket_connect_timeout": ANSWER_SECONDS}
    try:
        with Redis.from_url(settings.LIVE_URL, retry=Retry(NoBackoff(), 0), **waits) as client:
            return bool(client.ping())
    except NO_ANSWER:
        return False


breaker = Breaker()


class GuardedTries(Retry):
    """In redis-py's place for trying again: every connection and every command passes here. None is tried twice."""

    def __init__(self) -> None:
        super().__init__(NoBackoff(), 0)

    def call_with_retry(self, do: Callable[[], Answer], fail: Any, *rest: Any, **named: Any) -> Answer:
        with breaker.guarding():
            return super().call_with_retry(do, fail, *rest, **named)


def make_redis_options() -> dict[str, Any]:
    """For every client of redis-py that is not asynchronous, Django's cache too."""
    waits = {"socket_timeout": ANSWER_SECONDS, "socket_connect_timeout": ANSWER_SECONDS}
    return {**waits, "retry": GuardedTries(), "health_check_interval": 0}
