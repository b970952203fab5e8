"""Starts and stops the embedded services as one, whoever else tries to at the same moment; and how Valkey runs."""

import fcntl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from aurum_league.common.errors import LeagueError
from aurum_league.embedded.binaries import find_valkey
from aurum_league.embedded.layout import Layout, Wanted, make_folders, wait_until
from aurum_league.embedded.postgres import is_postgres_running, start_postgres, stop_postgres

SECONDS_TO_START = 20
# Parallel test processes take two each.
DATABASES = "64"


def start_valkey(layout: Layout, prefer: str) -> None:
    """Returns once the server answers; does nothing if it already runs. Needs the start lock."""
    if is_valkey_running(layout):
        return
    log = layout.services / "valkey.log"
    subprocess.run(
        _command(layout, find_valkey(layout, prefer), log),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=layout.valkey,
        env={"LC_ALL": "C"},
        start_new_session=True,
        check=False,
        **layout.drop,  # type: ignore[call-overload]
    )
    if not wait_until(lambda: is_valkey_running(layout), SECONDS_TO_START):
        raise LeagueError("valkey_failed", "Valkey did not start.", "Its log is %(log)s.", log=log)


def stop_valkey(layout: Layout) -> None:
    if not is_valkey_running(layout):
        return
    with _client(layout) as client:
        client.shutdown(save=False, nosave=True)
    wait_until(lambda: not is_valkey_running(layout), SECONDS_TO_START)


def is_valkey_running(layout: Layout) -> bool:
    if not layout.valkey_socket.exists():
        return False
    try:
        with _client(layout) as client:
            return bool(client.ping())
    except redis.BusyLoadingError:
        return False
    except redis.ConnectionError:
        return False


def _client(layout: Layout) -> redis.Redis:
    """One try: a server that has just been stopped, or was killed, would be asked again for four seconds."""
    return redis.Redis(unix_socket_path=str(layout.valkey_socket), socket_timeout=5, retry=Retry(NoBackoff(), 0))


def _command(layout: Layout, program: Path, log: Path) -> list[str]:
    options = {
        "port": "0",
        "databases": DATABASES,
        "unixsocket": str(layout.valkey_socket),
        "unixsocketperm": "700",
        "dir": str(layout.valkey),
        "appendonly": "yes",
        "appendfsync": "everysec",
        "save": "",
        "daemonize": "yes",
        "logfile": str(log),
    }
    return [str(program), *(word for name, value in options.items() for word in (f"--{name}", value))]


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
