"""Server-sent events: an open page hears that something changed, with the part of it that shows so."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlencode

import structlog
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
from django.urls import path
from django.utils import translation

from aurum_league.live_rooms import watch
from games.pages.matches import show_running
from tournaments.pages.home import show_home_now
from tournaments.pages.tournament import show_now

log = structlog.get_logger()

PARAMETERS = ("page", "stage")
"""Of an address only these choose what a part shows; any other would only make a room of its own."""

LONGEST_PARAMETER = 6
threads = ThreadPoolExecutor(2, thread_name_prefix="live")

View = Callable[..., HttpResponse]


async def stream_notes(request: HttpRequest, channel: str, number: int) -> StreamingHttpResponse:
    """That something happened to one tournament, match or trial, and no more: its page knows who is asking."""
    return answer(watch(f"aurum:{channel}:{number}"))


async def stream_home(request: HttpRequest) -> StreamingHttpResponse:
    """The front page's part, whatever tournament changes it."""
    return answer(watch_part(request, "aurum:tournament:*", show_home_now))


async def stream_tournament(request: HttpRequest, number: int, slug: str) -> StreamingHttpResponse:
    """Progress and standings."""
    return answer(watch_part(request, f"aurum:tournament:{number}", show_now, slug=slug))


async def stream_match(request: HttpRequest, number: int) -> StreamingHttpResponse:
    """A running table as everybody sees it."""
    return answer(watch_part(request, f"aurum:match:{number}", show_running, match_id=number))


def answer(events: AsyncGenerator[str, None]) -> StreamingHttpResponse:
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingHttpResponse(events, content_type="text/event-stream", headers=headers)


def watch_part(request: HttpRequest, pattern: str, view: View, **named: object) -> AsyncGenerator[str, None]:
    """Events with the part that a stranger sees, rendered once for all who look at it in one language."""
    asked = urlencode({name: request.GET.get(name, "")[:LONGEST_PARAMETER] for name in PARAMETERS})
    language = translation.get_language()

    async def render() -> str:
        return await asyncio.get_running_loop().run_in_executor(threads, render_part, view, asked, language, named)

    return watch(pattern, (view.__name__, *named.values(), asked, language), render)


def render_part(view: View, asked: str, language: str, named: dict[str, object]) -> str:
    """Empty where strangers see nothing or something went wrong: the page then asks by itself."""
    request = HttpRequest()
    request.method, request.GET, request.user = "GET", QueryDict(asked), AnonymousUser()
    try:
        with translation.override(language):
            shown = view(request, **named)
        return "" if shown.has_header("HX-Refresh") else shown.content.decode()
    except Http404:
        return ""
    except Exception:
        log.exception("live_part_failed", view=view.__name__, **named)
        return ""
    finally:
        # A part is rendered now and then, for hours: no connection is kept for it meanwhile.
        connection.close()


urlpatterns = [
    path("home/", stream_home, name="live_home"),
    path("tournaments/<int:number>/", stream_notes, {"channel": "tournament"}, name="live_tournament"),
    path("tournaments/<int:number>/<slug:slug>/", stream_tournament, name="live_tournament_now"),
    path("matches/<int:number>/", stream_notes, {"channel": "match"}, name="live_match"),
    path("matches/<int:number>/table/", stream_match, name="live_match_table"),
    path("trials/<int:number>/", stream_notes, {"channel": "trial"}, name="live_trial"),
]
