"""The ASGI application: live streams run on Django's async stack, everything else on the leaner WSGI one."""

import os
from typing import Any

from a2wsgi import WSGIMiddleware
from django.core.asgi import get_asgi_application
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "aurum_league.settings.embedded")

LIVE_PREFIX = "/live/"
THREADS = 10

live = get_asgi_application()

from aurum_league.wsgi import application as wsgi_application  # noqa: E402

# Importing every page takes seconds; better at the start than at somebody's first request.
get_resolver().url_patterns  # noqa: B018

pages = WSGIMiddleware(wsgi_application, workers=THREADS)  # type: ignore[arg-type]


async def application(scope: Any, receive: Any, send: Any) -> None:
    is_live = scope["path"].startswith(LIVE_PREFIX)
    await (live if is_live else pages)(scope, receive, send)
