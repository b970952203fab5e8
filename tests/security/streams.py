"""Reading a stream that never ends: by the site's own application, so many messages, within a time, and away."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import connection

from aurum_league.asgi import application
from tests.listener import Listener

Answer = TypeVar("Answer")
LONGEST_SECONDS = 60
NOTHING = (b"", b"\n", b": still here\n\n")
"""Lines that only keep a connection open."""


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
        told = [await _hear(listener)]
        if nudge:
            await asyncio.to_thread(nudge)
        while len(told) < count:
            told.append(await _hear(listener))
        listener.has_gone.set()
        # One that is still connecting may miss it, by a fault of wait_for in Python 3.11; the end of the loop ends it.
        await asyncio.wait((stream,), timeout=0.2)
    return b"".join(told)


async def _hear(listener: Listener) -> bytes:
    """The next message that says something."""
    while (body := (await listener.sent.get())["body"]) in NOTHING:
        pass
    return bytes(body)


def run_committed(work: Callable[[], Answer]) -> Answer:
    """Do it by a connection outside the test's transaction: streams look by their own, and see what is committed."""

    def run() -> Answer:
        try:
            return work()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(run).result()
