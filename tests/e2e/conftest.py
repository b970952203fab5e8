"""One whole site for all tests of newcomers, started when the first of them asks."""

from collections.abc import Iterator

import pytest

from tests.e2e.league_site import LeagueSite, run_league_site


@pytest.fixture(scope="session")
def league_site() -> Iterator[LeagueSite]:
    with run_league_site() as site:
        yield site
