"""The list of running programs on disk: what a killed supervisor left is ended by it, and health checks ask it."""

import json
import os
import signal
import socket
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from aurum_league.embedded.layout import Process, find_process, list_processes, wait_until
from aurum_league.settings.environment import read_data_folder

SECONDS_TO_LEAVE = 10


@dataclass(frozen=True)
class Leader:
    """A program that leads a session; the start time tells it from a stranger who was given its pid later."""

    pid: int
    started: int


def find_leader(pid: int) -> Leader:
    process = find_process(pid)
    return Leader(pid, process.started if process else 0)


def write_roster(file: Path, leaders: Iterable[Leader]) -> None:
    draft = file.with_suffix(".new")
    draft.write_text(json.dumps([asdict(leader) for leader in leaders]))
    draft.replace(file)


def locate_roster(names: tuple[str, ...]) -> Path:
    """One a machine and set of programs: several machines or containers may share the data folder."""
    return read_data_folder() / f"{'-'.join(names)}@{socket.gethostname()}.roster"


def read_roster(file: Path) -> list[Leader]:
    """Empty if there is none, or none that can be read."""
    try:
        return [Leader(**row) for row in json.loads(file.read_text())]
    except (OSError, ValueError, TypeError):
        return []


def end_leftovers(file: Path) -> None:
    """Ends every process of the sessions on the list, and the list."""
    end_programs(read_roster(file))
    file.unlink(missing_ok=True)


def end_programs(leaders: list[Leader]) -> None:
    _signal(_members(leaders), signal.SIGTERM)
    if not wait_until(lambda: not _members(leaders), SECONDS_TO_LEAVE):
        _signal(_members(leaders), signal.SIGKILL)
        wait_until(lambda: not _members(leaders), SECONDS_TO_LEAVE)


def _members(leaders: list[Leader]) -> list[Process]:
    """Children keep the number of their session even after its leader has died."""
    sessions = {leader.pid: leader.started for leader in leaders if _is_ours(leader)}
    return [
        process
        for process in list_processes()
        if process.session in sessions and process.started >= sessions[process.session] and not process.is_dead
    ]


def _is_ours(leader: Leader) -> bool:
    found = find_process(leader.pid)
    return found is None or found.started == leader.started


def _signal(processes: list[Process], number: signal.Signals) -> None:
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process.pid, number)


def is_alive(name: str) -> bool:
    leaders = read_roster(locate_roster((name,)))
    found = [find_process(leader.pid) for leader in leaders]
    return bool(found) and all(
        process is not None and not process.is_dead and process.started == leader.started
        for process, leader in zip(found, leaders, strict=True)
    )


if __name__ == "__main__":
    sys.exit(0 if is_alive(sys.argv[1]) else f"aurum: {sys.argv[1]} does not run here.")
