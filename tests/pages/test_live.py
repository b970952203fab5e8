"""Server-sent events: what an open page hears, how soon, and what it never hears."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client, RequestFactory
from django.test.utils import override_settings

from aurum_league.asgi import application
from aurum_league.common.broker import publish
from aurum_league.web import streams
from tests.pages.events import make_tournament, play_to_the_end, read_page
from tournaments.selectors.progress import MatchProgress, measure_pace

NUMBER = 424_242


async def hear(events: AsyncIterator[str]) -> dict[str, Any]:
    """The next event that says something."""
    async for event in events:
        for line in event.splitlines():
            if line.startswith("data: "):
                return dict(json.loads(line[6:]))
    raise AssertionError("the stream ended")


async def open_and_tell(pattern: str, *notes: tuple[str, dict[str, Any]]) -> tuple[dict[str, Any], float]:
    """The last that a listener hears of these notes, and how long the first took."""
    events = streams.watch(pattern)
    assert await hear(events) == streams.OPENED
    started = time.monotonic()
    for channel, payload in notes:
        await asyncio.to_thread(publish, channel, payload)
    heard = await asyncio.wait_for(hear(events), 5)
    seconds = time.monotonic() - started
    if len(notes) > 2:
        heard = await asyncio.wait_for(hear(events), 5)
    return heard, seconds


@pytest.mark.parametrize(
    ("pattern", "notes", "heard"),
    [
        pytest.param(
            f"aurum:tournament:{NUMBER}",
            [(f"tournament:{NUMBER}", {"kind": "results", "version": 3})],
            {"kind": "results", "version": 3},
            id="a result of this tournament",
        ),
        pytest.param(
            "aurum:tournament:*",
            [(f"tournament:{NUMBER}", {"kind": "started", "number": 2})],
            {"kind": "started", "number": 2},
            id="anything of any tournament",
        ),
        pytest.param(
            f"aurum:tournament:{NUMBER}",
            [("tournament:1", {"kind": "other"}), (f"tournament:{NUMBER}", {"kind": "mine"})],
            {"kind": "mine"},
            id="nothing of another one",
        ),
        pytest.param(
            f"aurum:tournament:{NUMBER}",
            [(f"tournament:{NUMBER}", {"kind": "results", "version": number}) for number in range(50)],
            {"kind": "results", "version": 49},
            id="many at once are told as one",
        ),
        pytest.param(
            f"aurum:match:{NUMBER}",
            [(f"match:{NUMBER}", {"kind": "moved", "hand": ["B7"], "entrant": 5})],
            {"kind": "moved"},
            id="no more than that something happened",
        ),
        pytest.param(
            f"aurum:match:{NUMBER}",
            [(f"match:{NUMBER}", {"back": 8})],
            {"back": 8},
            id="somebody asks to take something back",
        ),
    ],
)
def test_a_listener_hears(pattern: str, notes: list[tuple[str, dict[str, Any]]], heard: dict[str, Any]) -> None:
    told, seconds = asyncio.run(open_and_tell(pattern, *notes))
    assert told == heard
    assert seconds < 1


@pytest.mark.django_db(transaction=True)
def test_the_answer_is_a_stream_that_nothing_keeps() -> None:
    number = make_tournament("draft").id
    answer = asyncio.run(streams.stream_notes(RequestFactory().get("/live/"), "tournament", number))
    assert answer["Content-Type"] == "text/event-stream"
    assert answer["Cache-Control"] == "no-store"


def test_without_redis_the_stream_ends_and_the_browser_asks_again() -> None:
    async def collect() -> list[str]:
        return [event async for event in streams.watch("aurum:tournament:1")]

    with override_settings(LIVE_URL="unix:///nowhere/valkey.sock?db=1"):
        assert asyncio.run(collect()) == []


def test_all_watchers_of_one_page_share_one_rendering() -> None:
    """Thirty enter a room, all hear the part; the room is gone with the last of them."""
    rendered: list[int] = []

    async def render() -> str:
        rendered.append(len(rendered))
        return f"<p>{len(rendered)}</p>"

    async def watch_together() -> list[dict[str, Any]]:
        watchers = [streams.watch(f"aurum:tournament:{NUMBER}", "page", render) for _ in range(30)]
        assert [event["html"] for event in await asyncio.gather(*map(hear, watchers))] == ["<p>1</p>"] * 30
        await asyncio.to_thread(publish, f"tournament:{NUMBER}", {"kind": "results"})
        heard = await asyncio.gather(*map(hear, watchers))
        late = streams.watch(f"aurum:tournament:{NUMBER}", "page", render)
        heard.append(await hear(late))
        for watcher in (*watchers, late):
            await watcher.aclose()
        return heard

    assert asyncio.run(watch_together()) == [{"kind": "results", "html": "<p>2</p>"}] * 31
    assert rendered == [0, 1]
    assert [pattern for _loop, pattern, key in streams.rooms if key == "page"] == []


async def read_stream(path: str, *, language: str = "en") -> dict[str, Any]:
    """The first event of a stream, asked for as a browser asks the server."""
    sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    gone = asyncio.Event()

    async def receive() -> dict[str, Any]:
        if receive_once.is_set():
            await gone.wait()
            return {"type": "http.disconnect"}
        receive_once.set()
        return {"type": "http.request", "body": b""}

    receive_once = asyncio.Event()
    address, _, query = path.partition("?")
    headers = [(b"host", b"testserver"), (b"accept-language", language.encode())]
    scope = {"type": "http", "method": "GET", "path": address, "query_string": query.encode(), "headers": headers}
    stack = asyncio.create_task(application({**scope, "http_version": "1.1", "scheme": "http"}, receive, sent.put))
    body = ""
    while "\n\n" not in body:
        body += (await asyncio.wait_for(sent.get(), 10)).get("body", b"").decode()
    gone.set()
    await stack
    return dict(json.loads(body.split("data: ")[1].split("\n")[0]))


@pytest.mark.filterwarnings("ignore::celery.exceptions.AlwaysEagerIgnored")
@pytest.mark.django_db(transaction=True)
def test_streams_carry_what_a_stranger_sees_in_the_readers_language() -> None:
    tournament = make_tournament("playing")
    path = f"/live/tournaments/{tournament.id}/{tournament.slug}/"
    for address, language, says in (
        (path, "en", "Waiting for players or workers"),
        (f"{path}?page=99&stage=1&rubbish=%00", "de", 'id="state"'),
        ("/live/home/", "fr", "Test Cup"),
    ):
        told = asyncio.run(read_stream(address, language=language))
        assert told["kind"] == "open"
        assert says in told["html"]
    assert "Waiting for players" not in asyncio.run(read_stream(path, language="ru"))["html"]
    play_to_the_end(tournament)
    assert "Champion" in asyncio.run(read_stream(path))["html"]


@pytest.mark.django_db(transaction=True)
def test_a_stream_of_what_strangers_may_not_see_only_says_that_something_happened() -> None:
    draft = make_tournament("draft")
    for path in (f"/live/tournaments/{draft.id}/{draft.slug}/", f"/live/tournaments/{draft.id}/nothing/"):
        assert asyncio.run(read_stream(path)) == streams.OPENED


@pytest.mark.django_db
def test_only_pages_that_can_change_listen(client: Client) -> None:
    tournament = make_tournament("playing")
    page = read_page(client, "/tournaments/test-cup/?page=1")
    assert f'data-live="/live/tournaments/{tournament.id}/test-cup/?page=1"' in page
    assert 'hx-get="/tournaments/test-cup/now/?page=1"' in page
    assert "js/live.js" in page
    assert 'id="state" hx-swap-oob="innerHTML"' in read_page(client, "/tournaments/test-cup/now/")


@pytest.mark.django_db
def test_a_finished_tournament_is_still(client: Client) -> None:
    make_tournament("finished")
    assert "data-live" not in read_page(client, "/tournaments/test-cup/")


NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("ended", "lately", "started", "a_minute", "left"),
    [
        pytest.param(60, 60, timedelta(minutes=9), 60, timedelta(minutes=9), id="the pace of the last minute"),
        pytest.param(100, 100, timedelta(seconds=30), 200, timedelta(minutes=2.5), id="a start half a minute ago"),
        pytest.param(10, 0, timedelta(hours=1), 0, None, id="nothing lately: nobody can tell"),
        pytest.param(600, 30, timedelta(hours=1), 30, timedelta(0), id="all ended"),
    ],
)
def test_pace(ended: int, lately: int, started: timedelta, a_minute: int, left: timedelta | None) -> None:
    pace = measure_pace(MatchProgress(ended, 600, 0), lately, NOW - started, NOW)
    assert (pace.a_minute, pace.left) == (a_minute, left)
