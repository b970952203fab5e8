"""The stream of a tournament's events: the state first, then what is new, resumed where it broke."""

import asyncio
import json
from contextlib import suppress
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import AsyncClient

from tests.api.conftest import World

pytestmark = pytest.mark.django_db
STREAM = "/live/api/v1/tournaments/autumn-cup/events"


def read_lines(address: str, count: int) -> list[Any]:
    """The first lines of a stream, which is then left."""

    async def read() -> list[Any]:
        answer = await AsyncClient().get(address)
        assert answer["Content-Type"] == "application/x-ndjson"
        lines: list[Any] = []
        parts = aiter(answer.streaming_content)  # type: ignore[attr-defined]
        while len(lines) < count:
            lines += [json.loads(line) for line in (await anext(parts)).splitlines() if line]
        await parts.aclose()
        return lines

    return async_to_sync(read)()


def test_the_state_comes_first(world: World) -> None:
    (state,) = read_lines(STREAM, 1)
    assert state["type"] == "state"
    assert state["tournament"]["slug"] == "autumn-cup"
    assert state["standings"]["1"]["lines"][0]["place"] == 1
    assert state["number"] == world.tournament.events.count()


def test_it_resumes_after_a_number(world: World) -> None:
    lines = read_lines(f"{STREAM}?after=2", 2)
    assert [(line["type"], line["number"]) for line in lines] == [("event", 3), ("event", 4)]


def test_it_ends_though_the_word_to_end_was_swallowed(world: World) -> None:
    """As a library does that is cancelled at the very moment in which what it waits for is there."""

    async def read() -> list[bytes]:
        answer = await AsyncClient().get(STREAM)
        parts = aiter(answer.streaming_content)  # type: ignore[attr-defined]
        await anext(parts)
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(0)
        async with asyncio.timeout(20):
            return [part async for part in parts]

    assert async_to_sync(read)() == []


@pytest.mark.parametrize(
    ("address", "status", "code"),
    [
        pytest.param(f"{STREAM}?after=x", 422, "after_invalid", id="no number"),
        pytest.param("/live/api/v1/tournaments/none/events", 404, "no_tournament", id="no tournament"),
    ],
)
def test_refused(world: World, address: str, status: int, code: str) -> None:
    answer = async_to_sync(AsyncClient().get)(address)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
