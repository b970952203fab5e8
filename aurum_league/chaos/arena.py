"""The arena: servers, workers and beats in a data folder of their own, started again whenever they die."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from random import Random

import redis

from aurum_league.connections import CELERY_DATABASE, read_layout, redis_url
from aurum_league.embedded.layout import Wanted
from aurum_league.embedded.postgres import find_postmaster
from aurum_league.embedded.process_table import list_processes, works_in
from aurum_league.embedded.services import start_services, stop_services
from aurum_league.environment import CHECKOUT

CELERY = [sys.executable, "-m", "celery", "--quiet", "--app", "aurum_league.chaos.poison"]
WORKER = [*CELERY, "worker", "--loglevel", "error", "--without-mingle", "--without-gossip"]
PROGRAMS = {
    "worker-1": [*WORKER, "--hostname", "w1@chaos", "--queues", "play", "--concurrency", "1"],
    "worker-2": [*WORKER, "--hostname", "w2@chaos", "--queues", "play", "--concurrency", "1"],
    "live": [*WORKER, "--hostname", "live@chaos", "--queues", "live,celery", "--concurrency", "1"],
    "beat-1": [*CELERY, "beat", "--loglevel", "error", "--pidfile="],
    "beat-2": [*CELERY, "beat", "--loglevel", "error", "--pidfile="],
}


class Arena:
    """Used as a context; `tend` starts again what has died."""

    def __init__(self, log: Path) -> None:
        self.layout = read_layout()
        self.log = log
        self.programs: dict[str, subprocess.Popen[bytes]] = {}
        self.frozen: dict[str, float] = {}

    def __enter__(self) -> "Arena":
        start_services(self.layout, Wanted())
        return self

    def __exit__(self, *failure: object) -> None:
        for program in self.programs.values():
            _end_group(program)
        stop_services(self.layout)

    def tend(self) -> None:
        """Start servers and programs that are gone, and let go of what was frozen long enough."""
        start_services(self.layout, Wanted())
        for name, command in PROGRAMS.items():
            if name not in self.programs or self.programs[name].poll() is not None:
                self._start(name, command)
        for name, until in list(self.frozen.items()):
            if time.monotonic() > until:
                del self.frozen[name]
                self._signal_all(name, signal.SIGCONT)

    def _start(self, name: str, command: list[str]) -> None:
        if name in self.programs:
            _end_group(self.programs[name])
        with self.log.open("ab") as log:
            self.programs[name] = subprocess.Popen(
                command, cwd=CHECKOUT, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )

    def kill_worker(self, rng: Random) -> None:
        """The worker's main process, whose children are left behind."""
        program = self.programs[rng.choice(["worker-1", "worker-2", "live"])]
        program.kill()

    def kill_child(self, rng: Random) -> None:
        children = [
            process.pid
            for process in list_processes()
            for name in ("worker-1", "worker-2")
            if process.session == self.programs[name].pid and process.pid != self.programs[name].pid
        ]
        if children:
            _kill(rng.choice(children), signal.SIGKILL)

    def freeze_worker(self, rng: Random) -> None:
        """Longer than a lease: when it comes back, its matches are somebody else's."""
        name = rng.choice(["worker-1", "worker-2"])
        if not self.frozen:
            self.frozen[name] = time.monotonic() + 35
            self._signal_all(name, signal.SIGSTOP)

    def kill_postgres(self, rng: Random) -> None:
        pid = find_postmaster(self.layout)
        if pid:
            _kill(pid, signal.SIGKILL)

    def kill_redis(self, rng: Random) -> None:
        for process in list_processes():
            if works_in(process.pid, self.layout.valkey):
                _kill(process.pid, signal.SIGKILL)

    def flush_redis(self, rng: Random) -> None:
        with suppress(redis.RedisError):
            redis.Redis.from_url(redis_url(CELERY_DATABASE), socket_timeout=3).flushall()

    def _signal_all(self, name: str, number: signal.Signals) -> None:
        for process in list_processes():
            if process.session == self.programs[name].pid:
                _kill(process.pid, number)


def _kill(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def _end_group(program: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(program.pid, signal.SIGKILL)
    program.wait()
