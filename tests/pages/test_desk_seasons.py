"""Leagues and their seasons at the desk: edited, and the next season looked at before it is made."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.pages.desk import DESK, sign_in
from tests.pages.events import HOSTILE, make_league, make_players, make_tournament, read_page
from tournaments.models import League, Tournament

pytestmark = pytest.mark.django_db

SEASON = {"format": "league_season", "options": {"divisions": [3, 3], "laps": 1, "meetings": 2}}


def test_the_next_season_is_looked_at_and_then_made(client: Client) -> None:
    league = make_league()
    season = make_tournament("finished", players=make_players(6, HOSTILE), league=league, stages=[SEASON])
    sign_in(client, season)
    assert f"{DESK}next-season/" in read_page(client, DESK)
    page = read_page(client, f"{DESK}next-season/")
    assert (page.count("goes up"), page.count("goes down")) == (1, 1)
    assert "<b>Bot" not in page
    assert "goes up" not in read_page(client, f"{DESK}next-season/?moves=0")
    assert Tournament.objects.count() == 1
    for _ in range(2):
        answer = client.post(f"{DESK}next-season/", {"moves": "1", "name": ""})
        assert answer["Location"] == "/desk/tournaments/test-cup-2/"
    made = Tournament.objects.latest("id")
    assert (made.name, made.state, made.season, made.entrants.count()) == ("Test League 2", "open", 2, 6)


@pytest.mark.parametrize(
    ("moves", "says"),
    [
        pytest.param("-1", "greater than or equal to 0", id="fewer than none"),
        pytest.param("many", "Enter a whole number", id="words"),
        pytest.param("9" * 30, "less than or equal to", id="huge"),
    ],
)
def test_a_wrong_number_makes_nothing(client: Client, moves: str, says: str) -> None:
    sign_in(client, make_tournament("finished", league=make_league()))
    answer = client.post(f"{DESK}next-season/", {"moves": moves})
    assert answer.status_code == 422
    assert says in answer.content.decode()
    assert Tournament.objects.count() == 1


@pytest.mark.parametrize(
    ("state", "has_league"),
    [pytest.param("open", True, id="not over yet"), pytest.param("finished", False, id="in no league")],
)
def test_only_a_finished_season_has_a_next_one(client: Client, state: str, has_league: bool) -> None:
    sign_in(client, make_tournament(state, league=make_league() if has_league else None))
    assert "next-season" not in read_page(client, DESK)
    assert client.post(f"{DESK}next-season/", {"moves": "1"}).status_code == 422
    assert Tournament.objects.count() == 1


def test_a_league_is_edited_by_its_organiser_alone(client: Client) -> None:
    league = make_league()
    address = f"/desk/leagues/{league.slug}/edit/"
    client.force_login(User.objects.create_user("somebody-else"))
    assert client.post(address, {"name": "Mine"}).status_code == 403
    client.force_login(league.organiser)
    assert address in read_page(client, "/desk/")
    assert 'value="Test League"' in read_page(client, address)
    assert client.post(address, {"name": ""}).status_code == 422
    client.post(address, {"name": "Town League", "description": "<b>bold</b>"})
    assert League.objects.get().name == "Town League"
    assert "&lt;b&gt;bold" in read_page(client, f"/leagues/{league.slug}/")
