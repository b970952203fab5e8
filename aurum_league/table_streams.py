"""The stream of one table, without Django around it: a hundred players open theirs at once, and none is asked who."""

import asyncio
import re
from contextlib import aclosing
from typing import Any

from aurum_league.live_rooms import watch

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
    async with aclosing(watch(f"aurum:match:{number}")) as events:
        async for event in events:
            await send({"type": "http.response.body", "body": event.encode(), "more_body": True})


async def _wait_until_gone(receive: Any) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
