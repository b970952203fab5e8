"""Server-sent events: rooms of watchers who share one rendering, and the stream of one table."""

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from typing import Any
from urllib.parse import urlencode

import structlog
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
from django.urls import path
from django.utils import translation

from aurum_league.common.breaker import BrokerAway
from aurum_league.common.broker import PREFIX, Follower, follow
from aurum_league.web.limits import is_followable
from tournaments.pages.home import show_home_now
from tournaments.pages.tournament import show_now

HEARTBEAT_SECONDS = 15.0
"""A line that says nothing keeps proxies from closing a quiet stream, and finds out who has gone."""

PAUSE_SECONDS = 0.3
"""The first note is told at once; those that follow it closer than this are told as one, the newest."""

RETRY_MS = 2000
OPENED: dict[str, object] = {"kind": "open"}
STILL_HERE = ": still here\n\n"
TOLD = ("kind", "number", "version", "talk", "again", "back")
"""What a note may carry to everybody; whoever wants more asks a page that knows who is asking."""

Render = Callable[[], Awaitable[str]]


class Room:
    """Watchers of one thing; each hears the newest event, and one who is slow misses those between."""

    def __init__(self, channel: str, render: Render | None) -> None:
        self.channel = channel
        self.render = render
        self.watchers = 0
        self.is_closed = False
        self.welcome = ""
        self.event = ""
        self.number = 0
        self.changed = asyncio.Event()
        self.work = asyncio.create_task(self._listen())

    async def watch(self) -> AsyncGenerator[str, None]:
        """Events from now on; the first says that none can be missed. Ends where Redis does not answer."""
        while not self.welcome and not self.is_closed:
            await self.changed.wait()
        changed, seen = self.changed, self.number
        if self.welcome:
            yield f"retry: {RETRY_MS}\n{self.welcome}"
        while not self.is_closed:
            await changed.wait()
            is_news = self.number != seen
            changed, seen = self.changed, self.number
            if not self.is_closed:
                yield self.event if is_news else STILL_HERE

    async def _listen(self) -> None:
        try:
            async with follow(self.channel) as news:
                self.welcome = await self._make_event(OPENED)
                self._wake()
                await self._pass_on(news)
        except BrokerAway:
            return
        finally:
            self.is_closed = True
            self._wake()

    async def _pass_on(self, news: Follower) -> None:
        # Asked for besides being cancelled: Python 3.11's `wait_for` can swallow that while a client connects.
        while self.watchers:
            note = await news.wait(HEARTBEAT_SECONDS)
            if note is None:
                self._wake()
                continue
            self.event = await self._make_event({key: note[key] for key in TOLD if key in note})
            self.number += 1
            if self.render:
                self.welcome = self.event
            self._wake()
            await asyncio.sleep(PAUSE_SECONDS)

    async def _make_event(self, note: Mapping[str, object]) -> str:
        html = await self.render() if self.render else ""
        return f"data: {json.dumps({**note, 'html': html} if html else note)}\n\n"

    def _wake(self) -> None:
        self.changed.set()
        self.changed = asyncio.Event()


rooms: dict[tuple[asyncio.AbstractEventLoop, str, object], Room] = {}


async def watch(pattern: str, key: object = None, render: Render | None = None) -> AsyncGenerator[str, None]:
    """Events for a pattern of channels, out of the one room of this key; the last to leave closes it."""
    place = (asyncio.get_running_loop(), pattern, key)
    room = rooms.get(place)
    if room is None or room.is_closed:
        room = rooms[place] = Room(pattern, render)
    room.watchers += 1
    try:
        async with aclosing(room.watch()) as events:
            async for event in events:
                yield event
    finally:
        room.watchers -= 1
        if not room.watchers:
            if rooms.get(place) is room:
                del rooms[place]
            room.work.cancel()


log = structlog.get_logger()

PARAMETERS = ("page", "stage")
"""Of an address only these choose what a part shows; any other would only make a room of its own."""

LONGEST_PARAMETER = 6
LARGEST_NUMBER = 2**63 - 1
threads = ThreadPoolExecutor(2, thread_name_prefix="live")

View = Callable[..., HttpResponse]


async def stream_notes(request: HttpRequest, channel: str, number: int) -> StreamingHttpResponse:
    """That something happened to one tournament, match or trial, and no more: its page knows who is asking."""
    await require_known(channel, number)
    return answer(watch(f"{PREFIX}{channel}:{number}"))


async def stream_home(request: HttpRequest) -> StreamingHttpResponse:
    """The front page's part, whatever tournament changes it."""
    return answer(watch_part(request, f"{PREFIX}tournament:*", show_home_now))


async def stream_tournament(request: HttpRequest, number: int, slug: str) -> StreamingHttpResponse:
    """Progress and standings."""
    await require_known("tournament", number)
    return answer(watch_part(request, f"{PREFIX}tournament:{number}", show_now, slug=slug))


async def require_known(kind: str, number: int) -> None:
    """404 before anybody listens: an invented number makes no room."""
    if number > LARGEST_NUMBER or not await is_followable(kind, number):
        raise Http404


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
    path("trials/<int:number>/", stream_notes, {"channel": "trial"}, name="live_trial"),
]


ADDRESS = re.compile(r"/live/matches/(\d{1,18})/")
HEADERS = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
]


def find_table(scope: Any) -> int | None:
    """The match whose stream is asked for; None for every other request."""
    found = ADDRESS.fullmatch(scope["path"]) if scope["method"] == "GET" else None
    return int(found[1]) if found else None


async def stream_table(number: int, receive: Any, send: Any) -> None:
    """Tell that a table has moved on, and no more, until the listener has gone or Redis does not answer."""
    await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
    telling = asyncio.create_task(_tell(number, send))
    gone = asyncio.create_task(_wait_until_gone(receive))
    try:
        await asyncio.wait((telling, gone), return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (telling, gone):
            task.cancel()
        await asyncio.gather(telling, gone, return_exceptions=True)
    await send({"type": "http.response.body", "body": b""})


async def _tell(number: int, send: Any) -> None:
    async with aclosing(watch(f"{PREFIX}match:{number}")) as events:
        async for event in events:
            await send({"type": "http.response.body", "body": event.encode(), "more_body": True})


async def _wait_until_gone(receive: Any) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
