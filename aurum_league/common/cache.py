"""Caches: values kept in Redis, a bounded memory of this process, and answers proven unchanged or repeated."""

import hashlib
import time
import uuid
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from threading import Lock
from typing import Any, Generic, TypeVar

from asgiref.sync import iscoroutinefunction
from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware
from django.utils.http import parse_etags
from prometheus_client import Counter
from redis.exceptions import RedisError
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from aurum_league.common.api.access import is_stranger_within_rate


def read_kept(key: str) -> Any:
    """None where nothing is kept, or nobody knows."""
    try:
        return cache.get(key)
    except (RedisError, OSError):
        return None


def keep(key: str, value: object, seconds: int) -> None:
    try:
        cache.set(key, value, seconds)
    except (RedisError, OSError):
        return


Value = TypeVar("Value")


class BoundedMemory(Generic[Value]):
    """Holds at most `most_bytes`, by the sizes it is told; what is larger than a sixteenth of that is not taken."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._held: OrderedDict[Hashable, tuple[Value, int]] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def find(self, key: Hashable) -> Value | None:
        with self._lock:
            found = self._held.get(key)
            if found is None:
                return None
            self._held.move_to_end(key)
            return found[0]

    def keep(self, key: Hashable, value: Value, size: int) -> None:
        if size > self._most // 16:
            return
        with self._lock:
            if (old := self._held.pop(key, None)) is not None:
                self._bytes -= old[1]
            self._held[key] = value, size
            self._bytes += size
            while self._bytes > self._most:
                self._bytes -= self._held.popitem(last=False)[1][1]

    def forget_all(self) -> None:
        with self._lock:
            self._held.clear()
            self._bytes = 0


KEY = "aurum.repeat"
"""Where a view leaves word in the request's environment, which it shares with every middleware."""

ReadVersion = Callable[[], str | None]


@dataclass(frozen=True, slots=True)
class Repeat:
    """`version` names what the answer was made from, and was read before it was made.

    Without `read_version` the answer is repeated for a moment only; with it, for as long as that says the same.
    """

    version: str = ""
    read_version: ReadVersion | None = None


def allow_repeat(request: Request, repeat: Repeat) -> None:
    request.META[KEY] = repeat


def find_repeat(environment: dict[str, Any]) -> Repeat | None:
    repeat = environment.get(KEY)
    return repeat if isinstance(repeat, Repeat) else None


def is_strangers(environment: dict[str, Any]) -> bool:
    """Whether nothing in the request says who asks: all such requests for one address are answered alike."""
    return "HTTP_AUTHORIZATION" not in environment and not environment.get("HTTP_COOKIE")


MOST_BYTES = 32_000_000

bodies: BoundedMemory[bytes] = BoundedMemory(MOST_BYTES)


def answer_version(
    request: Request,
    name: str,
    read_version: ReadVersion,
    make: Callable[[], Any],
    *,
    media: str = "application/json",
) -> HttpResponse:
    """The bytes of `make()` for this version of a thing: 304 where the client has them, from memory where we do.

    `name` and the version together must name everything that the answer depends on but the query string. What is not
    the same for everybody who may read it must not be answered this way.
    """
    # Read before the answer is made: one that is newer than its version is made again, never kept too long.
    version = read_version() or ""
    allow_repeat(request, Repeat(version, read_version))
    text = f"{name}:{version}:{request.META.get('QUERY_STRING', '')}"
    digest = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
    etag = f'"{digest}"'
    if is_known(request.headers.get("If-None-Match", ""), etag):
        return HttpResponse(status=304, headers={"ETag": etag, "Cache-Control": "no-cache"})
    body = bodies.find(digest)
    if body is None:
        made = make()
        body = made.encode() if isinstance(made, str) else JSONRenderer().render(made)
        bodies.keep(digest, body, len(body))
    return HttpResponse(body, content_type=media, headers={"ETag": etag, "Cache-Control": "no-cache"})


def is_known(told: str, etag: str) -> bool:
    """Whether an If-None-Match says that the client has this already."""
    return bool(told) and (etag in parse_etags(told) or told.strip() == "*")


PREFIX = "/api/v1/"
OVERHEAD_BYTES = 2_000
"""What an answer takes in memory beside its body, roughly."""

REQUEST_ID = "X-Request-ID"
REPEATED = Counter("aurum_api_repeated_answers", "Reads of strangers that were answered from memory")

Key = tuple[str, ...]


@dataclass(slots=True)
class RepeatedAnswer:
    body: bytes
    headers: dict[str, str]
    repeat: Repeat
    checked_at: float

    def is_good(self) -> bool:
        """At most half as old as the setting says, or made from a version that still stands.

        While the first who finds it too old makes it anew, the others still get it, for the other half.
        """
        now = time.monotonic()
        if now - self.checked_at < settings.REPEAT_SECONDS / 2:
            return True
        self.checked_at = now
        read_version = self.repeat.read_version
        try:
            return read_version is not None and read_version() == self.repeat.version
        except DatabaseError:
            return False


answers: BoundedMemory[RepeatedAnswer] = BoundedMemory(MOST_BYTES)


@sync_and_async_middleware
def repeat_answers(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Stands behind what every answer passes (metrics, security headers) and before all that asks who is there."""
    if iscoroutinefunction(get_response):
        # The async stack serves live streams only.
        return get_response

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if request.method not in ("GET", "HEAD", "OPTIONS"):
            response = get_response(request)
            # Whoever writes finds it when they read next; another process may tell strangers the old for a second.
            answers.forget_all()
            return response
        if not is_repeatable(request):
            return get_response(request)
        key = _key(request)
        kept = answers.find(key)
        if kept and kept.is_good() and is_stranger_within_rate(request.META.get("REMOTE_ADDR", "")):
            REPEATED.inc()
            return _repeat(kept, request)
        asked_at = time.monotonic()
        response = get_response(request)
        _keep(key, request, response, asked_at)
        return response

    return middleware


def is_repeatable(request: HttpRequest) -> bool:
    return (
        request.method == "GET"
        and request.path_info.startswith(PREFIX)
        and is_strangers(request.META)
        and settings.REPEAT_SECONDS > 0
    )


def _key(request: HttpRequest) -> Key:
    """All of a stranger's request that an answer depends on; pages of lists name the host they were asked by."""
    asked = request.META
    names = ("QUERY_STRING", "HTTP_HOST", "HTTP_ACCEPT", "HTTP_ACCEPT_LANGUAGE", "HTTP_X_FORWARDED_PROTO")
    return (request.path_info, *(asked.get(name, "") for name in names))


def _repeat(kept: RepeatedAnswer, request: HttpRequest) -> HttpResponse:
    etag = kept.headers.get("ETag")
    if etag and is_known(request.META.get("HTTP_IF_NONE_MATCH", ""), etag):
        response = HttpResponse(status=304, headers={"ETag": etag, "Cache-Control": "no-cache"})
    else:
        response = HttpResponse(kept.body, headers=kept.headers)
    response.headers[REQUEST_ID] = request.META.get("HTTP_X_REQUEST_ID") or str(uuid.uuid4())
    return response


def _keep(key: Key, request: HttpRequest, response: HttpResponseBase, asked_at: float) -> None:
    repeat = find_repeat(request.META)
    if repeat is None or response.status_code != 200 or response.cookies or not isinstance(response, HttpResponse):
        return
    headers = {name: value for name, value in response.headers.items() if name != REQUEST_ID}
    size = len(response.content) + sum(map(len, key)) + OVERHEAD_BYTES
    answers.keep(key, RepeatedAnswer(response.content, headers, repeat, asked_at), size)
