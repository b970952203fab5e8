"""A whole running site as one context: services, migrations, programs; leaving it stops what it started."""

import fcntl
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from django.core.management import call_command

from aurum_league.checks import check_database, check_redis
from aurum_league.common.errors import LeagueError
from aurum_league.connections import read_layout, read_wanted
from aurum_league.embedded.services import use_services
from aurum_league.environment import CHECKOUT, read_choice, read_number, read_text
from aurum_league.supervision.programs import make_command
from aurum_league.supervision.roster import locate_roster
from aurum_league.supervision.supervisor import Supervisor


@contextmanager
def run_site(names: tuple[str, ...], migrate: bool = True) -> Iterator[Supervisor]:
    """Ctrl-C, a closed terminal and SIGTERM arrive inside as one KeyboardInterrupt; clean-up is not interrupted."""
    if "web" in names:
        require_free_port(read_text("HOST"), read_number("PORT", 1, 65535))
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
                raise LeagueError("service_unreachable", result.sentence)
        if migrate:
            call_command("migrate", verbosity=0, interactive=False)
        commands = {name: make_command(name) for name in names}
        with Supervisor(commands, roster, CHECKOUT) as supervisor:
            yield supervisor
            if supervisor.broken:
                raise LeagueError(
                    "program_broken",
                    f"The {supervisor.broken} program keeps ending by itself.",
                    "Its last lines above say why; manage.py doctor checks the installation.",
                )


def require_free_port(host: str, port: int) -> None:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        raise LeagueError(
            "port_unusable",
            f"The site cannot listen on {host} port {port}: {error.strerror}.",
            f"Stop what uses it or choose another, as in: make run PORT={port % 65535 + 1}",
        ) from error


def is_listening(host: str, port: int) -> bool:
    try:
        socket.create_connection((host, port), timeout=1).close()
    except OSError:
        return False
    return True


@contextmanager
def _only_one(file: Path) -> Iterator[None]:
    with file.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise LeagueError(
                "already_running",
                f"Another start already uses the data folder {file.parent}.",
                "Stop it first, or point AURUM_DATA at another folder.",
            ) from None
        yield


def _interrupt_once(number: int, frame: FrameType | None) -> None:
    for other in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(other, signal.SIG_IGN)
    raise KeyboardInterrupt
