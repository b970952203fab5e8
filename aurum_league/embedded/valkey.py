"""The embedded Valkey, which speaks Redis: started on a unix socket, kept by an append-only file, stopped."""

import subprocess
from pathlib import Path

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from aurum_league.common.errors import LeagueError
from aurum_league.embedded.binaries import find_valkey
from aurum_league.embedded.layout import Layout
from aurum_league.embedded.process_table import wait_until

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
