"""The front page: what is played now, the latest results, the ratings; and the lists behind it."""

import pytest
from django.core.cache import cache
from django.test import Client

from tests.pages.events import count_queries, make_players, make_tournament, read_page
from tournaments.models import Rating, RatingPool

pytestmark = pytest.mark.django_db


def test_a_new_site_says_what_will_stand_there(client: Client) -> None:
    page = read_page(client, "/")
    for sentence in ("No tournament is running", "No results yet", "Nobody is rated yet"):
        assert sentence in page


def test_it_shows_what_is_played_and_what_was(client: Client) -> None:
    make_tournament("playing", name="Running Cup")
    page = read_page(client, "/")
    assert "Running Cup" in page
    assert '<progress max="24" value="0"' in page


def test_results_and_ratings_of_what_was_played(client: Client) -> None:
    tournament = make_tournament("finished")
    page = read_page(client, "/now/")
    assert page.count('class="result-seats"') == 6
    assert "All ratings are provisional" in page
    pool = RatingPool.objects.get()
    Rating.objects.filter(pool=pool).update(
        is_provisional=False, lower_bound=1400, official=1500, official_low=1461, official_high=1540
    )
    cache.clear()
    assert "1461" in read_page(client, "/now/")
    assert tournament.name in page


@pytest.mark.parametrize(
    ("path", "state", "most"),
    [
        pytest.param("/", "playing", 0, id="kept for a second"),
        pytest.param("/tournaments/", "finished", 2, id="tournaments"),
        pytest.param("/leagues/", "finished", 1, id="leagues, none"),
    ],
)
def test_queries(client: Client, path: str, state: str, most: int) -> None:
    make_tournament(state)
    assert count_queries(client, path) == most


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        pytest.param("", {"Cup A", "Cup B"}, id="all"),
        pytest.param("?show=running", {"Cup A"}, id="running"),
        pytest.param("?show=open", {"Cup B"}, id="open"),
        pytest.param("?show=finished", set(), id="none of them"),
        pytest.param("?show=nonsense", {"Cup A", "Cup B"}, id="nonsense shows all"),
    ],
)
def test_tournaments_by_state(client: Client, asked: str, found: set[str]) -> None:
    players = make_players(6)
    make_tournament("playing", name="Cup A", players=players)
    make_tournament("open", name="Cup B", players=players)
    make_tournament("draft", name="Cup C")
    page = read_page(client, f"/tournaments/{asked}")
    assert {name for name in ("Cup A", "Cup B", "Cup C") if name in page} == found
