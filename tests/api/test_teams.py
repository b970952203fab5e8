"""Teams of two by programs: one invites, the other says yes, and either enters it."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from tests.api.conftest import World, client_of
from tests.people import verify_address

pytestmark = pytest.mark.django_db
TEAMS = "/api/v1/teams"
PAIRS = {
    "name": "Pairs",
    "ruleset": "en4",
    "table_kind": "teams4",
    "entry_kind": "mixed",
    "stages": [{"format": "round_robin"}],
}


def send(client: APIClient, address: str, **sent: Any) -> Any:
    return client.post(address, sent, format="json")


@pytest.fixture
def partner(world: World) -> APIClient:
    return client_of(verify_address(User.objects.create_user("partner-1")), "read", "play")


def team_up(world: World, partner: APIClient) -> dict[str, Any]:
    invited = send(client_of(world.person, "play"), f"{TEAMS}/invitations", name="Base Metals")
    assert invited.status_code == 201, invited.content
    joined = send(partner, f"{TEAMS}/memberships", **invited.json())
    assert joined.status_code == 201, joined.content
    return joined.json()


def test_people_team_up_and_the_partner_enters(world: World, partner: APIClient, anyone: APIClient) -> None:
    team = team_up(world, partner)
    assert (team["slug"], team["members"]) == ("team-base-metals", ["person-one", "partner-1"])
    assert anyone.get(f"{TEAMS}/{team['slug']}").json() == team
    organiser = client_of(world.organiser)
    send(organiser, "/api/v1/tournaments", **PAIRS)
    send(organiser, "/api/v1/tournaments/pairs/steps", step="open")
    unasked = send(partner, "/api/v1/tournaments/pairs/entrants", player=team["slug"])
    assert (unasked.status_code, unasked.json()["code"]) == (409, "agreement_needed")
    entered = send(partner, "/api/v1/tournaments/pairs/entrants", player=team["slug"], agrees=True)
    assert entered.status_code == 201, entered.content
    address = f"/api/v1/tournaments/pairs/entrants/{entered.json()['id']}/withdrawal"
    assert send(client_of(world.author), address).status_code == 403
    assert send(client_of(world.person), address).json()["state"] == "withdrawn"


@pytest.mark.parametrize(("member", "found"), [("person-one", 1), ("partner-1", 1), ("house-greedy_1", 0)])
def test_teams_are_found_by_their_players(world: World, partner: APIClient, member: str, found: int) -> None:
    team_up(world, partner)
    assert len(partner.get(TEAMS, {"member": member}).json()["results"]) == found


def test_an_organiser_makes_a_team_of_anybody(world: World, partner: APIClient) -> None:
    team_up(world, partner)
    wish = {"name": "Mixed Metals", "members": ["person-one", "alchemist"]}
    made = send(client_of(world.organiser), TEAMS, **wish)
    assert (made.status_code, made.json()["created_by"]) == (201, "organiser-1")
    for client, code in ((partner, "missing_scope"), (client_of(world.person), "not_yours")):
        refused = send(client, TEAMS, **{**wish, "name": "Base Alloy"})
        assert (refused.status_code, refused.json()["code"]) == (403, code)


def test_a_used_or_foreign_invitation_is_refused(world: World, partner: APIClient) -> None:
    refused = send(partner, f"{TEAMS}/memberships", invitation="no-such-thing")
    assert (refused.status_code, refused.json()["code"]) == (400, "bad_invitation")
    team_up(world, partner)
    taken = send(client_of(world.person), f"{TEAMS}/invitations", name="base metals")
    assert (taken.status_code, taken.json()["code"]) == (409, "name_taken")


@pytest.mark.parametrize("count", [1, 5])
def test_the_list_takes_one_query_however_long(
    world: World, anyone: APIClient, django_assert_num_queries: Any, count: int
) -> None:
    organiser = client_of(world.organiser)
    for number in range(count):
        send(organiser, TEAMS, name=f"Team {number}", members=["person-one", "alchemist"])
    with django_assert_num_queries(1):
        assert len(anyone.get(TEAMS).json()["results"]) == count
