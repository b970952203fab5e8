"""The programs that make up a running site, and the command line of each."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from socket import socket

from aurum_league.settings.environment import read_number, read_text

NAMES = ("web", "worker", "live", "beat")
MOST_WEB_PROCESSES = 4
"""By default: each takes some 150 MB, and a larger machine is chosen for its workers."""

CELERY = ("celery", "--quiet", "--app", "aurum_league.celery")


@dataclass(frozen=True)
class Command:
    """What starts a program, and the listening sockets that it is given."""

    arguments: list[str]
    sockets: tuple[socket, ...] = ()


def make_command(name: str) -> list[str]:
    log_level = read_text("LOG_LEVEL").lower()
    arguments = {
        "worker": _worker_arguments("worker", "play", log_level),
        # People and draws wait for it, so it never has a batch of bots' matches before it.
        "live": [*_worker_arguments("live", "live,celery", log_level), "--concurrency", "2"],
        "beat": [*CELERY, "beat", "--loglevel", log_level, "--pidfile="],
    }
    return [sys.executable, "-m", *arguments[name]]


def make_web_commands(sockets: tuple[socket, ...], metrics: Path) -> dict[str, Command]:
    """One for each process: all answer what comes in by the same sockets, and add up what they count in one folder."""
    count = read_number("WEB_PROCESSES", 0, 64) or min(os.cpu_count() or 1, MOST_WEB_PROCESSES)
    files = [str(each.fileno()) for each in sockets]
    command = Command([sys.executable, "-m", "aurum_league.supervision.web", str(metrics), *files], sockets)
    return {f"web-{number}": command for number in range(1, count + 1)}


def _worker_arguments(name: str, queues: str, log_level: str) -> list[str]:
    queue = ["--hostname", f"{name}@%h", "--queues", queues]
    return [*CELERY, "worker", *queue, "--loglevel", log_level, "--without-mingle"]
