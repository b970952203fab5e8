"""What every test may rely on: Postgres and Valkey that run, in a data folder of the tests' own."""

import pytest

from aurum_league.connections import read_layout, read_wanted
from aurum_league.embedded.services import start_services, stop_services
from aurum_league.environment import enter_test_folder

enter_test_folder()


def pytest_sessionstart(session: pytest.Session) -> None:
    """Of several test processes the first one starts the services, and the others find them running."""
    start_services(read_layout(), read_wanted())


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Only the process that started the others stops the services: a worker may end before its fellows."""
    if not hasattr(session.config, "workerinput"):
        stop_services(read_layout())
