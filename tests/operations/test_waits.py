"""Servers that hang: every wait on one is bounded, and one slow answer of Redis spares everybody the next."""

import socket
import threading
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import psycopg
import pytest
from django.core.cache import cache
from django.db import connection
from django.db.backends.postgresql.base import DatabaseWrapper
from redis.exceptions import RedisError

from aurum_league.common import breaker as breaking
from aurum_league.common.api.access import connect_counter
from aurum_league.common.breaker import breaker
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


@pytest.fixture
def silent() -> Iterator[SilentServer]:
    server = SilentServer()
    yield server
    server.close()
    breaker.close()
    connect_counter.cache_clear()


def hang_redis(settings: Any, silent: SilentServer) -> None:
    caches = deepcopy(settings.CACHES)
    caches["default"]["LOCATION"] = settings.LIVE_URL = f"redis://127.0.0.1:{silent.port}"
    settings.CACHES = caches
    connect_counter.cache_clear()


@pytest.mark.django_db
def test_one_slow_answer_of_redis_is_all_that_pages_wait_for(
    site: Site,  # noqa: F811
    settings: Any,
    silent: SilentServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(breaking, "PAUSE_SECONDS", 3600.0)
    client = site.client_of("anonymous")
    hang_redis(settings, silent)
    for path in ("/", "/tournaments/", "/api/v1/tournaments", "/", "/rules/", "/players/"):
        assert client.get(path).status_code == 200
    publish("match:1", {"kind": "moved"})
    assert send_nudge("games.sweep_matches") is False
    # One connection that was asked; everybody else was told at once.
    assert len(silent.taken) == 1


def test_the_breaker_closes_by_itself(settings: Any, silent: SilentServer, monkeypatch: pytest.MonkeyPatch) -> None:
    working = deepcopy(settings.CACHES)
    monkeypatch.setattr(breaking, "PAUSE_SECONDS", 0.0)
    hang_redis(settings, silent)
    with pytest.raises(RedisError):
        cache.get("anything")
    assert breaker.is_open
    settings.CACHES = working
    cache.get("anything")
    assert not breaker.is_open


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
