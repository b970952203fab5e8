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

from aurum_league import live
from games.services.publish import publish
from tests.pages.events import make_tournament, read_page
from tournaments.selectors.pace import measure_pace
from tournaments.selectors.progress import Progress

NUMBER = 424_242


async def hear(events: AsyncIterator[str]) -> dict[str, Any]:
    """The next event that says something."""
    async for event in events:
        for line in event.splitlines():
            if line.startswith("data: "):
                return dict(json.loads(line[6:]))
    raise AssertionError("the stream ended")


async def open_and_tell(pattern: str, *notes: tuple[str, dict[str, Any]]) -> tuple[dict[str, Any], float]:
    """What a listener hears after these notes, and how long it took."""
    events = live.listen(pattern)
    assert await hear(events) == live.OPENED
    started = time.monotonic()
    for channel, payload in notes:
        await asyncio.to_thread(publish, channel, payload)
    heard = await asyncio.wait_for(hear(events), 5)
    return heard, time.monotonic() - started


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
    ],
)
def test_a_listener_hears(pattern: str, notes: list[tuple[str, dict[str, Any]]], heard: dict[str, Any]) -> None:
    told, seconds = asyncio.run(open_and_tell(pattern, *notes))
    assert told == heard
    assert seconds < 2


def test_the_answer_is_a_stream_that_nothing_keeps() -> None:
    answer = asyncio.run(live.stream_channel(RequestFactory().get("/live/"), "tournament", NUMBER))
    assert answer["Content-Type"] == "text/event-stream"
    assert answer["Cache-Control"] == "no-store"


def test_without_redis_the_stream_ends_and_the_browser_asks_again() -> None:
    async def collect() -> list[str]:
        return [event async for event in live.listen("aurum:tournament:1")]

    with override_settings(LIVE_URL="unix:///nowhere/valkey.sock?db=1"):
        assert asyncio.run(collect()) == []


@pytest.mark.django_db
def test_only_pages_that_can_change_listen(client: Client) -> None:
    tournament = make_tournament("playing")
    page = read_page(client, "/tournaments/test-cup/?page=1")
    assert f'data-live="/live/tournaments/{tournament.id}/"' in page
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
    pace = measure_pace(Progress(ended, 600, 0), lately, NOW - started, NOW)
    assert (pace.a_minute, pace.left) == (a_minute, left)
