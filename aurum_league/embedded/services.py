"""Starts and stops the embedded services as one, whoever else tries to at the same moment."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from aurum_league.embedded.layout import Layout, make_folders
from aurum_league.embedded.postgres import is_postgres_running, start_postgres, stop_postgres
from aurum_league.embedded.valkey import is_valkey_running, start_valkey, stop_valkey


@dataclass(frozen=True)
class Wanted:
    """Which of the services are ours to run: one whose address is set in the environment is not."""

    postgres: bool = True
    valkey: bool = True


def start_services(layout: Layout, wanted: Wanted, prefer: str = "wheels") -> None:
    if not wanted.postgres and not wanted.valkey:
        return
    make_folders(layout)
    with _start_lock(layout):
        if wanted.postgres:
            start_postgres(layout, prefer)
        if wanted.valkey:
            start_valkey(layout, prefer)


def stop_services(layout: Layout, prefer: str = "wheels") -> None:
    if not layout.services.exists():
        return
    with _start_lock(layout):
        stop_valkey(layout)
        stop_postgres(layout, prefer)


def read_status(layout: Layout) -> dict[str, bool]:
    return {"Postgres": is_postgres_running(layout), "Valkey": is_valkey_running(layout)}


@contextmanager
def _start_lock(layout: Layout) -> Iterator[None]:
    """Held by one process of the machine at a time; the system frees it when the holder dies."""
    with (layout.services / "start.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
