"""Keeps the programs of a running site going: their command lines, starts, restarts, and the end of all."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from socket import socket

import structlog

from aurum_league.settings.environment import hide_owner, read_number, read_text
from aurum_league.supervision.roster import Leader, end_leftovers, end_programs, find_leader, write_roster
from aurum_league.supervision.tether import tether

NAMES = ("web", "worker", "live", "patient", "beat")
MOST_WEB_PROCESSES = 4
"""By default: each takes some 150 MB, and a larger machine is chosen for its workers."""

CELERY = ("celery", "--quiet", "--app", "aurum_league.celery")


@dataclass(frozen=True)
class ProgramCommand:
    """What starts a program, and the listening sockets that it is given."""

    arguments: list[str]
    sockets: tuple[socket, ...] = ()


def make_command(name: str) -> list[str]:
    log_level = read_text("LOG_LEVEL").lower()
    arguments = {
        "worker": _worker_arguments("worker", "play", log_level),
        # People and draws wait for it, so it never has a batch of bots' matches before it.
        "live": [*_worker_arguments("live", "live,celery", log_level), "--concurrency", "2"],
        # Checks of uploads, and bots that sleep: they need no core, only somebody whom they may keep waiting.
        "patient": [*_worker_arguments("patient", "checks,patient", log_level), "--concurrency", "4"],
        "beat": [*CELERY, "beat", "--loglevel", log_level, "--pidfile="],
    }
    return [sys.executable, "-m", *arguments[name]]


def make_web_commands(sockets: tuple[socket, ...], metrics: Path) -> dict[str, ProgramCommand]:
    """One for each process: all answer what comes in by the same sockets, and add up what they count in one folder."""
    count = read_number("WEB_PROCESSES", 0, 64) or min(os.cpu_count() or 1, MOST_WEB_PROCESSES)
    files = [str(each.fileno()) for each in sockets]
    command = ProgramCommand([sys.executable, "-m", "aurum_league.supervision.web", str(metrics), *files], sockets)
    return {f"web-{number}": command for number in range(1, count + 1)}


def _worker_arguments(name: str, queues: str, log_level: str) -> list[str]:
    queue = ["--hostname", f"{name}@%h", "--queues", queues]
    return [*CELERY, "worker", *queue, "--loglevel", log_level, "--without-mingle", "--without-gossip"]


SECONDS_BETWEEN_LOOKS = 0.2
SECONDS_TO_FINISH = 15
# A program that dies this often within this time is broken, and starting it again would only hide it.
DEATHS_ALLOWED = 5
SECONDS_OF_DEATHS = 60.0

log = structlog.get_logger(__name__)


@dataclass
class Program:
    name: str
    process: subprocess.Popen[bytes]
    leader: Leader
    deaths: list[float] = field(default_factory=list)


class Supervisor:
    """Used as a context: inside it the programs run, watched by a thread; leaving it ends them."""

    def __init__(self, commands: dict[str, ProgramCommand], roster: Path, cwd: Path) -> None:
        self.broken = ""
        self._commands = commands
        self._roster = roster
        self._cwd = cwd
        self._programs: list[Program] = []
        self._leaving = threading.Event()
        # The system ends a tethered child when the THREAD that started it ends, so the watcher starts them all.
        self._watcher = threading.Thread(target=self._run, name="supervisor", daemon=True)

    def __enter__(self) -> "Supervisor":
        end_leftovers(self._roster)
        self._watcher.start()
        return self

    def __exit__(self, *failure: object) -> None:
        self._leaving.set()
        self._watcher.join()

    def wait(self, until: Callable[[], bool] = lambda: False) -> None:
        """Returns when the condition holds or a program is broken, whichever is first; by default the latter only."""
        while not self.broken and not until():
            time.sleep(SECONDS_BETWEEN_LOOKS)

    def _run(self) -> None:
        try:
            for name in self._commands:
                self._start(name)
            while not self._leaving.wait(SECONDS_BETWEEN_LOOKS):
                for program in list(self._programs):
                    if program.process.poll() is not None and not self.broken:
                        self._restart(program)
        finally:
            self._end_all()

    def _start(self, name: str, deaths: tuple[float, ...] = ()) -> None:
        command = self._commands[name]
        process = subprocess.Popen(
            tether(command.arguments),
            cwd=self._cwd,
            env=hide_owner(),
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            pass_fds=[each.fileno() for each in command.sockets],
        )
        self._programs.append(Program(name, process, find_leader(process.pid), list(deaths)))
        write_roster(self._roster, [program.leader for program in self._programs])

    def _restart(self, program: Program) -> None:
        now = time.monotonic()
        deaths = (*(death for death in program.deaths if now - death < SECONDS_OF_DEATHS), now)
        if len(deaths) > DEATHS_ALLOWED:
            self.broken = program.name
            return
        log.warning("program_restarted", program=program.name, exit_code=program.process.returncode)
        end_programs([program.leader])
        self._programs.remove(program)
        self._start(program.name, deaths)

    def _end_all(self) -> None:
        # Else whoever calls while programs end would wait for an answer that nobody gives.
        for command in self._commands.values():
            for each in command.sockets:
                each.close()
        for program in self._programs:
            program.process.terminate()
        for program in self._programs:
            try:
                program.process.wait(SECONDS_TO_FINISH)
            except subprocess.TimeoutExpired:
                program.process.kill()
                program.process.wait()
        end_leftovers(self._roster)
