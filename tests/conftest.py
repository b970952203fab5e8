"""What every test may rely on: Postgres and Valkey that run, in a data folder of the tests' own."""

from collections.abc import Iterator
from contextlib import ExitStack

import psycopg
import pytest
from django.core.cache import cache
from django.utils import translation

from aurum_league.common.breaker import breaker
from aurum_league.embedded.services import use_services
from aurum_league.settings.connections import owner_database_url, read_layout, read_wanted
from aurum_league.settings.environment import enter_test_folder

enter_test_folder()
services = ExitStack()
LONG_TESTS = ("tests/benchmarks/chaos/test_trial.py", "tests/supervision/test_up.py", "tests/tasks/test_workers.py")
"""A minute and more each, in servers of their own: begun last, one test process would wait for the other."""


def pytest_sessionstart(session: pytest.Session) -> None:
    """Every test process uses the same servers: the first one in starts them, the last one out stops them."""
    services.enter_context(use_services(read_layout(), read_wanted()))
    if read_wanted().postgres and not hasattr(session.config, "workerinput"):
        spare_the_disk()


def spare_the_disk() -> None:
    """Rows of tests need not outlive the machine; every commit and every emptied table would wait for the disk."""
    with psycopg.connect(owner_database_url(), autocommit=True) as connection:
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            connection.execute(f"ALTER SYSTEM SET {setting} = off")
        connection.execute("SELECT pg_reload_conf()")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not item.nodeid.startswith(LONG_TESTS))


@pytest.fixture(autouse=True)
def empty_cache(request: pytest.FixtureRequest) -> None:
    """Rate limits of one test are no business of the next."""
    if {"db", "transactional_db", "client"} & set(request.fixturenames):
        cache.clear()


@pytest.fixture(autouse=True)
def closed_breaker() -> None:
    """A test without Redis leaves it to the others."""
    breaker.close()


@pytest.fixture(autouse=True)
def own_language() -> Iterator[None]:
    """A request in another language leaves it behind in the thread that answered it."""
    yield
    translation.deactivate()


def pytest_sessionfinish(session: pytest.Session) -> None:
    services.close()
