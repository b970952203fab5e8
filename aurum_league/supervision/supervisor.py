"""Keeps a set of programs running: starts them, restarts those that die, ends them all."""

import fcntl
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

import structlog
from django.core.management import call_command

from aurum_league.common.errors import LeagueError
from aurum_league.embedded.services import use_services
from aurum_league.operations.checks import check_database, check_redis
from aurum_league.settings.connections import read_layout, read_wanted
from aurum_league.settings.environment import CHECKOUT, read_choice, read_number, read_text
from aurum_league.supervision.listening import listen
from aurum_league.supervision.programs import Command, make_command, make_web_commands
from aurum_league.supervision.roster import (
    Leader,
    end_leftovers,
    end_sessions,
    find_leader,
    locate_roster,
    write_roster,
)

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

    def __init__(self, commands: dict[str, Command], roster: Path, cwd: Path) -> None:
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
        tether = [sys.executable, "-m", "aurum_league.supervision.tether", str(os.getpid())]
        command = self._commands[name]
        process = subprocess.Popen(
            [*tether, *command.arguments],
            cwd=self._cwd,
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
        end_sessions([program.leader])
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


@contextmanager
def run_site(names: tuple[str, ...], migrate: bool = True) -> Iterator[Supervisor]:
    """Ctrl-C, a closed terminal and SIGTERM arrive inside as one KeyboardInterrupt; clean-up is not interrupted."""
    sockets = listen(read_text("HOST"), read_number("PORT", 1, 65535)) if "web" in names else ()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interrupt_once)
    roster = locate_roster(names)
    with (
        _only_one(roster.with_suffix(".lock")),
        use_services(read_layout(), read_wanted(), read_choice("AURUM_EMBEDDED", "wheels", "system")),
    ):
        for check in (check_database, check_redis):
            result = check()
            if not result.passed:
                raise LeagueError("service_unreachable", "%(sentence)s", sentence=result.sentence)
        if migrate:
            call_command("migrate", verbosity=0, interactive=False)
        commands = {name: Command(make_command(name)) for name in names if name != "web"}
        if sockets:
            commands = {**make_web_commands(sockets, _empty(roster.with_suffix(".metrics"))), **commands}
        with Supervisor(commands, roster, CHECKOUT) as supervisor:
            yield supervisor
            if supervisor.broken:
                raise LeagueError(
                    "program_broken",
                    "The %(name)s program keeps ending by itself.",
                    "Its last lines above say why; manage.py doctor checks the installation.",
                    name=supervisor.broken,
                )


def _empty(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


@contextmanager
def _only_one(file: Path) -> Iterator[None]:
    with file.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise LeagueError(
                "already_running",
                "Another start already uses the data folder %(folder)s.",
                "Stop it first, or point AURUM_DATA at another folder.",
                folder=file.parent,
            ) from None
        yield


def _interrupt_once(number: int, frame: FrameType | None) -> None:
    for other in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(other, signal.SIG_IGN)
    raise KeyboardInterrupt
