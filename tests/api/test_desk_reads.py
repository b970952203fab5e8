"""What the site shows beside the tables: presets, specs, troubles, why a table was drawn, byes, and one's account."""

import pytest
from rest_framework.test import APIClient

from games.models import Match, MatchState
from tests.api.conftest import World, client_of
from tournaments.services.leagues import SHOWN_PRESETS

pytestmark = pytest.mark.django_db
CUP = "/api/v1/tournaments/autumn-cup"


@pytest.fixture
def organiser(world: World) -> APIClient:
    return client_of(world.organiser)


@pytest.mark.parametrize("code", SHOWN_PRESETS)
def test_every_preset_is_a_tournament_once_it_has_a_name(organiser: APIClient, code: str) -> None:
    preset = organiser.get(f"/api/v1/presets/{code}").json()
    assert preset in organiser.get("/api/v1/presets").json()
    drafted = organiser.post("/api/v1/tournaments", {"name": "Mine", **preset["spec"]}, format="json")
    assert drafted.status_code == 201, drafted.content


def test_a_preset_that_is_not_there(anyone: APIClient) -> None:
    assert anyone.get("/api/v1/presets/no-such").json()["code"] == "unknown_preset"


def test_a_spec_makes_the_same_tournament_again(organiser: APIClient) -> None:
    spec = organiser.get(f"{CUP}/spec").json()
    again = organiser.post("/api/v1/tournaments", spec, format="json")
    assert again.status_code == 201, again.content
    assert organiser.get(f"/api/v1/tournaments/{again.json()['slug']}/spec").json() == spec


def test_troubles_say_which_match_waits_and_why(world: World, organiser: APIClient) -> None:
    assert organiser.get(f"{CUP}/troubles").json() == []
    match = Match.objects.filter(state=MatchState.FINISHED).order_by("id")[0]
    Match.objects.filter(pk=match.pk).update(state=MatchState.QUARANTINED, trouble="Its worker died three times.")
    (told,) = organiser.get(f"{CUP}/troubles").json()
    assert (told["match"], told["trouble"], told["stage"]) == (match.pk, "Its worker died three times.", 1)
    refused = client_of(world.person).get(f"{CUP}/troubles")
    assert (refused.status_code, refused.json()["code"]) == (403, "not_yours")


def test_matches_of_one_table_are_found_by_its_place(world: World, anyone: APIClient) -> None:
    fixtures = anyone.get(f"{CUP}/stages/1/matchdays/1/fixtures").json()["results"]
    place = {"stage": 1, "matchday": 1, "table": fixtures[0]["table"]}
    found = anyone.get(f"{CUP}/matches", place).json()["results"]
    assert len(found) == fixtures[0]["matches"]
    assert {seat["player"] for seat in found[0]["seats"]} == {seat["player"] for seat in fixtures[0]["seats"]}
    assert anyone.get(f"{CUP}/matches", {"matchday": 99}).json()["results"] == []


def test_a_fixture_says_why_it_was_drawn_and_a_matchday_who_rests(world: World, anyone: APIClient) -> None:
    day = f"{CUP}/stages/1/matchdays/1"
    (fixture, *_) = anyone.get(f"{day}/fixtures").json()["results"]
    assert fixture["why"] and all(reason["code"] and "numbers" in reason for reason in fixture["why"])
    seated = {seat["player"] for seat in fixture["seats"]}
    resting = {entrant["player"] for entrant in anyone.get(f"{day}/byes").json()}
    assert len(resting) == 2 and not resting & seated


def test_the_trail_names_who_did_it_to_the_organiser_alone(world: World, organiser: APIClient) -> None:
    spec = {"name": "Own Cup", "stages": [{"format": "round_robin"}]}
    organiser.post("/api/v1/tournaments", spec, format="json")
    organiser.post("/api/v1/tournaments/own-cup/steps", {"step": "open"}, format="json")
    for client, known in ((organiser, {"organiser-1"}), (client_of(world.person), {None}), (APIClient(), {None})):
        told = client.get("/api/v1/tournaments/own-cup/events").json()["results"]
        assert {event["actor"] for event in told if event["kind"] == "opened"} == known


def test_an_account_says_whose_token_it_is(world: World) -> None:
    client = client_of(world.author, "read", "play")
    told = client.get("/api/v1/account").json()
    assert (told["username"], told["players"], told["scopes"]) == ("author-1", ["alchemist"], ["read", "play"])
    names = {"first_name": "Ada", "last_name": ""}
    changed = client.put("/api/v1/account", names, format="json").json()
    assert names.items() <= changed.items()
    assert client_of(world.author, "read").put("/api/v1/account", names, format="json").status_code == 403
