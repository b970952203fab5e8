"""The stream of one table: open at once, told of every move with its version, and closed with its listener."""

import asyncio
import json
from typing import Any

import pytest

from aurum_league.asgi import application
from aurum_league.common.broker import publish
from aurum_league.web.streams import rooms
from games.models import Match
from tests.listener import Listener
from tests.pages.events import make_tournament

SCOPE = {
    "type": "http",
    "method": "GET",
    "path": "/live/matches/77/",
    "query_string": b"",
    "headers": [(b"host", b"testserver")],
}


class Watcher(Listener):
    """Somebody who looks at a table."""

    async def hear(self) -> dict[str, Any]:
        async with asyncio.timeout(60):
            return await self.sent.get()

    async def hear_note(self) -> dict[str, Any]:
        """The next note; lines that only keep the connection open say nothing."""
        while "data: " not in (body := (await self.hear())["body"].decode()):
            pass
        told: dict[str, Any] = json.loads(body.split("data: ")[1])
        return told


async def listen_and_leave(number: int) -> tuple[dict[str, Any], list[dict[str, Any]], int]:
    listener = Watcher()
    stream = asyncio.create_task(
        application({**SCOPE, "path": f"/live/matches/{number}/"}, listener.receive, listener.sent.put)
    )
    start = await listener.hear()
    notes = [await listener.hear_note()]
    await asyncio.to_thread(publish, f"match:{number}", {"kind": "moved", "version": 9, "secret": "B7"})
    notes.append(await listener.hear_note())
    listener.has_gone.set()
    async with asyncio.timeout(60):
        await stream
    return start, notes, len(rooms)


@pytest.mark.filterwarnings("ignore::celery.exceptions.AlwaysEagerIgnored")
@pytest.mark.django_db(transaction=True)
def test_a_table_is_followed_until_the_listener_goes() -> None:
    make_tournament("playing")
    start, notes, left = asyncio.run(listen_and_leave(Match.objects.earliest("pk").pk))
    assert (start["status"], dict(start["headers"])[b"content-type"]) == (200, b"text/event-stream")
    assert notes == [{"kind": "open"}, {"kind": "moved", "version": 9}]
    assert left == 0


@pytest.mark.parametrize(
    ("method", "path"),
    [
        pytest.param("POST", "/live/matches/77/", id="nothing can be sent to it"),
        pytest.param("GET", "/live/matches/x/", id="no number"),
    ],
)
@pytest.mark.django_db(transaction=True)
def test_anything_else_is_left_to_django(method: str, path: str) -> None:
    async def ask() -> int:
        listener = Watcher()
        task = asyncio.create_task(
            application({**SCOPE, "method": method, "path": path}, listener.receive, listener.sent.put)
        )
        status: int = (await listener.hear())["status"]
        listener.has_gone.set()
        await asyncio.gather(task, return_exceptions=True)
        return status

    assert asyncio.run(ask()) in (403, 404, 405)
