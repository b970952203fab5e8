"""Answers strangers' reads again without making them again: at most a second old, or proven unchanged."""

import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware
from prometheus_client import Counter

from aurum_league.common.api.conditional import is_known
from aurum_league.common.api.memory import BoundedMemory
from aurum_league.common.api.repeats import Repeat, find_repeat, is_strangers
from aurum_league.common.api.throttles import is_stranger_within_rate

PREFIX = "/api/v1/"
MOST_BYTES = 32_000_000
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
