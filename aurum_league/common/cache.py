"""The caches: values in Redis, a bounded one in this process, and answers that are sent again while they stand."""

import hashlib
import time
import uuid
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass
from pickle import UnpicklingError
from threading import Lock
from typing import Any, Generic, TypeVar

from asgiref.sync import iscoroutinefunction
from django.conf import settings
from django.core.cache import cache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
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

Value = TypeVar("Value")


def read_cached(key: str, seconds: int, make: Callable[[], Value]) -> Value:
    """The value that `make` gave less than so many seconds ago; made each time where Redis does not answer."""
    value: Value | None = find_cached(key)
    if value is None:
        value = make()
        cache_value(key, value, seconds)
    return value


def find_cached(key: str) -> Any:
    """None where nothing is cached, nobody knows, or it was written by a version whose classes stood elsewhere."""
    try:
        return cache.get(key)
    except (RedisError, OSError, ImportError, AttributeError, UnpicklingError):
        return None


def cache_value(key: str, value: object, seconds: int) -> None:
    try:
        cache.set(key, value, seconds)
    except (RedisError, OSError):
        return


def add_cached(key: str, value: object, seconds: int) -> bool:
    """Whether this was the first to cache it; nobody is where Redis does not answer."""
    try:
        return bool(cache.add(key, value, seconds))
    except (RedisError, OSError):
        return False


def drop_cached(key: str) -> None:
    with suppress(RedisError, OSError):
        cache.delete(key)


LIMITS = "allauth"
"""How the keys begin under which attempts to sign in are counted, and codes that were used."""


class SteadyCache(RedisCache):
    """Redis; while it is away, limits of signing in are counted in this process, so that they hold and nobody waits."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._aside = LocMemCache("limits", {})

    def add(self, key: str, value: Any, *rest: Any, **named: Any) -> bool:
        return bool(self._ask("add", key, value, *rest, **named))

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        return self._ask("get", key, default, version)

    def set(self, key: str, value: Any, *rest: Any, **named: Any) -> None:
        self._ask("set", key, value, *rest, **named)

    def delete(self, key: str, version: int | None = None) -> bool:
        return bool(self._ask("delete", key, version))

    def _ask(self, name: str, key: str, *rest: Any, **named: Any) -> Any:
        try:
            return getattr(super(), name)(key, *rest, **named)
        except (RedisError, OSError):
            if not key.startswith(LIMITS):
                raise
            return getattr(self._aside, name)(key, *rest, **named)


class BoundedCache(Generic[Value]):
    """Holds at most `most_bytes`, by the sizes it is told; what is larger than a sixteenth of that is not taken."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._held: OrderedDict[Hashable, tuple[Value, int]] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def get(self, key: Hashable) -> Value | None:
        with self._lock:
            found = self._held.get(key)
            if found is None:
                return None
            self._held.move_to_end(key)
            return found[0]

    def set(self, key: Hashable, value: Value, size: int) -> None:
        if size > self._most // 16:
            return
        with self._lock:
            if (old := self._held.pop(key, None)) is not None:
                self._bytes -= old[1]
            self._held[key] = value, size
            self._bytes += size
            while self._bytes > self._most:
                self._bytes -= self._held.popitem(last=False)[1][1]

    def clear(self) -> None:
        with self._lock:
            self._held.clear()
            self._bytes = 0


KEY = "aurum.cache"
"""Where a view leaves word in the request's environment, which it shares with every middleware."""

ReadVersion = Callable[[], str | None]


@dataclass(frozen=True, slots=True)
class CacheRule:
    """`version` names what the answer was made from, and was read before it was made.

    Without `read_version` the answer is cached for a moment only; with it, for as long as that says the same.
    """

    version: str = ""
    read_version: ReadVersion | None = None


def allow_caching(request: Request, rule: CacheRule) -> None:
    request.META[KEY] = rule


def find_cache_rule(environment: dict[str, Any]) -> CacheRule | None:
    rule = environment.get(KEY)
    return rule if isinstance(rule, CacheRule) else None


def is_strangers(environment: dict[str, Any]) -> bool:
    """Whether nothing in the request says who asks: all such requests for one address are answered alike."""
    return "HTTP_AUTHORIZATION" not in environment and not environment.get("HTTP_COOKIE")


MOST_BYTES = 32_000_000

bodies: BoundedCache[bytes] = BoundedCache(MOST_BYTES)


