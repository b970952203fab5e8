"""The sites that people visit: a whole one for all newcomers, started when the first asks, and one for each table."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser import open_browser
from tests.e2e.league_site import LeagueSite, run_league_site
from tests.e2e.play_site import PlaySite, run_site


@pytest.fixture(scope="session")
def league_site() -> Iterator[LeagueSite]:
    with run_league_site() as site:
        yield site


@pytest.fixture
def site() -> Iterator[PlaySite]:
    with run_site() as running:
        yield running


@pytest.fixture
def browser(site: PlaySite) -> Iterator[Browser]:
    with open_browser() as chromium:
        yield chromium
