"""Reading a stream that never ends: by the site's own application, so many messages, within a time, and away."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from django.db import connection

from aurum_league.asgi import application

Answer = TypeVar("Answer")
LONGEST_SECONDS = 20
NOTHING = (b"", b"\n", b": still here\n\n")
"""Lines that only keep a connection open."""


class Listener:
    """The other end of a connection: what it is sent, and when it hangs up."""

    def __init__(self) -> None:
        self.sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.has_gone = asyncio.Event()
        self.has_asked = False

    async def receive(self) -> dict[str, Any]:
        if not self.has_asked:
            self.has_asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self.has_gone.wait()
        return {"type": "http.disconnect"}

    async def hear(self) -> bytes:
        """The next message that says something."""
        while (body := (await self.sent.get())["body"]) in NOTHING:
            pass
        return bytes(body)


def read_stream(address: str, count: int, *, token: str = "", nudge: Callable[[], object] | None = None) -> bytes:
    """The first messages of a stream; after the first of them something happens, where it is said what."""
    return asyncio.run(_read(address, count, token, nudge))


async def _read(address: str, count: int, token: str, nudge: Callable[[], object] | None) -> bytes:
    path, _, query = address.partition("?")
    headers = [(b"host", b"testserver"), (b"authorization", f"Bearer {token}".encode())]
    scope = {"type": "http", "method": "GET", "path": path, "query_string": query.encode()}
    listener = Listener()
    async with asyncio.timeout(LONGEST_SECONDS):
        stream = asyncio.create_task(
            application({**scope, "headers": headers if token else headers[:1]}, listener.receive, listener.sent.put)
        )
        start = await listener.sent.get()
        assert start["status"] == 200, address
        told = [await listener.hear()]
        if nudge:
            await asyncio.to_thread(nudge)
        while len(told) < count:
            told.append(await listener.hear())
        listener.has_gone.set()
        # One that is still connecting may miss it, by a fault of wait_for in Python 3.11; the end of the loop ends it.
        await asyncio.wait((stream,), timeout=0.2)
    return b"".join(told)


def run_committed(work: Callable[[], Answer]) -> Answer:
    """Do it by a connection outside the test's transaction: streams look by their own, and see what is committed."""

    def run() -> Answer:
        try:
            return work()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(run).result()
