"""The site on the test database, in a process of its own that can be killed and started again."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any
from urllib.parse import quote

import httpx
from django.db import connection

from aurum_league.settings.environment import CHECKOUT
from aurum_league.supervision.tether import tether

SECONDS_TO_START = 180


def start_program(command: list[str], **options: Any) -> subprocess.Popen[bytes]:
    """It ends with the tests even where those are killed: left behind, it works on in the next tests' database."""
    return subprocess.Popen(tether(command), cwd=CHECKOUT, **options)


class WebServer:
    """On a port of its own; `environment` serves other programs of the same site too."""

    def __init__(self, database: str | None = None, **settings: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "aurum_league.settings.test",
            "DATABASE_URL": name_database(database),
            **settings,
        }
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, log_level: str = "warning", log: IO[bytes] | None = None) -> None:
        command = [sys.executable, "-m", "uvicorn", "aurum_league.asgi:application", "--port", str(self.port)]
        options = ["--lifespan", "off", "--log-level", log_level, "--timeout-graceful-shutdown", "1"]
        self.process = start_program([*command, *options], env=self.environment, stdout=log, stderr=log)
        ends_at = time.monotonic() + SECONDS_TO_START
        while time.monotonic() < ends_at and self.process.poll() is None:
            try:
                httpx.get(f"{self.address}/healthz")
                return
            except httpx.HTTPError:
                time.sleep(0.1)
        raise AssertionError("the server does not answer")

    def stop(self) -> None:
        """As an operator does: what is under way is finished, and told in the log."""
        if self.process:
            self.process.terminate()
            self.process.wait()

    def kill(self) -> None:
        if self.process:
            self.process.kill()
            self.process.wait()


@contextmanager
def run_server() -> Iterator[str]:
    """The address of a server, for as long as one looks."""
    server = WebServer()
    try:
        server.start()
        yield server.address
    finally:
        server.kill()


def name_database(name: str | None = None) -> str:
    known = connection.settings_dict
    host = quote(str(known["HOST"]), safe="")
    return f"postgres://{known['USER']}:{known['PASSWORD']}@{host}:{known['PORT']}/{name or known['NAME']}"
