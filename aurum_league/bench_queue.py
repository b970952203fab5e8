"""Measures the queue: a tournament of 10,000 matches through Celery and Postgres, and how much of it is the game.

python -m aurum_league.bench_queue [--matches 10000] [--plain 500]

It runs in a data folder of its own, first with one task and one transaction a match (the measure), then as the site
plays, with one worker and with two. "Rules and brains" is the processor time spent between setting a table and its
result; the whole is that of all workers and of Postgres.
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

from rich.console import Console
from rich.table import Table

from aurum_league.connections import read_layout
from aurum_league.embedded.layout import Wanted
from aurum_league.embedded.process_table import list_processes, works_in
from aurum_league.embedded.services import start_services, stop_services
from aurum_league.environment import CHECKOUT, enter_own_folder

TICKS = os.sysconf("SC_CLK_TCK")
CELERY = [sys.executable, "-m", "celery", "--quiet", "--app", "aurum_league.bench_queue_tasks", "worker"]
QUIET = ["--loglevel", "error", "--without-mingle", "--without-gossip", "--without-heartbeat"]


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


def measure_all(matches: int, plain: int) -> list[tuple[str, int, float, float, float]]:
    """Rows of name, matches, seconds, processor seconds of all, processor seconds of rules and brains."""
    from aurum_league import bench_queue_tasks as work

    work.prepare_database()
    rows = []
    with workers("bench", 2):
        rows.append(("one task, one transaction a match, 2 workers", *measure(lambda: work.play_plainly(plain))))
    for count in (1, 2):
        with workers("play,celery,live", count):
            rows.append((f"as the site plays, {count} worker(s)", *measure(lambda: work.play_tournament(matches))))
    return rows


def measure(play: Callable[[], tuple[int, float]]) -> tuple[int, float, float, float]:
    """Processor time is that of every process of this run but our own."""
    before, started = read_cpu(), time.monotonic()
    played, game_cpu = play()
    return played, time.monotonic() - started, read_cpu() - before, game_cpu


class workers:
    """As a context: so many Celery workers of one process each on these queues, ready to work."""

    def __init__(self, queues: str, count: int) -> None:
        self.command = [*CELERY, *QUIET, "--queues", queues, "--concurrency", str(count)]

    def __enter__(self) -> None:
        self.program = subprocess.Popen(
            self.command, cwd=CHECKOUT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        time.sleep(8)

    def __exit__(self, *failure: object) -> None:
        os.killpg(self.program.pid, signal.SIGTERM)
        self.program.wait()


def read_cpu() -> float:
    """Seconds of processor time that the workers and Postgres have used so far."""
    layout = read_layout()
    total = 0.0
    for process in list_processes():
        if b"bench_queue_tasks" in _command_line(process.pid) or works_in(process.pid, layout.postgres):
            total += _cpu_of(process.pid)
    return total


def _command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def _cpu_of(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / TICKS


def show_results(rows: list[tuple[str, int, float, float, float]]) -> None:
    table = Table(title="10,000 matches through Celery and Postgres")
    for heading in ("what", "matches", "seconds", "matches/s", "of plain", "CPU s", "rules and brains"):
        table.add_column(heading, justify="left" if heading == "what" else "right")
    plain = rows[0][1] / rows[0][2]
    for name, played, seconds, cpu, game_cpu in rows:
        pace = played / seconds
        ratio, share = f"{pace / plain:.1f}", f"{100 * game_cpu / max(cpu, 0.01):.0f} %"
        table.add_row(name, f"{played}", f"{seconds:.1f}", f"{pace:.0f}", ratio, f"{cpu:.1f}", share)
    Console().print(table)


if __name__ == "__main__":
    sys.exit(main())
