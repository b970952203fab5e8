"""Sites to measure: servers in a data folder of their own, a free port, processor time, a tournament of house bots."""

import os
import shutil
import socket
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import django

from aurum_league.cli.terminal import CommandError
from aurum_league.embedded.layout import Wanted
from aurum_league.embedded.services import start_services, stop_services
from aurum_league.settings.connections import read_layout
from aurum_league.settings.environment import enter_own_folder

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
