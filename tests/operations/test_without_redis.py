"""While Redis is away, or holds what an older site wrote, every public page of a tournament is read as always."""

import sys
from copy import deepcopy
from types import ModuleType
from typing import Any

import pytest

from aurum_league.common.cache import cache_value, read_cached
from bots.services.opinion import Judgement, read_judgement
from games.models import Match, MatchState
from tests.security.addresses import list_addresses
from tests.security.conftest import site  # noqa: F401
from tests.security.site import Site

ADDRESSES = list_addresses()
PAGES = (
    *("home", "tournaments", "tournament", "tournament_now", "tournament_schedule", "tournament_entrants"),
    *("tournament_crosstable", "tournament_statistics", "tournament_balance", "tournament_downloads", "match", "rules"),
)


@pytest.fixture
def away(settings: Any) -> None:
    caches = deepcopy(settings.CACHES)
    caches["default"]["LOCATION"] = "redis://127.0.0.1:1"
    settings.CACHES = caches


@pytest.mark.usefixtures("away")
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_read(site: Site, name: str) -> None:  # noqa: F811
    assert site.client_of("anonymous").get(ADDRESSES[name].fill_in(site)).status_code == 200


@pytest.mark.usefixtures("away")
def test_a_guest_sits_down(site: Site) -> None:  # noqa: F811
    wish = {"players": "3", "strength": "greedy", "edition": "en", "clock": "calm", "start": "now"}
    answer = site.client_of("anonymous").post("/play/", wish)
    assert answer.headers["Location"].rstrip("/").rpartition("/")[2].isdigit()


@pytest.mark.usefixtures("away")
def test_an_opinion_is_waited_for(site: Site) -> None:  # noqa: F811
    match = Match.objects.filter(state=MatchState.FINISHED).earliest("pk")
    assert read_judgement(match=match, seat=0, number=1) == Judgement(None)


def test_what_another_version_of_the_site_has_cached_is_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """A class may have moved since: an upgrade in place must not answer with an error until the value is too old."""
    gone = ModuleType("module_of_yesterday")
    value = type("Yesterday", (), {"__module__": gone.__name__})
    gone.Yesterday = value  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, gone.__name__, gone)
    cache_value("of-yesterday", value(), 60)
    monkeypatch.delitem(sys.modules, gone.__name__)
    assert read_cached("of-yesterday", 60, lambda: "made anew") == "made anew"
