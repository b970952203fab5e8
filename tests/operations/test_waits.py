"""Servers that hang: every wait on one is bounded, and one slow answer of Redis spares everybody the next."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from copy import deepcopy
from typing import Any
from urllib.parse import unquote, urlsplit

import psycopg
import pytest
from django.core.cache import cache
from django.db import OperationalError, connection
from django.db.backends.postgresql.base import DatabaseWrapper
from redis.exceptions import RedisError

from aurum_league.common import breaker as breaking
from aurum_league.common.api.access import connect_counter
from aurum_league.common.breaker import Breaker, BrokerAway, breaker, make_redis_options
from aurum_league.common.broker import publish, send_nudge
from tests.security.conftest import site  # noqa: F401
from tests.security.site import Site


class SilentServer:
    """Takes every connection and never says a word, like a server that was stopped in its tracks."""

    def __init__(self) -> None:
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        self.taken: list[socket.socket] = []
        self.thread = threading.Thread(target=self._take, daemon=True)
        self.thread.start()

    def _take(self) -> None:
        try:
            while True:
                self.taken.append(self.listening.accept()[0])
        except OSError:
            return

    def close(self) -> None:
        self.listening.shutdown(socket.SHUT_RDWR)
        self.listening.close()
        self.thread.join()
        for one in self.taken:
            one.close()


class StoppingProxy:
    """Carries every byte to a server's socket and back until it stops; then it holds the lines and says nothing."""

    def __init__(self, server: str) -> None:
        self.server = server
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        self.carries = threading.Event()
        self.carries.set()
        self.lines: list[socket.socket] = []
        self.threads = [threading.Thread(target=self._take, daemon=True)]
        self.threads[0].start()

    def _take(self) -> None:
        while True:
            try:
                client = self.listening.accept()[0]
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            server.connect(self.server)
            self.lines += [client, server]
            for pair in ((client, server), (server, client)):
                self.threads.append(threading.Thread(target=self._carry, args=pair, daemon=True))
                self.threads[-1].start()

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while piece := source.recv(65_536):
                self.carries.wait()
                target.sendall(piece)
        with suppress(OSError):
            target.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self.carries.set()
        for one in (self.listening, *self.lines):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        for thread in self.threads:
            thread.join()
        for one in (self.listening, *self.lines):
            one.close()


@contextmanager
def stand_before(server: str) -> Iterator[StoppingProxy]:
    proxy = StoppingProxy(server)
    try:
        yield proxy
    finally:
        proxy.close()


@pytest.fixture
def silent() -> Iterator[SilentServer]:
    server = SilentServer()
    yield server
    server.close()
    breaker.close()
    connect_counter.cache_clear()


@pytest.fixture(autouse=True)
def a_second_to_answer(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a site; other tests give Redis longer."""
    monkeypatch.setattr(breaking, "ANSWER_SECONDS", 1.0)
    caches = deepcopy(settings.CACHES)
    caches["default"]["OPTIONS"] |= make_redis_options()
    settings.CACHES = caches


def ask_redis_at(settings: Any, address: str) -> None:
    caches = deepcopy(settings.CACHES)
    caches["default"]["LOCATION"] = settings.LIVE_URL = address
    settings.CACHES = caches


def hang_redis(settings: Any, silent: SilentServer) -> None:
    ask_redis_at(settings, f"redis://127.0.0.1:{silent.port}")
    connect_counter.cache_clear()


@pytest.mark.django_db
def test_one_slow_answer_of_redis_is_all_that_pages_wait_for(
    site: Site,  # noqa: F811
    settings: Any,
    silent: SilentServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(breaking, "does_redis_answer", lambda: False)
    client = site.client_of("anonymous")
    hang_redis(settings, silent)
    for path in ("/", "/tournaments/", "/api/v1/tournaments", "/", "/rules/", "/players/"):
        assert client.get(path).status_code == 200
    publish("match:1", {"kind": "moved"})
    assert send_nudge("games.sweep_matches") is False
    # One connection that was asked; everybody else was told at once.
    assert len(silent.taken) == 1


def test_the_breaker_closes_by_itself(settings: Any, silent: SilentServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody who asks for something waits to find out: a thread does."""
    working, live = deepcopy(settings.CACHES), settings.LIVE_URL
    monkeypatch.setattr(breaking, "PAUSE_SECONDS", 0.01)
    hang_redis(settings, silent)
    with pytest.raises(RedisError):
        cache.get("anything")
    wait_until(lambda: len(silent.taken) > 2)
    assert breaker.is_open
    settings.CACHES, settings.LIVE_URL = working, live
    wait_until(lambda: not breaker.is_open)
    cache.get("anything")


def test_a_fork_of_a_process_finds_out_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has the state of its parent, and none of its threads."""
    monkeypatch.setattr(breaking, "PAUSE_SECONDS", 0.01)
    forked = Breaker()
    forked._is_open = True
    with pytest.raises(BrokerAway), forked.guarding():
        pytest.fail("asked")
    wait_until(lambda: not forked.is_open)


def wait_until(holds: Callable[[], bool]) -> None:
    ends_at = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < ends_at
        time.sleep(0.01)


def test_a_postgres_that_hangs_is_given_up(silent: SilentServer) -> None:
    given = {**connection.settings_dict, "HOST": "127.0.0.1", "PORT": silent.port}
    with pytest.raises(psycopg.OperationalError, match="timeout"):
        DatabaseWrapper(given, "silent").connect()


@pytest.mark.django_db
def test_every_connection_has_its_bounds() -> None:
    parameters = connection.get_connection_params()
    assert (parameters["tcp_user_timeout"], parameters["keepalives"]) == (10_000, 1)
    with connection.cursor() as cursor:
        cursor.execute("SHOW statement_timeout")
        assert cursor.fetchone()[0] == "10min"


@pytest.mark.django_db
@pytest.mark.timeout(120)
def test_a_postgres_that_stops_in_its_tracks_is_given_up(settings: Any) -> None:
    """The line stands, every word arrives, and no answer comes."""
    given = connection.settings_dict
    with stand_before(f"{given['HOST']}/.s.PGSQL.{given['PORT'] or 5432}") as proxy:
        through = DatabaseWrapper({**given, "HOST": "127.0.0.1", "PORT": proxy.port}, "default")
        with through.cursor() as cursor:
            cursor.execute("SELECT 1")
        settings.STATEMENT_SECONDS, hung = -4, through.connection
        proxy.carries.clear()
        with pytest.raises(OperationalError, match="did not answer in time"), through.cursor() as cursor:
            cursor.execute("SELECT 2")
        assert hung.closed
        through.close()


@pytest.mark.timeout(120)
def test_a_redis_that_stops_in_its_tracks_is_given_up(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a line that has worked: one answer is waited for, then nobody asks, and it is found again by itself."""
    monkeypatch.setattr(breaking, "PAUSE_SECONDS", 0.01)
    own = urlsplit(settings.CACHES["default"]["LOCATION"])
    with stand_before(unquote(own.path)) as proxy:
        ask_redis_at(settings, f"redis://127.0.0.1:{proxy.port}?{own.query}")
        cache.set("key", "value")
        proxy.carries.clear()
        with pytest.raises(RedisError):
            cache.get("key")
        assert breaker.is_open
        proxy.carries.set()
        wait_until(lambda: not breaker.is_open)
        assert cache.get("key") == "value"
        cache.close()
