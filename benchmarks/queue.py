"""Measures the queue: a tournament of 10,000 matches through Celery and Postgres, and how much of it is the game.

It runs in a data folder of its own, first with one task and one transaction a match (the measure: as Celery and Django
are out of the box, a connection for each task, and beside it with connections kept), then as the site plays, with one
worker and with two. "Rules and brains" is the processor time spent between setting a table and its
result; the whole is that of all workers and their children, of Postgres, of Valkey and of this program, which draws the
tournament and makes its matches.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

from aurum_league.cli.main import CommandError
from aurum_league.embedded.layout import list_processes, works_in
from aurum_league.settings.connections import read_layout
from aurum_league.settings.environment import CHECKOUT
from benchmarks.report import Figure, Survey, at_least, at_least_times
from benchmarks.site import own_services, read_cpu_seconds

CELERY = [sys.executable, "-m", "celery", "--quiet", "--app"]
TASKS, TASKS_KEPT = "benchmarks.queue_tasks:app", "benchmarks.queue_tasks:app_kept"
TASKS_BY_VIEWS = "benchmarks.queue_tasks:app_by_views"
SECONDS_TO_START = 120
TIMES_PLAIN, SHARE_OF_GAME = 10, 0.6
PARTS = ("workers", "Postgres", "Valkey", "this program")
QUIET = ["--loglevel", "error", "--without-mingle", "--without-gossip", "--without-heartbeat"]


class Measured(NamedTuple):
    """`cpu` holds processor seconds by part; `game_cpu` those of rules and brains."""

    what: str
    played: int
    seconds: float
    cpu: dict[str, float]
    game_cpu: float


def measure_queue(*, matches: int, plain: int) -> Survey:
    with own_services():
        rows = measure_all(matches, plain)
    return Survey("Matches through Celery and Postgres", list_figures(rows))


def measure_all(matches: int, plain: int) -> list[Measured]:
    from benchmarks import queue_tasks as work

    work.prepare_players()
    rows = []
    for what, tasks in (("one task, one transaction a match, 2 workers", TASKS), ("connections kept", TASKS_KEPT)):
        with workers("bench", 2, tasks) as session:
            rows.append(measure(what, session, lambda: work.play_plainly(plain)))
    for what, count, tasks in (
        ("as the site plays, but by views, 2 workers", 2, TASKS_BY_VIEWS),
        ("as the site plays, 1 worker", 1, TASKS),
        ("as the site plays, 2 workers", 2, TASKS),
    ):
        with workers("play,celery,live", count, tasks) as session:
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
        from benchmarks.queue_tasks import app

        ends_at = time.monotonic() + SECONDS_TO_START
        while not app.control.ping(timeout=0.5):
            if time.monotonic() > ends_at:
                raise CommandError("The workers did not start.")
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
            spent["workers"] += read_cpu_seconds(process.pid, with_ended_children=True)
        elif works_in(process.pid, layout.postgres):
            spent["Postgres"] += read_cpu_seconds(process.pid, with_ended_children=True)
        elif works_in(process.pid, layout.valkey):
            spent["Valkey"] += read_cpu_seconds(process.pid, with_ended_children=True)
    return spent


PACE = 3000.0


def _beside_views(row: Measured, rows: list[Measured]) -> list[Figure]:
    """Of the last: how much the bots that need no view gain by having none."""
    views = next(one for one in rows if "by views" in one.what)
    if row is not rows[-1]:
        return []
    pace = row.played / row.seconds
    gain = pace * views.seconds / views.played
    return [Figure(row.what, "beside the same by views", pace, "matches/s", at_least(PACE), gain)]


def list_figures(rows: list[Measured]) -> list[Figure]:
    """Paces beside that of the first row, the plain one; goals are for the last, the site with two workers."""
    plain, figures = rows[0].played / rows[0].seconds, []
    for row in rows:
        pace, cpu = row.played / row.seconds, sum(row.cpu.values())
        # The share was set for a game that is played by views: five times quicker, the same queue is more beside it.
        share = at_least_times(SHARE_OF_GAME) if "by views" in row.what else None
        goals = (at_least_times(TIMES_PLAIN) if row is rows[-1] else None, share)
        figures += [
            Figure(row.what, f"{row.played} matches in {row.seconds:.1f} s", pace, "matches/s", goals[0], pace / plain),
            *_beside_views(row, rows),
            Figure(row.what, "CPU in all", cpu, "s"),
            *(Figure(row.what, f"CPU of {part}", row.cpu[part], "s") for part in PARTS),
            Figure(row.what, "CPU of rules and brains, beside all", row.game_cpu, "s", goals[1], row.game_cpu / cpu),
        ]
    return figures
