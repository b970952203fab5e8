"""Measures the queue: a tournament of 10,000 matches through Celery and Postgres, and how much of it is the game.

python -m aurum_league.bench_queue [--matches 10000] [--plain 500]

It runs in a data folder of its own, first with one task and one transaction a match (the measure: as Celery and Django
are out of the box, a connection for each task, and beside it with connections kept), then as the site plays, with one
worker and with two. "Rules and brains" is the processor time spent between setting a table and its
result; the whole is that of all workers and their children, of Postgres, of Valkey and of this program, which draws the
tournament and makes its matches.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from aurum_league.embedded.layout import Wanted
from aurum_league.embedded.process_table import list_processes, works_in
from aurum_league.embedded.services import start_services, stop_services
from aurum_league.settings.connections import read_layout
from aurum_league.settings.environment import CHECKOUT, enter_own_folder

TICKS = os.sysconf("SC_CLK_TCK")
CELERY = [sys.executable, "-m", "celery", "--quiet", "--app"]
TASKS, TASKS_KEPT = "aurum_league.bench_queue_tasks", "aurum_league.bench_queue_kept"
SECONDS_TO_START = 120
PARTS = ("workers", "Postgres", "Valkey", "this program")
QUIET = ["--loglevel", "error", "--without-mingle", "--without-gossip", "--without-heartbeat"]


class Measured(NamedTuple):
    """`cpu` holds processor seconds by part; `game_cpu` those of rules and brains."""

    what: str
    played: int
    seconds: float
    cpu: dict[str, float]
    game_cpu: float


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m aurum_league.bench_queue", description=__doc__)
    parser.add_argument("--matches", type=int, default=10_000, help="matches of the tournament, about")
    parser.add_argument("--plain", type=int, default=500, help="matches of the measure: one task, one transaction each")
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="aurum-bench-"))
    enter_own_folder(folder)
    start_services(read_layout(), Wanted())
    try:
        show_results(measure_all(arguments.matches, arguments.plain))
    finally:
        stop_services(read_layout())
        shutil.rmtree(folder, ignore_errors=True)
    return 0


def measure_all(matches: int, plain: int) -> list[Measured]:
    from aurum_league import bench_queue_tasks as work

    work.prepare_database()
    rows = []
    for what, tasks in (("one task, one transaction a match, 2 workers", TASKS), ("connections kept", TASKS_KEPT)):
        with workers("bench", 2, tasks) as session:
            rows.append(measure(what, session, lambda: work.play_plainly(plain)))
    for count in (1, 2):
        with workers("play,celery,live", count) as session:
            what = f"as the site plays, {count} worker{'s' if count > 1 else ''}"
            rows.append(measure(what, session, lambda: work.play_tournament(matches)))
    return rows


def measure(what: str, session: int, play: Callable[[], tuple[int, float]]) -> Measured:
    before, started = read_cpu(session), time.monotonic()
    played, game_cpu = play()
    seconds = time.monotonic() - started
    spent = {part: cpu - before[part] for part, cpu in read_cpu(session).items()}
    return Measured(what, played, seconds, spent, game_cpu)


class workers:
    """As a context: so many Celery workers of one process each on these queues, ready to work."""

    def __init__(self, queues: str, count: int, tasks: str = TASKS) -> None:
        self.command = [*CELERY, tasks, "worker", *QUIET, "--queues", queues, "--concurrency", str(count)]

    def __enter__(self) -> int:
        """The session that the worker and all its children run in."""
        self.program = subprocess.Popen(
            self.command, cwd=CHECKOUT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        from aurum_league.bench_queue_tasks import app

        ends_at = time.monotonic() + SECONDS_TO_START
        while not app.control.ping(timeout=0.5):
            if time.monotonic() > ends_at:
                raise SystemExit("The workers did not start.")
        return self.program.pid

    def __exit__(self, *failure: object) -> None:
        os.killpg(self.program.pid, signal.SIGTERM)
        self.program.wait()


def read_cpu(session: int) -> dict[str, float]:
    """Seconds of processor time so far by part, each with those of its children that have ended."""
    layout = read_layout()
    spent = dict.fromkeys(PARTS, 0.0) | {"this program": time.process_time()}
    for process in list_processes():
        if process.session == session:
            spent["workers"] += _cpu_of(process.pid)
        elif works_in(process.pid, layout.postgres):
            spent["Postgres"] += _cpu_of(process.pid)
        elif works_in(process.pid, layout.valkey):
            spent["Valkey"] += _cpu_of(process.pid)
    return spent


def _cpu_of(pid: int) -> float:
    """Its own time and that of its children that have ended, which those still running are no part of."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(int(field) for field in fields[11:15]) / TICKS


def show_results(rows: list[Measured]) -> None:
    table = Table(title="Matches through Celery and Postgres")
    for heading in ("what", "matches", "seconds", "matches/s", "of plain", "CPU s", *PARTS, "rules and brains"):
        table.add_column(heading, justify="left" if heading == "what" else "right")
    plain = rows[0].played / rows[0].seconds
    for row in rows:
        pace, cpu = row.played / row.seconds, sum(row.cpu.values())
        times = (f"{row.played}", f"{row.seconds:.1f}", f"{pace:.0f}", f"{pace / plain:.1f}", f"{cpu:.1f}")
        parts = (f"{row.cpu[part]:.1f}" for part in PARTS)
        table.add_row(row.what, *times, *parts, f"{row.game_cpu:.1f} ({100 * row.game_cpu / cpu:.0f} %)")
    Console(width=150).print(table)


if __name__ == "__main__":
    sys.exit(main())
