"""The ASGI application: live streams run on Django's async stack, everything else on the leaner WSGI one."""

import gc
import os
import sys
from http import HTTPStatus
from importlib import import_module
from typing import Any

from django.conf import settings
from django.core.asgi import get_asgi_application
from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "aurum_league.settings.embedded")

LIVE_PREFIX = "/live/"
TABLE_PREFIX = "/play/"
THREADS = 10
TABLE_THREADS = 4
"""They wait for the database to have a decision on its disk; more of them only wait for each other."""

SWITCH_SECONDS = 0.0005
"""The loop that every answer passes through gets its turn between threads sooner than Python's 5 ms."""

sys.setswitchinterval(SWITCH_SECONDS)

live = get_asgi_application()

from aurum_league.web.answers import Pages  # noqa: E402
from aurum_league.web.limits import (  # noqa: E402
    MOST_BODY_BYTES,
    MOST_TABLE_BYTES,
    TooManyStreams,
    gather_request,
    is_followable,
    open_streams,
    refuse_stream,
)
from aurum_league.web.requests import WholeRequests, name_client  # noqa: E402
from aurum_league.web.streams import find_table, stream_table  # noqa: E402

# Importing every page takes seconds; better at the start than at somebody's first request.
get_resolver().url_patterns  # noqa: B018
for part in ("scipy.optimize", "scipy.special"):
    import_module(part)

# What was imported stays for good; each time the collector looked through it, every request waited.
gc.freeze()

wsgi = get_wsgi_application()
pages = Pages(wsgi, THREADS)
tables = WholeRequests(wsgi, TABLE_THREADS)


async def application(scope: Any, receive: Any, send: Any) -> None:
    scope = name_client(scope, settings.TRUSTED_PROXIES)
    path = scope["path"]
    if path.startswith(LIVE_PREFIX):
        try:
            with open_streams.admit(scope):
                await _answer_live(scope, receive, send)
        except TooManyStreams as refusal:
            await refuse_stream(send, refusal.status)
        return
    is_table = path.startswith(TABLE_PREFIX)
    request = await gather_request(scope, receive, send, MOST_TABLE_BYTES if is_table else MOST_BODY_BYTES)
    if request is not None:
        scope, receive = request
        await (tables if is_table else pages)(scope, receive, send)


async def _answer_live(scope: Any, receive: Any, send: Any) -> None:
    number = find_table(scope)
    if number is None:
        request = await gather_request(_without_session(scope), receive, send, MOST_TABLE_BYTES)
        if request is not None:
            scope, receive = request
            await live(scope, receive, send)
    elif await is_followable("match", number):
        await stream_table(number, receive, send)
    else:
        await refuse_stream(send, HTTPStatus.NOT_FOUND)


def _without_session(scope: Any) -> Any:
    """A stream knows nobody: asked who listens, it would hold a database connection for as long as it is open.

    Of the cookies only the language's goes on, so that no other name a session may have can be forgotten here.
    """
    kept = settings.LANGUAGE_COOKIE_NAME.encode() + b"="
    headers = [
        (name, b"; ".join(part.strip() for part in value.split(b";") if part.strip().startswith(kept)))
        if name == b"cookie"
        else (name, value)
        for name, value in scope["headers"]
    ]
    return {**scope, "headers": headers}
