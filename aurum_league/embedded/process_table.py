"""What the system knows about a process: whether it lives, since when, and where it works."""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")


@dataclass(frozen=True)
class Process:
    """One row of the process table; started is in clock ticks since boot and tells two holders of one pid apart."""

    pid: int
    state: str
    session: int
    started: int

    @property
    def is_dead(self) -> bool:
        return self.state in ("Z", "X")


def find_process(pid: int) -> Process | None:
    """None if no such process exists, or on a system without /proc."""
    try:
        text = (PROC / str(pid) / "stat").read_text()
    except OSError:
        return None
    # The command name stands in brackets and may hold spaces and brackets itself.
    fields = text[text.rindex(")") + 2 :].split()
    return Process(pid=pid, state=fields[0], session=int(fields[3]), started=int(fields[19]))


def list_processes() -> list[Process]:
    if not PROC.is_dir():
        return []
    found = (find_process(int(entry.name)) for entry in PROC.iterdir() if entry.name.isdigit())
    return [process for process in found if process is not None]


def works_in(pid: int, folder: Path) -> bool:
    try:
        return os.readlink(PROC / str(pid) / "cwd") == str(folder.resolve())
    except OSError:
        return False


def wait_until(condition: Callable[[], bool], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True
