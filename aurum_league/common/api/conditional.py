"""Conditional answers: an ETag from a version, so that an unchanged thing is neither read, rendered nor sent again."""

import hashlib
from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from django.utils.http import parse_etags
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from aurum_league.common.api.memory import BoundedMemory
from aurum_league.common.api.repeats import ReadVersion, Repeat, allow_repeat

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
