"""One breaker for Redis: after one slow answer nobody asks it for a while, and it closes by itself.

Shared by the cache, the throttles, streams and nudges of a process: whoever finds out spares the others the wait.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError
from redis.retry import Retry

ANSWER_SECONDS = 1.0
"""Redis answers within a millisecond; what takes this long is as good as no answer."""

PAUSE_SECONDS = 3.0

Answer = TypeVar("Answer")


class BrokerAway(RedisConnectionError):
    """Redis did not answer just now, so it was not asked."""


class Breaker:
    """Open, it turns everybody away but one who tries in each pause; one answer closes it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tries_at: float | None = None
        self._inside = threading.local()

    @property
    def is_open(self) -> bool:
        return self._tries_at is not None

    @contextmanager
    def guarding(self, *failures: type[Exception]) -> Iterator[None]:
        """Around a question to Redis, within another one too; `failures` are those that mean no answer."""
        if getattr(self._inside, "depth", 0):
            yield
            return
        self._admit()
        self._inside.depth = 1
        try:
            yield
        except Exception as error:
            if isinstance(error, (RedisConnectionError, RedisTimeoutError, OSError, *failures)):
                self.open()
            raise
        else:
            self.close()
        finally:
            self._inside.depth = 0

    def open(self) -> None:
        with self._lock:
            self._tries_at = time.monotonic() + PAUSE_SECONDS

    def close(self) -> None:
        if self._tries_at is not None:
            with self._lock:
                self._tries_at = None

    def _admit(self) -> None:
        if self._tries_at is None:
            return
        with self._lock:
            now = time.monotonic()
            if self._tries_at is not None:
                if now < self._tries_at:
                    raise BrokerAway("Redis did not answer just now.")
                self._tries_at = now + PAUSE_SECONDS


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


NO_ANSWER = (RedisError, OSError)
"""What a question to Redis may raise."""
