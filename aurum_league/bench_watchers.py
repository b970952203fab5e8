"""Measures watchers of one live page: what they cost the server, and how soon each sees a result.

python -m aurum_league.bench_watchers [--watchers 200] [--results 30]

It runs in a data folder of its own: a real server, watchers that each hold a stream open as a browser does, and a
tournament whose matches are settled one by one. A result is seen when the part that a stream sends counts it; the time
is taken from before the match is played.
"""

import argparse
import asyncio
import os
import re
import statistics
import subprocess
import sys
import time
import uuid
from pathlib import Path

from aurum_league.bench_api import free_port
from aurum_league.bench_pages import own_services

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


async def watch_results(server: subprocess.Popen[bytes], port: int, count: int, results: int) -> bool:
    path = await asyncio.to_thread(prepare_tournament)
    await wait_for_server(port)
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
    return report(watchers, started, after - before)


def prepare_tournament() -> str:
    """Start a tournament of quick bots that nobody plays but this program; the address of its stream."""
    from django.core.management import call_command
    from django.urls import reverse

    from tournaments.services.draw import draw_tournament
    from tournaments.services.entries import enter_players
    from tournaments.services.field import ensure_house_organiser, ensure_house_players
    from tournaments.services.leagues import create_tournament
    from tournaments.services.lifecycle import open_tournament
    from tournaments.services.release import start_tournament

    call_command("migrate", verbosity=0, interactive=False)
    stage = {"format": "round_robin", "options": {"meetings": 2}, "block_deals": 4}
    spec = {"name": "Watched", "stages": [stage]}
    tournament = create_tournament(spec=spec, organiser=ensure_house_organiser())
    open_tournament(tournament_id=tournament.id)
    enter_players(tournament_id=tournament.id, players=ensure_house_players({"random": 9}))
    draw_tournament(tournament_id=tournament.id)
    start_tournament(tournament_id=tournament.id)
    return reverse("live_tournament_now", args=[tournament.id, tournament.slug])


def settle_one() -> None:
    from games.models import RunnerNeed
    from games.services.lease import claim_matches
    from games.services.play import Batch

    token = uuid.uuid4()
    Batch(claim_matches(token=token, limit=1, needs=RunnerNeed.HOUSE), token).play()


async def wait_for_server(port: int) -> None:
    for _ in range(300):
        try:
            _reader, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.1)
        else:
            writer.close()
            return
    raise SystemExit("The server did not start.")


def read_megabytes(pid: int) -> float:
    """Memory of a process that is in use and in no other."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    raise ValueError("the system tells no memory")


def report(watchers: list[Watcher], started: list[float], megabytes: float) -> bool:
    """The first result that a watcher has at least so many of is the one that was asked for."""
    waits = [
        min((at for ended, at in watcher.seen.items() if ended >= number), default=float("inf")) - begun
        for watcher in watchers
        for number, begun in enumerate(started, 1)
    ]
    cuts = statistics.quantiles(waits, n=100, method="inclusive")
    print(f"{len(watchers)} watchers, {len(started)} results, load {os.getloadavg()[0]:.1f}")
    print(f"memory of the server: {megabytes:.1f} MB more, at most {MOST_MEGABYTES}")
    print(f"a result is seen after: p50 {cuts[49]:.2f} s, p99 {cuts[98]:.2f} s, last {max(waits):.2f} s")
    return megabytes < MOST_MEGABYTES and max(waits) < MOST_SECONDS


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m aurum_league.bench_watchers", description=__doc__)
    parser.add_argument("--watchers", type=int, default=200)
    parser.add_argument("--results", type=int, default=30)
    arguments = parser.parse_args()
    with own_services(None):
        import django

        django.setup()
        port = free_port()
        command = [sys.executable, "-m", "uvicorn", "aurum_league.asgi:application", "--port", str(port)]
        server = subprocess.Popen([*command, "--lifespan", "off", "--log-level", "error", "--no-access-log"])
        try:
            is_good = asyncio.run(watch_results(server, port, arguments.watchers, arguments.results))
        finally:
            server.kill()
            server.wait()
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
