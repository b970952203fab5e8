"""One server, many dialects: the addresses of Postgres and Redis for each who asks."""

from urllib.parse import urlsplit

import dj_database_url
import pytest
from kombu import Connection
from kombu.utils.url import url_to_parts
from redis import Redis

from aurum_league.embedded.layout import Wanted
from aurum_league.settings.connections import celery_broker_url, database_url, read_layout, read_wanted, redis_url


@pytest.mark.parametrize(
    ("given", "for_redis", "for_celery"),
    [
        pytest.param("redis://cache:6379", "redis://cache:6379/1", "redis://cache:6379/0", id="tcp"),
        pytest.param("redis://:pw@cache:6379/5", "redis://:pw@cache:6379/1", "redis://:pw@cache:6379/0", id="password"),
        pytest.param("rediss://cache:6379", "rediss://cache:6379/1", "rediss://cache:6379/0", id="tls"),
        pytest.param("unix:///r.sock", "unix:///r.sock?db=1", "redis+socket:///r.sock?virtual_host=0", id="socket"),
    ],
)
def test_redis_dialects(monkeypatch: pytest.MonkeyPatch, given: str, for_redis: str, for_celery: str) -> None:
    monkeypatch.setenv("REDIS_URL", given)
    assert (redis_url(1), celery_broker_url()) == (for_redis, for_celery)
    assert read_wanted().valkey is False


def test_embedded_addresses_are_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.delenv("REDIS_URL", raising=False)
    monkeypatch.setenv("AURUM_DATA", "/tmp/a folder with 100% odd = signs & more?")
    layout = read_layout()
    database = dj_database_url.parse(database_url())
    assert (database["HOST"], database["PORT"], database["NAME"]) == (str(layout.run), 5432, "aurum")
    assert Redis.from_url(redis_url(1)).connection_pool.connection_kwargs["path"] == str(layout.valkey_socket)
    broker = url_to_parts(celery_broker_url().removeprefix("redis+"))
    assert (f"/{broker.path}", broker.query) == (str(layout.valkey_socket), {"virtual_host": "0"})
    assert read_wanted() == Wanted(postgres=True, valkey=True)


def test_the_broker_answers() -> None:
    with Connection(celery_broker_url()) as broker:
        broker.ensure_connection(max_retries=1)


def test_a_given_database_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://me:pw@db:5433/league")
    assert urlsplit(database_url()).port == 5433
    assert read_wanted().postgres is False
