"""Search: by any part of a name, whatever is typed."""

import pytest
from django.test import Client

from tests.pages.events import count_queries, make_league, make_players, make_tournament, read_page

pytestmark = pytest.mark.django_db


@pytest.fixture
def names(db: None) -> None:
    players = make_players(6, "Golden Bot")
    make_tournament("open", name="Goldrush", league=make_league("Gold League"), players=players)
    make_tournament("draft", name="Gold Draft")


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        pytest.param("gold", {"Golden Bot 1", "Goldrush", "Gold League"}, id="all three kinds, no draft"),
        pytest.param("GOLDR", {"Goldrush"}, id="case does not matter"),
        pytest.param("rush", {"Goldrush"}, id="a part in the middle"),
        pytest.param("  league ", {"Gold League"}, id="spaces around it"),
        pytest.param("%25", set(), id="a sign that means anything to a database"),
        pytest.param("nothing", set(), id="nothing of that name"),
    ],
)
def test_finds_by_name(client: Client, names: None, typed: str, found: set[str]) -> None:
    page = read_page(client, f"/search/?q={typed}")
    everything = {"Golden Bot 1", "Goldrush", "Gold League", "Gold Draft"}
    assert {name for name in everything if f">{name}</a>" in page} == found


@pytest.mark.parametrize("typed", ["", "%00", "x" * 5000, "%3Cscript%3Ealert(1)", "%F0%9F%82%A1", "%ff"])
def test_whatever_is_typed_is_answered(client: Client, names: None, typed: str) -> None:
    assert "<script>alert" not in read_page(client, f"/search/?q={typed}")


def test_queries(client: Client, names: None) -> None:
    assert count_queries(client, "/search/?q=gold") == 3
    assert count_queries(client, "/search/") == 0
