"""Measures watchers of one live page: what they cost the server, and how soon each sees a result.

It runs in a data folder of its own: a real server, watchers that each hold a stream open as a browser does, and a
tournament whose matches are settled one by one. A result is seen when the part that a stream sends counts it; the time
is taken from before the match is played.
"""

import asyncio
import re
import statistics
import subprocess
import sys
import time
import uuid
from pathlib import Path

from aurum_league.settings.environment import CHECKOUT
from benchmarks.report import Figure, Survey, at_most, list_missed
from benchmarks.site import find_free_port, own_services, start_house_tournament, wait_for_server

MOST_MEGABYTES, MOST_SECONDS = 50, 1.0
PAUSE_SECONDS = 0.7
COUNTED = re.compile(rb'<progress[^>]* value=\\"(\d+)\\"')


class Watcher:
    """One open stream, and when each number of ended matches was first seen on it."""

    def __init__(self) -> None:
        self.seen: dict[int, float] = {}

    async def open(self, port: int, path: str) -> None:
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", port, limit=2**20)
        self.writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n".encode())
        await self.writer.drain()
        while not (await self.reader.readline()).startswith(b"data: "):
            pass
        self.work = asyncio.create_task(self._read())

    async def _read(self) -> None:
        while line := await self.reader.readline():
            if found := COUNTED.search(line):
                self.seen.setdefault(int(found[1]), time.monotonic())


async def watch_results(server: subprocess.Popen[bytes], port: int, count: int, results: int) -> list[Figure]:
    path = await asyncio.to_thread(prepare_tournament)
    await asyncio.to_thread(wait_for_server, port)
    first = Watcher()
    await first.open(port, path)
    await asyncio.sleep(1)
    before = read_megabytes(server.pid)
    watchers = [Watcher() for _ in range(count)]
    for watcher in watchers:
        await watcher.open(port, path)
    await asyncio.sleep(1)
    started = []
    for _ in range(results):
        started.append(time.monotonic())
        await asyncio.to_thread(settle_one)
        await asyncio.sleep(PAUSE_SECONDS)
    await asyncio.sleep(3)
    after = read_megabytes(server.pid)
    return list_figures(watchers, started, after - before)


def prepare_tournament() -> str:
    """Start a tournament of quick bots that nobody plays but this program; the address of its stream."""
    from django.urls import reverse

    stage = {"format": "round_robin", "options": {"meetings": 2}, "block_deals": 4}
    tournament = start_house_tournament("Watched", [stage], {"random": 9})
    return reverse("live_tournament_now", args=[tournament.id, tournament.slug])


def settle_one() -> None:
    from games.models import RunnerNeed
    from games.services.lease import claim_matches
    from games.services.play import Batch

    token = uuid.uuid4()
    Batch(claim_matches(token=token, limit=1, needs=RunnerNeed.HOUSE), token).play()


def read_megabytes(pid: int) -> float:
    """Memory of a process that is in use and in no other."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    raise ValueError("the system tells no memory")


def list_figures(watchers: list[Watcher], started: list[float], megabytes: float) -> list[Figure]:
    """The first result that a watcher has at least so many of is the one that was asked for."""
    waits = [
        min((at for ended, at in watcher.seen.items() if ended >= number), default=float("inf")) - begun
        for watcher in watchers
        for number, begun in enumerate(started, 1)
    ]
    cuts = statistics.quantiles(waits, n=100, method="inclusive")
    return [
        Figure("the server", "memory more", megabytes, "MB", at_most(MOST_MEGABYTES)),
        Figure("a result is seen after", "p50", cuts[49], "s"),
        Figure("a result is seen after", "p99", cuts[98], "s"),
        Figure("a result is seen after", "last", max(waits), "s", at_most(MOST_SECONDS)),
    ]


def measure_watchers(*, watchers: int, results: int) -> Survey:
    with own_services():
        port = find_free_port()
        command = [sys.executable, "-m", "uvicorn", "aurum_league.asgi:application", "--port", str(port)]
        quiet = ["--lifespan", "off", "--log-level", "error", "--no-access-log"]
        server = subprocess.Popen([*command, *quiet], cwd=CHECKOUT)
        try:
            figures = asyncio.run(watch_results(server, port, watchers, results))
        finally:
            server.kill()
            server.wait()
    return Survey(f"{watchers} watchers, {results} results", figures, broken=list_missed(figures))
