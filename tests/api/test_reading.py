"""Reading: every resource, pages, filters, ordering, sparse fields, conditional answers, queries."""

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from games.models import Match
from tests.api.conftest import World, client_of

CUP = "/api/v1/tournaments/autumn-cup"

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("address", "queries"),
    [
        pytest.param("/api/v1/rulesets", 0, id="rulesets"),
        pytest.param("/api/v1/rulesets/de4-nozero", 0, id="ruleset"),
        pytest.param("/api/v1/players", 1, id="players"),
        pytest.param("/api/v1/players/house-greedy_1", 1, id="player"),
        pytest.param("/api/v1/matches", 3, id="matches"),
        pytest.param("/api/v1/leagues", 1, id="leagues"),
        pytest.param("/api/v1/tournaments", 1, id="tournaments"),
        pytest.param(CUP, 2, id="tournament"),
        pytest.param(f"{CUP}/stages", 2, id="stages"),
        pytest.param(f"{CUP}/stages/1", 2, id="stage"),
        pytest.param(f"{CUP}/stages/1/standings", 5, id="standings"),
        pytest.param(f"{CUP}/stages/1/crosstable", 5, id="crosstable"),
        pytest.param(f"{CUP}/stages/1/matchdays", 3, id="matchdays"),
        pytest.param(f"{CUP}/stages/1/matchdays/1/fixtures", 6, id="fixtures"),
    ],
)
def test_everybody_may_read(
    world: World, anyone: APIClient, address: str, queries: int, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(queries):
        answer = anyone.get(address)
    assert answer.status_code == 200, answer.content
    body = answer.json()
    assert body or address == "/api/v1/leagues"


def collect(client: APIClient, address: str) -> list[Any]:
    rows: list[Any] = []
    following: str | None = address
    while following:
        body = client.get(following).json()
        rows += body["results"]
        following = body["next"]
    return rows


@pytest.mark.parametrize("ordering", ["id", "-id", "created_at", "-created_at"])
def test_pages_give_every_row_once(world: World, anyone: APIClient, ordering: str) -> None:
    expected = list(
        Match.objects.order_by(ordering, "-id" if ordering[0] == "-" else "id").values_list("id", flat=True)
    )
    rows = collect(anyone, f"/api/v1/matches?limit=3&ordering={ordering}&fields=id")
    assert [row["id"] for row in rows] == expected
    assert all(set(row) == {"id"} for row in rows)


@pytest.mark.parametrize(
    ("address", "code"),
    [
        pytest.param("/api/v1/matches?limit=0", "bad_limit", id="limit"),
        pytest.param("/api/v1/matches?limit=two", "bad_limit", id="limit in words"),
        pytest.param("/api/v1/matches?ordering=seed", "bad_ordering", id="a column that is not shown"),
        pytest.param("/api/v1/matches?cursor=zzzz", "bad_cursor", id="no cursor of ours"),
        pytest.param("/api/v1/matches?cursor=WyItaWQiLCJ4IiwxXQ", "bad_cursor", id="a cursor with no number"),
        pytest.param("/api/v1/rulesets?fields=code,seed", "bad_fields", id="a hidden field"),
        pytest.param("/api/v1/matches?state=strange", "invalid", id="a state that is none"),
        pytest.param("/api/v1/players?name=%00", "invalid", id="a zero byte"),
    ],
)
def test_bad_question(anyone: APIClient, address: str, code: str) -> None:
    answer = anyone.get(address)
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert set(answer.json()) == {"code", "message", "details", "request_id"}
    assert answer.json()["request_id"] == answer["X-Request-ID"]


@pytest.mark.parametrize(
    ("address", "code"),
    [
        pytest.param("/api/v1/nothing", "not_found", id="no such address"),
        pytest.param("/api/v2/matches", "not_found", id="no such version"),
        pytest.param("/api/v1/bots/a%0Ab", "not_found", id="a line break"),
        pytest.param("/api/v1/matches/999999999", "match_unknown", id="no such match"),
        pytest.param("/api/v1/matches/99999999999999999999999", "match_unknown", id="a number too large"),
        pytest.param("/api/v1/players/nobody", "player_unknown", id="no such player"),
        pytest.param("/api/v1/rulesets/en5", "unknown_ruleset", id="no such ruleset"),
        pytest.param("/api/v1/tournaments/none", "no_tournament", id="no such tournament"),
    ],
)
def test_missing(anyone: APIClient, address: str, code: str) -> None:
    answer = anyone.get(address)
    assert (answer.status_code, answer.json()["code"]) == (404, code)


def test_filters(world: World, anyone: APIClient) -> None:
    assert collect(anyone, "/api/v1/matches?state=waiting") == []
    rows = collect(anyone, "/api/v1/matches?player=house-greedy_1")
    assert rows and all("house-greedy_1" in [seat["player"] for seat in row["seats"]] for row in rows)
    assert [row["slug"] for row in collect(anyone, "/api/v1/players?kind=person")] == ["person-one"]


def test_standings_are_conditional(world: World, anyone: APIClient) -> None:
    first = anyone.get(f"{CUP}/stages/1/standings")
    assert first.json()["lines"][0]["place"] == 1
    again = anyone.get(f"{CUP}/stages/1/standings", HTTP_IF_NONE_MATCH=first["ETag"])
    assert (again.status_code, again.content) == (304, b"")
    stage = world.tournament.stages.get()
    stage.results_version += 1
    stage.save()
    assert anyone.get(f"{CUP}/stages/1/standings", HTTP_IF_NONE_MATCH=first["ETag"]).status_code == 200


def test_record_and_notation(world: World, anyone: APIClient) -> None:
    match = Match.objects.filter(state="finished").first()
    assert match is not None
    record = anyone.get(f"/api/v1/matches/{match.pk}/record")
    assert record.json()["format"] == "aurum-record"
    assert record.json()["commitment"] == match.commitment
    assert anyone.get(f"/api/v1/matches/{match.pk}/record", HTTP_IF_NONE_MATCH=record["ETag"]).status_code == 304
    notation = anyone.get(f"/api/v1/matches/{match.pk}/notation")
    assert notation["Content-Type"] == "text/plain; charset=utf-8"
    assert notation.content.decode().startswith("aurum en3\n")


def test_throttle_says_when_to_come_back(anyone: APIClient, settings: Any) -> None:
    settings.REST_FRAMEWORK = {
        **settings.REST_FRAMEWORK,
        "DEFAULT_THROTTLE_RATES": {**settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"], "anonymous": 3},
    }
    answers = [anyone.get("/api/v1/rulesets/en3") for _ in range(8)]
    assert {answer.status_code for answer in answers} == {200, 429}
    assert answers[-1].json()["code"] == "throttled"
    assert 1 <= int(answers[-1]["Retry-After"]) <= 61


def test_drafts_are_their_organisers_alone(world: World, anyone: APIClient) -> None:
    organiser = client_of(world.organiser)
    made = organiser.post("/api/v1/tournaments", {"name": "Secret", "stages": [{"format": "swiss"}]}, format="json")
    assert made.status_code == 201, made.content
    assert organiser.get("/api/v1/tournaments/secret").status_code == 200
    assert anyone.get("/api/v1/tournaments/secret").status_code == 404
    assert client_of(world.person).get("/api/v1/tournaments/secret").status_code == 404
