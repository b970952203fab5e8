"""Measures play by workers far from their servers: every answer of Postgres and Redis is kept back on the line."""

import asyncio
import os
import tempfile
import threading
from collections.abc import Coroutine, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from aurum_league.embedded.layout import DATABASE, POSTGRES_PORT, SITE_ROLE
from aurum_league.settings.connections import read_layout
from benchmarks.queue import Measured, measure, workers
from benchmarks.report import Figure, Survey, at_least_times
from benchmarks.site import own_services

SHARE_OF_PACE = 0.6
POSTGRES_SOCKET = f".s.PGSQL.{POSTGRES_PORT}"


def measure_lag(*, matches: int, milliseconds: float, workers: int) -> Survey:
    """The same tournament by workers beside the servers and by workers behind the line."""
    with own_services():
        rows = [_play(matches, 0, workers), _play(matches, milliseconds, workers)]
    goal = at_least_times(SHARE_OF_PACE)
    near, far = (row.played / row.seconds for row in rows)
    return Survey(
        "Workers far from Postgres and Redis",
        [
            Figure(rows[0].what, f"{rows[0].played} matches", near, "matches/s"),
            Figure(rows[1].what, f"{rows[1].played} matches", far, "matches/s", goal, far / near),
        ],
    )


def _play(matches: int, milliseconds: float, count: int) -> Measured:
    from benchmarks import queue_tasks as work

    work.prepare_players()
    with far_servers(milliseconds), workers("play,celery,live", count) as session:
        return measure(f"{milliseconds:g} ms there and back", session, lambda: work.play_tournament(matches))


@contextmanager
def far_servers(milliseconds: float) -> Iterator[None]:
    """Programs started within reach the servers by lines on which every byte takes half as long, either way."""
    layout = read_layout()
    with tempfile.TemporaryDirectory(prefix="aurum-far-") as folder:
        postgres, valkey = Path(folder, POSTGRES_SOCKET), Path(folder, "valkey.sock")
        lines = {postgres: layout.run / POSTGRES_SOCKET, valkey: layout.valkey_socket}
        far = {
            "DATABASE_URL": f"postgres://{SITE_ROLE}@{quote(folder, safe='')}:{POSTGRES_PORT}/{DATABASE}",
            "REDIS_URL": f"unix://{valkey}",
        }
        with _run(_serve(lines, milliseconds / 2000)):
            os.environ.update(far)
            try:
                yield
            finally:
                for name in far:
                    del os.environ[name]


async def _serve(lines: dict[Path, Path], seconds: float) -> None:
    """Until it is cancelled."""
    async with AsyncExitStack() as stack:
        for here, there in lines.items():
            await stack.enter_async_context(await asyncio.start_unix_server(_Line(there, seconds).carry, here))
        await asyncio.Event().wait()


class _Line:
    def __init__(self, there: Path, seconds: float) -> None:
        self.there, self.seconds = there, seconds

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_unix_connection(self.there)
        await asyncio.gather(self._delay(reader, far_writer), self._delay(far_reader, writer), return_exceptions=True)

    async def _delay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """What was read is written so much later; reading does not wait for it, as on a real line."""
        loop, under_way = asyncio.get_running_loop(), asyncio.Queue[tuple[float, bytes]]()

        async def write() -> None:
            while (part := await under_way.get())[1]:
                await asyncio.sleep(part[0] - loop.time())
                writer.write(part[1])
                await writer.drain()
            writer.close()

        writing = asyncio.create_task(write())
        try:
            while data := await reader.read(1 << 16):
                under_way.put_nowait((loop.time() + self.seconds, data))
        finally:
            under_way.put_nowait((0, b""))
            await writing


@contextmanager
def _run(serving: Coroutine[Any, Any, None]) -> Iterator[None]:
    """In a thread of its own."""
    loop = asyncio.new_event_loop()
    task = loop.create_task(serving)
    thread = threading.Thread(target=lambda: loop.run_until_complete(asyncio.wait([task])), daemon=True)
    thread.start()
    try:
        yield
    finally:
        loop.call_soon_threadsafe(task.cancel)
        thread.join()
