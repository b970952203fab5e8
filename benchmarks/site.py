"""Sites to measure: servers in a folder of their own, tournaments of house bots, an arena kept alive and read."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import django

from aurum_league.cli.main import CommandError
from aurum_league.embedded.layout import Wanted, list_processes
from aurum_league.embedded.services import start_services, stop_services
from aurum_league.settings.connections import read_layout
from aurum_league.settings.environment import CHECKOUT, enter_own_folder

if TYPE_CHECKING:
    from tournaments.models import Tournament

TICKS = os.sysconf("SC_CLK_TCK")
FIELD = {"random": 4, "greedy": 5}
TABLES = 12
"""Nine entrants meet each other once in twelve tables on four matchdays."""

SEATINGS = 3
"""Each deal of a table is played once in every seating."""


@contextmanager
def own_services(folder: str = "") -> Iterator[Path]:
    """Django on embedded servers in this folder, or in one that is gone afterwards; its database has its tables."""
    chosen = Path(folder).absolute() if folder else Path(tempfile.mkdtemp(prefix="aurum-bench-"))
    enter_own_folder(chosen)
    start_services(read_layout(), Wanted())
    try:
        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0, interactive=False)
        yield chosen
    finally:
        stop_services(read_layout())
        if not folder:
            shutil.rmtree(chosen, ignore_errors=True)


def start_house_tournament(
    name: str, stages: Sequence[Mapping[str, Any]], field: Mapping[str, int] = FIELD
) -> "Tournament":
    """A rated tournament of house bots, drawn and started."""
    from tournaments.services.draw import draw_tournament
    from tournaments.services.entries import enter_players
    from tournaments.services.field import ensure_house_organiser, ensure_house_players
    from tournaments.services.leagues import create_tournament
    from tournaments.services.lifecycle import open_tournament
    from tournaments.services.release import start_tournament

    spec = {"name": name, "stages": list(stages)}
    tournament = create_tournament(spec=spec, organiser=ensure_house_organiser())
    open_tournament(tournament_id=tournament.pk)
    enter_players(tournament_id=tournament.pk, players=ensure_house_players(field))
    draw_tournament(tournament_id=tournament.pk)
    return start_tournament(tournament_id=tournament.pk)


def find_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for_server(port: int, seconds: float = 60) -> None:
    ends_at = time.monotonic() + seconds
    while time.monotonic() < ends_at:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise CommandError("The server did not start.")


def read_cpu_seconds(pid: int, with_ended_children: bool = False) -> float:
    """Processor time of a process so far; 0 where it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11 : 15 if with_ended_children else 13])) / TICKS


CELERY = [sys.executable, "-m", "celery", "--quiet", "--app", "benchmarks.chaos.faults"]
WORKER = [*CELERY, "worker", "--loglevel", "error", "--without-mingle", "--without-gossip"]
BEAT = [*CELERY, "beat", "--loglevel", "error", "--pidfile="]
SITE = [sys.executable, "-m", "uvicorn", "aurum_league.asgi:application", "--lifespan", "off", "--ws", "none"]
SECONDS_TO_ANSWER = 30


class Arena:
    """Used as a context; `tend` starts again what has died and is not held down."""

    def __init__(self, log: Path, workers: int = 2) -> None:
        self.layout = read_layout()
        self.workers = [f"worker-{number}" for number in range(1, workers + 1)]
        self.log = log
        self.port = find_free_port()
        self.held_down: set[str] = set()
        self.programs: dict[str, subprocess.Popen[bytes]] = {}
        self.commands = {
            **{name: [*WORKER, "--hostname", f"{name}@chaos", "-Q", "play", "-c", "1"] for name in self.workers},
            "live": [*WORKER, "--hostname", "live@chaos", "-Q", "live,celery", "-c", "1"],
            "beat-1": BEAT,
            "beat-2": BEAT,
            "site": [*SITE, "--port", str(self.port), "--log-level", "warning", "--no-access-log"],
        }

    def __enter__(self) -> "Arena":
        # Asked to end, it takes its servers and programs with it.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
        start_services(self.layout, Wanted())
        return self

    def __exit__(self, *failure: object) -> None:
        for program in self.programs.values():
            _end_group(program)
        stop_services(self.layout)

    def tend(self) -> None:
        wanted = Wanted(
            postgres="postgres" not in self.held_down, valkey=self.held_down.isdisjoint(("redis", "redis hung"))
        )
        start_services(self.layout, wanted)
        for name, command in self.commands.items():
            if name not in self.programs or self.programs[name].poll() is not None:
                self._start(name, command)

    def _start(self, name: str, command: list[str]) -> None:
        if name in self.programs:
            _end_group(self.programs[name])
        with self.log.open("ab") as log:
            self.programs[name] = subprocess.Popen(
                command, cwd=CHECKOUT, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )

    def list_children(self, name: str) -> list[int]:
        """Processes of a program other than its first; none while it has not been started."""
        first = self.programs[name].pid if name in self.programs else 0
        return [process.pid for process in list_processes() if process.session == first and process.pid != first]

    def signal_program(self, name: str, number: signal.Signals) -> None:
        """The program with all its children."""
        for pid in [*self.list_children(name), self.programs[name].pid]:
            signal_process(pid, number)


def signal_process(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def _end_group(program: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(program.pid, signal.SIGKILL)
    program.wait()


@dataclass(frozen=True, slots=True)
class Reading:
    """One request, when it began and ended (seconds since 1970); `status` is 0 where nobody answered."""

    began: float
    ended: float
    status: int


class Readers:
    """Used as a context; so many threads read these pages in turn, from the moment one was answered."""

    def __init__(self, site: str, paths: Sequence[str], count: int = 1, pause: float = 0.3) -> None:
        self.site, self.paths, self.pause = site, paths, pause
        self.readings: list[Reading] = []
        self._is_over = threading.Event()
        self._threads = [threading.Thread(target=self._read_on, args=(n,), daemon=True) for n in range(count)]

    def __enter__(self) -> "Readers":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *failure: object) -> None:
        self._is_over.set()
        for thread in self._threads:
            thread.join()

    def _read_on(self, number: int) -> None:
        while not self._is_over.wait(self.pause):
            reading = read_page(self.site + self.paths[number % len(self.paths)])
            if self.readings or reading.status == 200:
                self.readings.append(reading)
            number += 1


def read_page(address: str) -> Reading:
    parts = urlsplit(address)
    connection = HTTPConnection(parts.netloc, timeout=SECONDS_TO_ANSWER)
    began = time.time()
    try:
        connection.request("GET", parts.path)
        answer = connection.getresponse()
        answer.read()
        status = answer.status
    except (OSError, HTTPException):
        status = 0
    finally:
        connection.close()
    return Reading(began, time.time(), status)
