"""Players: rating lists, their own pages, and two of them head to head."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.models import Match, MatchKind, Player, PlayerKind
from tests.pages.events import HOSTILE, count_queries, make_players, make_tournament, read_page
from tournaments.models import Rating, RatingPool

pytestmark = pytest.mark.django_db

ONE, OTHER = "/players/house-greedy_1/", "/players/house-greedy_1/against/house-counting_2/"


@pytest.fixture
def rated(db: None) -> RatingPool:
    """Three players who met twice, two of them rated surely enough for a rank."""
    make_tournament("finished", players=make_players(3, HOSTILE))
    pool = RatingPool.objects.get()
    for number, rating in enumerate(Rating.objects.filter(pool=pool).order_by("player_id")[:2]):
        official = 1600 - 10 * number
        Rating.objects.filter(pk=rating.pk).update(
            is_provisional=False, official=official, official_se=15, lower_bound=official - 30
        )
    return pool


def test_the_list_ranks_the_sure_and_greys_the_rest(client: Client, rated: RatingPool) -> None:
    page = read_page(client, "/players/")
    assert page.count('<tr class="is-out">') == 1
    assert "provisional" in page
    assert page.index("1600") < page.index("1590")
    assert "<td>1\N{EN DASH}2</td>" in page


def test_lists_by_address(client: Client, rated: RatingPool) -> None:
    for query, says in (
        ("?pool=bots-3", "Bots, three players"),
        ("?pool=nothing", "There is no rating list"),
        ("?page=77", "Bots, three players"),
        ("?page=x", "Bots, three players"),
    ):
        assert says in read_page(client, f"/players/{query}"), query


def test_a_player_has_ratings_results_and_opponents(client: Client, rated: RatingPool) -> None:
    page = read_page(client, ONE)
    for sentence in ("rank 1", "Means of a round", "Most met", "Test Cup", "against/house-counting_2/"):
        assert sentence in page
    assert "<b>Bot" not in page


def test_head_to_head_counts_what_both_played(client: Client, rated: RatingPool) -> None:
    page = read_page(client, OTHER)
    met = Match.objects.filter(seats__player__slug="house-greedy_1").filter(seats__player__slug="house-counting_2")
    assert page.count('class="result-seats"') == min(met.count(), 15)
    assert client.get("/players/house-greedy_1/against/house-greedy_1/").status_code == 404


def test_those_who_never_met_are_told_so(client: Client) -> None:
    make_players(2)
    assert "They have not met yet" in read_page(client, OTHER)


def test_a_new_player_has_a_page(client: Client) -> None:
    owner = User.objects.create_user("maria")
    Player.objects.create(kind=PlayerKind.PERSON, name="Maria", slug="maria", owner=owner)
    assert "No results yet" in read_page(client, "/players/maria/")


def test_what_authors_try_out_is_not_shown(client: Client, rated: RatingPool) -> None:
    Match.objects.update(kind=MatchKind.SCRIMMAGE)
    assert "No results yet" in read_page(client, ONE)


def test_queries(client: Client, rated: RatingPool) -> None:
    expected = {"/players/": 3, ONE: 13, OTHER: 8}
    assert {path: count_queries(client, path) for path in expected} == expected
