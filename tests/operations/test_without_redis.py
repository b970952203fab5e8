"""While Redis is away every public page of a tournament is read as always."""

from copy import deepcopy
from typing import Any

import pytest

from tests.security.addresses import list_addresses
from tests.security.conftest import site  # noqa: F401
from tests.security.site import Site

ADDRESSES = list_addresses()
PAGES = (
    *("home", "tournaments", "tournament", "tournament_now", "tournament_schedule", "tournament_entrants"),
    *("tournament_crosstable", "tournament_statistics", "tournament_balance", "tournament_downloads", "match", "rules"),
)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_read(site: Site, settings: Any, name: str) -> None:  # noqa: F811
    caches = deepcopy(settings.CACHES)
    caches["default"]["LOCATION"] = "redis://127.0.0.1:1"
    settings.CACHES = caches
    assert site.client_of("anonymous").get(ADDRESSES[name].fill_in(site)).status_code == 200
