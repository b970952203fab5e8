"""Conditional answers: an ETag from a version, so that an unchanged thing is neither read, rendered nor sent again."""

import hashlib
from collections.abc import Callable
from typing import Any

from django.core.cache import cache
from django.http import HttpResponse
from django.utils.http import parse_etags
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

KEPT_SECONDS = 24 * 3600


def answer_version(
    request: Request, name: str, version: object, make: Callable[[], Any], *, media: str = "application/json"
) -> HttpResponse:
    """The bytes of `make()` for this version of a thing: 304 where the client has them, from the cache where we do.

    `name` and `version` together must name everything that the answer depends on but the query string. What is not the
    same for everybody who may read it must not be answered this way.
    """
    text = f"{name}:{version}:{request.META.get('QUERY_STRING', '')}"
    digest = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
    etag = f'"{digest}"'
    if etag in parse_etags(request.headers.get("If-None-Match", "")):
        return HttpResponse(status=304, headers={"ETag": etag})
    key = f"api:{digest}"
    body = cache.get(key)
    if body is None:
        made = make()
        body = made.encode() if isinstance(made, str) else JSONRenderer().render(made)
        cache.set(key, body, KEPT_SECONDS)
    return HttpResponse(body, content_type=media, headers={"ETag": etag, "Cache-Control": "no-cache"})
