"""Players: rating lists, their own pages, and two of them head to head."""

import csv
import io
import json

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.models import Match, MatchKind, Player, PlayerKind
from tests.pages.events import HOSTILE, count_queries, make_players, make_tournament, read_page
from tournaments.models import Rating, RatingPool
from tournaments.services.ratings import fit_ratings

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
            is_provisional=False,
            official=official,
            official_low=official - 30,
            official_high=official + 30,
            lower_bound=official - 30,
            rank_best=1,
            rank_worst=2,
        )
    return pool


def read_file(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200 and answer["Content-Disposition"].endswith(f'{address.rsplit("/", 1)[1]}"')
    return b"".join(answer).decode()


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


@pytest.mark.parametrize(
    ("address", "columns"),
    [
        pytest.param("/players/ratings/bots-3", {"name", "rank", "shown_number", "shown_low", "shown_high"}, id="list"),
        pytest.param("/players/spread/bots-3", {"low", "high", "players"}, id="distribution"),
        pytest.param(f"{ONE}history/bots-3", {"sequence", "at", "number", "low", "high"}, id="history"),
    ],
)
def test_what_a_picture_shows_can_be_taken_home(
    client: Client, rated: RatingPool, address: str, columns: set[str]
) -> None:
    fit_ratings(pool_id=rated.pk)
    Rating.objects.filter(pool=rated).update(is_provisional=False)
    (as_json, as_csv) = (read_file(client, f"{address}.{form}") for form in ("json", "csv"))
    rows = json.loads(as_json)
    assert columns <= set(rows[0])
    assert [row.keys() for row in csv.DictReader(io.StringIO(as_csv))] == [row.keys() for row in rows]
    assert client.get(f"{address}.xml").status_code == 404
    assert client.get(f"{address}x.csv").status_code == 404


def test_the_provisional_are_listed_by_what_is_known_of_them(client: Client, rated: RatingPool) -> None:
    Rating.objects.filter(pool=rated).update(is_provisional=True, lower_bound=None, official=None)
    for mu, rating in zip((20, 30, 25), Rating.objects.filter(pool=rated).order_by("player_id"), strict=True):
        Rating.objects.filter(pk=rating.pk).update(mu=mu, sigma=4)
    page = read_page(client, "/players/")
    order = [page.index(f"/players/house-{name}/") for name in ("counting_2", "random_3", "greedy_1")]
    assert order == sorted(order)


def test_queries(client: Client, rated: RatingPool) -> None:
    expected = {"/players/": 3, ONE: 13, OTHER: 8}
    assert {path: count_queries(client, path) for path in expected} == expected


def test_a_player_has_form_and_favourite_bids_in_pictures(client: Client, rated: RatingPool) -> None:
    page = read_page(client, ONE)
    played = Match.objects.filter(seats__player__slug="house-greedy_1").count()
    assert page.count('<a class="form-') == min(played, 15)
    assert 'class="picture picture-bids"' in page and page.count('class="picture picture-bars"') == 2


def test_who_leads_stands_above_the_list(client: Client, rated: RatingPool) -> None:
    page = read_page(client, "/players/")
    leaders = page[page.index('class="leaders"') : page.index("<table>")]
    assert leaders.index("1600") < leaders.index("1590") and leaders.count("<li") == 3
