"""Helpers: invited by link, each role doing what it says and nothing else, handed over, and events in no list."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.pages.desk import DESK, sign_in
from tests.pages.events import make_league, make_tournament, read_page
from tournaments.models import Helper, Tournament
from tournaments.services.roles import invite_helper, join_as_helper

pytestmark = pytest.mark.django_db


def make_helper(tournament: Tournament, role: str, *, for_league: bool = False) -> Client:
    user = User.objects.create_user(f"helper-{role}")
    text = invite_helper(tournament=tournament, role=role, inviter=tournament.organiser, for_league=for_league)
    join_as_helper(invitation=text, user=user)
    client = Client()
    client.force_login(user)
    return client


def test_somebody_joins_by_the_link(client: Client) -> None:
    tournament = make_tournament("open")
    sign_in(client, tournament)
    page = client.post(f"{DESK}helpers/", {"role": "desk"}).content.decode()
    link = re.search(r"http://testserver(/desk/join/[^<]+)<", page)
    assert link
    helper = Client()
    helper.force_login(User.objects.create_user("agnes"))
    assert helper.get(DESK).status_code == 403
    assert "Desk: entries and check-in" in read_page(helper, link[1])
    helper.post(link[1])
    assert helper.get(DESK).status_code == 200
    assert "Test Cup" in read_page(helper, "/desk/")
    actor = tournament.events.get(kind="helper_joined").actor
    assert actor and actor.username == "agnes"
    assert Client().get("/desk/join/none-of-ours/").status_code == 302


@pytest.mark.parametrize(
    ("role", "allowed"),
    [
        pytest.param("desk", {"entries/house/"}, id="desk"),
        pytest.param("results", {"matches/0/void/"}, id="results"),
        pytest.param("all", {"entries/house/", "matches/0/void/", "steps/pause/"}, id="everything"),
    ],
)
def test_a_role_does_what_it_says_and_nothing_else(role: str, allowed: set[str]) -> None:
    tournament = make_tournament("playing")
    client = make_helper(tournament, role)
    for part in ("", "entries/", "draw/", "matches/", "trail/", "helpers/"):
        assert client.get(f"{DESK}{part}").status_code == 200, part
    for part in ("steps/pause/", "entries/house/", "matches/0/void/"):
        assert (client.post(f"{DESK}{part}").status_code != 403) == (part in allowed), part
    # Whose it is, and who helps, only its organiser decides.
    client.post(f"{DESK}helpers/unlist/")
    client.post(f"{DESK}helpers/hand-over/", {"username": f"helper-{role}"})
    tournament.refresh_from_db()
    assert not tournament.is_unlisted and tournament.organiser.username == "organiser-of-tests"


def test_a_helper_of_the_league_helps_with_its_seasons_and_can_be_removed(client: Client) -> None:
    league = make_league()
    first = make_tournament("open", league=league)
    helper = make_helper(first, "all", for_league=True)
    second = make_tournament("draft", league=league, name="Second")
    assert helper.get(f"/desk/tournaments/{second.slug}/").status_code == 200
    sign_in(client, first)
    client.post(f"{DESK}helpers/remove/", {"helper": str(Helper.objects.get().pk)})
    assert helper.get(f"/desk/tournaments/{second.slug}/").status_code == 404


def test_a_tournament_is_handed_over_to_whoever_helps_with_everything(client: Client) -> None:
    tournament = make_tournament("open")
    make_helper(tournament, "all")
    make_helper(tournament, "desk")
    sign_in(client, tournament)
    client.post(f"{DESK}helpers/hand-over/", {"username": "helper-desk"})
    tournament.refresh_from_db()
    assert tournament.organiser.username == "organiser-of-tests"
    client.post(f"{DESK}helpers/hand-over/", {"username": "helper-all"})
    tournament.refresh_from_db()
    assert tournament.organiser.username == "helper-all"
    assert client.get(DESK).status_code == 200, "who gave it away helps on"
    assert client.post(f"{DESK}helpers/", {"role": "all"}).status_code == 422


def test_an_unlisted_event_is_found_by_its_link_alone(client: Client) -> None:
    tournament = make_tournament("open")
    sign_in(client, tournament)
    client.post(f"{DESK}helpers/unlist/")
    stranger = Client()
    for path in ("/tournaments/", "/search/?q=Test+Cup", "/calendar/", "/"):
        assert "test-cup" not in read_page(stranger, path), path
    assert stranger.get("/tournaments/test-cup/").status_code == 200
    assert "test-cup" not in stranger.get("/api/v1/tournaments").content.decode()
    client.post(f"{DESK}helpers/list/")
    assert "test-cup" in read_page(stranger, "/tournaments/")