def answer_cached(
    request: Request,
    name: str,
    read_version: ReadVersion,
    make: Callable[[], Any],
    *,
    media: str = "application/json",
) -> HttpResponse:
    """The bytes of `make()` for this version of a thing: 304 where the client has them, from the cache where we do.

    `name` and the version together must name everything that the answer depends on but the query string. What is not
    the same for everybody who may read it must not be answered this way.
    """
    # Read before the answer is made: one that is newer than its version is made again, never cached too long.
    version = read_version() or ""
    allow_caching(request, CacheRule(version, read_version))
    text = f"{name}:{version}:{request.META.get('QUERY_STRING', '')}"
    digest = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
    etag = f'"{digest}"'
    if is_known(request.headers.get("If-None-Match", ""), etag):
        return HttpResponse(status=304, headers={"ETag": etag, "Cache-Control": "no-cache"})
    body = bodies.get(digest)
    if body is None:
        made = make()
        body = made.encode() if isinstance(made, str) else JSONRenderer().render(made)
        bodies.set(digest, body, len(body))
    return HttpResponse(body, content_type=media, headers={"ETag": etag, "Cache-Control": "no-cache"})


def is_known(told: str, etag: str) -> bool:
    """Whether an If-None-Match says that the client has this already."""
    return bool(told) and (etag in parse_etags(told) or told.strip() == "*")


PREFIX = "/api/v1/"
OVERHEAD_BYTES = 2_000
"""What an answer takes in memory beside its body, roughly."""

REQUEST_ID = "X-Request-ID"
CACHED_ANSWERS = Counter("aurum_api_repeated_answers", "Reads of strangers that were answered from memory")

Key = tuple[str, ...]


@dataclass(slots=True)
class CachedAnswer:
    body: bytes
    headers: dict[str, str]
    rule: CacheRule
    checked_at: float

    def is_good(self) -> bool:
        """At most half as old as the setting says, or made from a version that still stands.

        While the first who finds it too old makes it anew, the others still get it, for the other half.
        """
        now = time.monotonic()
        if now - self.checked_at < settings.ANSWER_CACHE_SECONDS / 2:
            return True
        self.checked_at = now
        read_version = self.rule.read_version
        try:
            return read_version is not None and read_version() == self.rule.version
        except DatabaseError:
            return False


answers: BoundedCache[CachedAnswer] = BoundedCache(MOST_BYTES)


@sync_and_async_middleware
def cache_answers(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Stands behind what every answer passes (metrics, security headers) and before all that asks who is there."""
    if iscoroutinefunction(get_response):
        # The async stack serves live streams only.
        return get_response

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if request.method not in ("GET", "HEAD", "OPTIONS"):
            response = get_response(request)
            # Whoever writes finds it when they read next; another process may tell strangers the old for a second.
            answers.clear()
            return response
        if not is_cacheable(request):
            return get_response(request)
        key = _key(request)
        known = answers.get(key)
        if known and known.is_good() and is_stranger_within_rate(request.META.get("REMOTE_ADDR", "")):
            CACHED_ANSWERS.inc()
            return _send_again(known, request)
        asked_at = time.monotonic()
        response = get_response(request)
        _cache(key, request, response, asked_at)
        return response

    return middleware


def is_cacheable(request: HttpRequest) -> bool:
    return (
        request.method == "GET"
        and request.path_info.startswith(PREFIX)
        and is_strangers(request.META)
        and settings.ANSWER_CACHE_SECONDS > 0
    )


def _key(request: HttpRequest) -> Key:
    """All of a stranger's request that an answer depends on; pages of lists name the host they were asked by."""
    asked = request.META
    names = ("QUERY_STRING", "HTTP_HOST", "HTTP_ACCEPT", "HTTP_ACCEPT_LANGUAGE", "HTTP_X_FORWARDED_PROTO")
    return (request.path_info, *(asked.get(name, "") for name in names))


def _send_again(known: CachedAnswer, request: HttpRequest) -> HttpResponse:
    etag = known.headers.get("ETag")
    if etag and is_known(request.META.get("HTTP_IF_NONE_MATCH", ""), etag):
        response = HttpResponse(status=304, headers={"ETag": etag, "Cache-Control": "no-cache"})
    else:
        response = HttpResponse(known.body, headers=known.headers)
    response.headers[REQUEST_ID] = request.META.get("HTTP_X_REQUEST_ID") or str(uuid.uuid4())
    return response


def _cache(key: Key, request: HttpRequest, response: HttpResponseBase, asked_at: float) -> None:
    rule = find_cache_rule(request.META)
    if rule is None or response.status_code != 200 or response.cookies or not isinstance(response, HttpResponse):
        return
    headers = {name: value for name, value in response.headers.items() if name != REQUEST_ID}
    size = len(response.content) + sum(map(len, key)) + OVERHEAD_BYTES
    answers.set(key, CachedAnswer(response.content, headers, rule, asked_at), size)
