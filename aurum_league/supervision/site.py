"""A whole running site as one context: services, migrations, programs; leaving it stops what it started."""

import fcntl
import http.client
import shutil
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import FrameType

from django.core.management import call_command

from aurum_league.common.errors import LeagueError
from aurum_league.embedded.services import use_services
from aurum_league.operations.checks import Check, check_database, check_redis
from aurum_league.operations.database import as_owner
from aurum_league.settings.connections import read_layout, read_wanted
from aurum_league.settings.environment import CHECKOUT, read_choice, read_number, read_text
from aurum_league.supervision.roster import locate_roster
from aurum_league.supervision.supervisor import ProgramCommand, Supervisor, make_command, make_web_commands


@contextmanager
def run_site(
    names: tuple[str, ...], migrate: bool = True, say: Callable[[str], None] = lambda sentence: None
) -> Iterator[Supervisor]:
    """Ctrl-C, a closed terminal and SIGTERM arrive inside as one KeyboardInterrupt; clean-up is not interrupted.

    `say` is told what somebody at a terminal waits for.
    """
    sockets = listen(read_text("HOST"), read_number("PORT", 1, 65535)) if "web" in names else ()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interrupt_once)
    roster = locate_roster(names)
    wanted = read_wanted()
    if wanted.postgres or wanted.valkey:
        say("Starting the embedded Postgres and Valkey …")
    with (
        _only_one(roster.with_suffix(".lock")),
        use_services(read_layout(), wanted, read_choice("AURUM_EMBEDDED", "wheels", "system")),
    ):
        # The site's own role may be made by the first migration only.
        with as_owner() if migrate else nullcontext():
            _require(check_database)
        _require(check_redis)
        if migrate:
            say("Bringing the database up to date …")
            call_command("migrate", verbosity=0, interactive=False)
        commands = {name: ProgramCommand(make_command(name)) for name in names if name != "web"}
        if sockets:
            commands = {**make_web_commands(sockets, _empty(roster.with_suffix(".metrics"))), **commands}
        say(f"Starting {', '.join(names)} …")
        with Supervisor(commands, roster, CHECKOUT) as supervisor:
            yield supervisor
            if supervisor.broken:
                raise LeagueError(
                    "program_broken",
                    "The %(name)s program keeps ending by itself.",
                    "Its last lines above say why; manage.py doctor checks the installation.",
                    name=supervisor.broken,
                )


def _require(check: Callable[[], Check]) -> None:
    result = check()
    if not result.passed:
        raise LeagueError("service_unreachable", "%(sentence)s", sentence=result.sentence)


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


MOST_WAITING = 2048
"""Connections that nobody has taken yet; uvicorn's own number."""


def listen(host: str, port: int) -> tuple[socket.socket, ...]:
    """One for each address that the host name stands for."""
    opened: list[socket.socket] = []
    try:
        for family, kind, protocol, _, address in set(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)):
            opened.append(socket.socket(family, kind, protocol))
            opened[-1].setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                opened[-1].setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            opened[-1].bind(address)
            opened[-1].listen(MOST_WAITING)
    except OSError as error:
        for each in opened:
            each.close()
        raise LeagueError(
            "port_unusable",
            "The site cannot listen on %(host)s port %(port)s: %(error)s.",
            "Stop what uses it or choose another, as in: make run PORT=%(other)s",
            host=host,
            port=port,
            error=error.strerror,
            other=port % 65535 + 1,
        ) from error
    return tuple(opened)


def is_answering(host: str, port: int) -> bool:
    """Whether a process takes what comes in; a connection alone is made without any."""
    connection = http.client.HTTPConnection(host, port, timeout=5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
