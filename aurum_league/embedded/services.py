"""Starts and stops the embedded services as one, whoever else tries to at the same moment."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from aurum_league.embedded.layout import Layout, Wanted, make_folders
from aurum_league.embedded.postgres import is_postgres_running, start_postgres, stop_postgres
from aurum_league.embedded.valkey import is_valkey_running, start_valkey, stop_valkey


def start_services(layout: Layout, wanted: Wanted, prefer: str = "wheels") -> None:
    """Safe to call by many at once; returns when everything wanted answers."""
    if not wanted.postgres and not wanted.valkey:
        return
    make_folders(layout)
    with _locked(layout, "start.lock"):
        if wanted.postgres:
            start_postgres(layout, prefer)
        if wanted.valkey:
            start_valkey(layout, prefer)


def stop_services(layout: Layout, prefer: str = "wheels") -> None:
    if not layout.services.exists():
        return
    with _locked(layout, "start.lock"):
        stop_valkey(layout)
        stop_postgres(layout, prefer)
        _kept_mark(layout).unlink(missing_ok=True)


def keep_services(layout: Layout) -> None:
    """From now on the services stay up until they are stopped by name, whoever leaves."""
    _kept_mark(layout).touch()


def read_status(layout: Layout) -> dict[str, bool]:
    return {"Postgres": is_postgres_running(layout), "Valkey": is_valkey_running(layout)}


@contextmanager
def use_services(layout: Layout, wanted: Wanted, prefer: str = "wheels") -> Iterator[None]:
    """Services run inside; the last user to leave stops them, unless they are kept. A killed user counts as gone."""
    if not wanted.postgres and not wanted.valkey:
        yield
        return
    make_folders(layout)
    with _locked(layout, "users.lock", fcntl.LOCK_SH) as users:
        start_services(layout, wanted, prefer)
        try:
            yield
        finally:
            if not _kept_mark(layout).exists() and _is_last(users):
                stop_services(layout, prefer)


@contextmanager
def _locked(layout: Layout, name: str, kind: int = fcntl.LOCK_EX) -> Iterator[IO[str]]:
    """The system frees the lock when its holder dies."""
    with (layout.services / name).open("w") as lock:
        fcntl.flock(lock, kind)
        yield lock


def _is_last(users: IO[str]) -> bool:
    try:
        fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _kept_mark(layout: Layout) -> Path:
    return layout.services / "kept"
