"""What the desk does, by a program: reruns, pairs kept apart, house bots, check-in, the next season, leagues."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from games.models import Match, MatchState, RunnerNeed
from games.services.play import play_ready_matches
from tests.api.conftest import World, client_of, play_on
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
PLAYED = "/api/v1/tournaments/autumn-cup"
CUP = "/api/v1/tournaments/spring-cup"


@pytest.fixture
def organiser(world: World) -> APIClient:
    return client_of(world.organiser)


def open_cup(organiser: APIClient, **more: Any) -> None:
    spec = {"name": "Spring Cup", "stages": [{"format": "round_robin"}], **more}
    assert organiser.post("/api/v1/tournaments", spec, format="json").status_code == 201
    assert organiser.post(f"{CUP}/steps", {"step": "open"}, format="json").status_code == 200


def enter_house(organiser: APIClient, count: int) -> list[int]:
    entered = organiser.post(f"{CUP}/house-bots", {"brain": "greedy", "count": count}, format="json")
    assert entered.status_code == 201, entered.content
    return [row["id"] for row in entered.json()]


def test_a_rerun_is_begun_looked_at_and_applied(world: World, organiser: APIClient) -> None:
    match = Match.objects.filter(state=MatchState.FINISHED).order_by("id").first()
    assert match is not None
    begun = organiser.post(f"{PLAYED}/reruns", {"matches": [match.pk], "reason": "a fault"}, format="json")
    assert begun.status_code == 201, begun.content
    address = f"{PLAYED}/reruns/{begun.json()['id']}"
    assert organiser.get(address).json()["waiting"] == 1
    early = organiser.post(f"{address}/decision", {"decision": "apply"}, format="json")
    assert (early.status_code, early.json()["code"]) == (409, "rerun_not_played")
    play_ready_matches(needs=RunnerNeed.HOUSE)
    told = organiser.get(address).json()
    assert (told["waiting"], told["rerun"]["state"]) == (0, "playing")
    applied = organiser.post(f"{address}/decision", {"decision": "apply"}, format="json")
    assert applied.json()["rerun"]["state"] == "applied"
    assert [row["id"] for row in organiser.get(f"{PLAYED}/reruns").json()] == [begun.json()["id"]]


def test_pairs_are_kept_apart_until_they_may_meet(world: World, organiser: APIClient) -> None:
    open_cup(organiser)
    first, second, *_ = enter_house(organiser, 4)
    pair = {"first": first, "second": second}
    assert organiser.post(f"{CUP}/conflicts", {**pair, "reason": "twins"}, format="json").status_code == 200
    assert organiser.get(f"{CUP}/conflicts").json() == [{**pair, "reason": "twins"}]
    assert organiser.post(f"{CUP}/meetings", pair, format="json").status_code == 200
    assert organiser.get(f"{CUP}/conflicts").json() == []


def test_house_bots_are_counted_in_all(world: World, organiser: APIClient) -> None:
    open_cup(organiser)
    assert len(enter_house(organiser, 3)) == 3
    enter_house(organiser, 4)
    assert len(organiser.get(f"{CUP}/entrants").json()["results"]) == 4


def test_check_in_ends_when_it_is_said(world: World, organiser: APIClient) -> None:
    open_cup(organiser, needs_check_in=True)
    told = organiser.put(f"{CUP}/check-in-end", {"ends_at": "2030-01-01T12:00:00Z"}, format="json")
    assert told.json()["check_in_ends_at"] == "2030-01-01T12:00:00Z"


def test_the_next_season_is_planned_and_made_once(world: World, organiser: APIClient) -> None:
    organiser.post("/api/v1/leagues", {"name": "Sundays"}, format="json")
    open_cup(organiser, league="sundays")
    enter_house(organiser, 4)
    for step in ("draw", "start"):
        assert organiser.post(f"{CUP}/steps", {"step": step}, format="json").status_code == 200
    play_on(Tournament.objects.get(slug="spring-cup"))
    plan = organiser.get(f"{CUP}/next-season?moves=1").json()
    assert [len(division) for division in plan["divisions"]] == [4] and plan["left_out"] == []
    made = [organiser.post(f"{CUP}/next-season", {"moves": 1}, format="json") for _ in range(2)]
    assert [answer.status_code for answer in made] == [201, 201]
    assert made[0].json()["slug"] == made[1].json()["slug"] and made[0].json()["season"] == 2
    refused = organiser.get(f"{CUP}/next-season?moves=x")
    assert (refused.status_code, refused.json()["code"]) == (400, "bad_moves")


def test_a_league_is_named_anew_by_its_organiser(world: World, organiser: APIClient) -> None:
    organiser.post("/api/v1/leagues", {"name": "Sundays"}, format="json")
    wish = {"name": "Mondays", "description": "moved"}
    assert organiser.put("/api/v1/leagues/sundays", wish, format="json").json()["name"] == "Mondays"
    refused = client_of(world.person).put("/api/v1/leagues/sundays", wish, format="json")
    assert (refused.status_code, refused.json()["code"]) == (403, "not_yours")


@pytest.mark.parametrize("part", ["reruns", "conflicts", "next-season"])
def test_the_desk_is_its_organisers_alone(world: World, part: str) -> None:
    assert APIClient().get(f"{PLAYED}/{part}").status_code == 401
    assert client_of(world.person).get(f"{PLAYED}/{part}").status_code == 403


@pytest.mark.parametrize(
    ("part", "key"),
    [
        pytest.param("stages/1/statistics", "by_seat", id="statistics"),
        pytest.param("stages/1/balance", None, id="balance"),
        pytest.param("stages/1/bracket", None, id="bracket"),
        pytest.param("matches?state=finished", "results", id="matches"),
    ],
)
def test_what_pages_show_to_all(world: World, anyone: APIClient, part: str, key: str | None) -> None:
    answer = anyone.get(f"{PLAYED}/{part}")
    assert answer.status_code == 200, answer.content
    assert key is None or answer.json()[key]


def test_meetings_and_search(world: World, anyone: APIClient) -> None:
    met = anyone.get("/api/v1/players/house-greedy_1/opponents").json()
    assert len(met) == 4 and all(row["meetings"] for row in met)
    (row,) = anyone.get("/api/v1/players/house-greedy_1/against/house-greedy_2").json()
    assert row["players"] == 3 and row["meetings"] == next(one["meetings"] for one in met if one["name"] == "Greedy 2")
    found = anyone.get("/api/v1/search?q=autumn").json()
    assert [one["slug"] for one in found["tournaments"]] == ["autumn-cup"]


def test_ratings_come_in_pages_like_everything_else(world: World, anyone: APIClient) -> None:
    address: str | None = "/api/v1/rating-pools/bots-3/ratings?limit=2"
    rows: list[Any] = []
    while address:
        body = anyone.get(address).json()
        rows += body["results"]
        address = body["next"]
    assert len(rows) == 5 and len({row["player"] for row in rows}) == 5
    refused = anyone.get("/api/v1/rating-pools/bots-3/ratings?cursor=WyItaWQiLCJ4IiwxXQ")
    assert (refused.status_code, refused.json()["code"]) == (400, "bad_cursor")
