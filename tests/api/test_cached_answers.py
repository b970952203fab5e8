"""Answers that are repeated to strangers: the same bytes, a second old or proven to stand, and never to others."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from rest_framework.test import APIClient

from aurum_league.common.api import access
from aurum_league.common.cache import CACHED_ANSWERS, BoundedCache, answers
from games.models import Match, MatchKind, MatchState, Player
from tests.api.conftest import World, client_of
from tests.api.test_hidden import seed_of, sit_down

pytestmark = pytest.mark.django_db
STANDINGS = "/api/v1/tournaments/autumn-cup/stages/1/standings"
MATCHES = "/api/v1/matches"
A_LONG_TIME = 3600.0
NO_TIME = 1e-9


@pytest.fixture(autouse=True)
def repeating(settings: Any) -> Iterator[None]:
    settings.ANSWER_CACHE_SECONDS = A_LONG_TIME
    answers.clear()
    yield
    answers.clear()


def count_repeated() -> float:
    return float(CACHED_ANSWERS._value.get())


def finished_match() -> Match:
    match = Match.objects.filter(state=MatchState.FINISHED).order_by("id").first()
    assert match is not None
    return match


@pytest.mark.parametrize("address", [STANDINGS, MATCHES, "/api/v1/players?limit=2", "/api/v1/rulesets/en3"])
def test_a_stranger_gets_the_same_answer_without_a_query(
    world: World, anyone: APIClient, address: str, django_assert_num_queries: Any
) -> None:
    first = anyone.get(address)
    with django_assert_num_queries(0):
        again = anyone.get(address)
    assert (again.status_code, again.content) == (200, first.content)
    differing = {"X-Request-ID"}
    assert {name: first[name] for name in first.headers if name not in differing} == {
        name: again[name] for name in again.headers if name not in differing
    }
    assert again["X-Request-ID"] and again["X-Request-ID"] != first["X-Request-ID"]
    assert again["X-Frame-Options"] == "DENY" and "default-src 'none'" in again["Content-Security-Policy"]


def test_only_what_was_asked_alike_is_repeated(world: World, anyone: APIClient) -> None:
    before = count_repeated()
    anyone.get(f"{MATCHES}?limit=2")
    anyone.get(f"{MATCHES}?limit=3")
    assert anyone.get(f"{MATCHES}?limit=2", HTTP_ACCEPT="text/html").status_code == 406
    following = anyone.get(f"{MATCHES}?limit=2", HTTP_HOST="localhost").json()["next"]
    assert following.startswith("http://localhost/")
    assert count_repeated() == before


def test_nobody_who_is_known_is_answered_for_a_stranger(world: World) -> None:
    anyone, person, browser = APIClient(), client_of(world.person), Client()
    match = sit_down(world, seed_of(1))
    Match.objects.filter(pk=match.pk).update(kind=MatchKind.SCRIMMAGE)
    browser.force_login(world.person)
    assert match.pk not in [row["id"] for row in anyone.get(MATCHES).json()["results"]]
    assert match.pk in [row["id"] for row in person.get(MATCHES).json()["results"]]
    assert match.pk in [row["id"] for row in browser.get(MATCHES).json()["results"]]
    before = count_repeated()
    assert match.pk not in [row["id"] for row in anyone.get(MATCHES).json()["results"]]
    assert count_repeated() == before + 1
    assert anyone.get(MATCHES, HTTP_AUTHORIZATION="Bearer aur_no").status_code == 401


@pytest.mark.parametrize("part", ["", "/record", "/notation"])
def test_a_finished_match_is_repeated_while_its_version_stands(
    world: World, anyone: APIClient, part: str, settings: Any, django_assert_num_queries: Any
) -> None:
    settings.ANSWER_CACHE_SECONDS = NO_TIME
    match = finished_match()
    address = f"{MATCHES}/{match.pk}{part}"
    first = anyone.get(address)
    with django_assert_num_queries(1):
        assert anyone.get(address).content == first.content
    assert anyone.get(address, HTTP_IF_NONE_MATCH=first["ETag"]).status_code == 304
    seat = match.seats.order_by("seat").first()
    assert seat is not None
    Player.objects.filter(pk=seat.player_id).update(name="Another Name")
    renamed = anyone.get(address, HTTP_IF_NONE_MATCH=first["ETag"])
    assert renamed.status_code == 200
    assert b"Another Name" in renamed.content or part == "/notation"


def test_a_seal_that_comes_back_closes_what_was_open(world: World, anyone: APIClient, settings: Any) -> None:
    settings.ANSWER_CACHE_SECONDS = NO_TIME
    match = finished_match()
    assert anyone.get(f"{MATCHES}/{match.pk}/record").status_code == 200
    waiting = sit_down(world, seed_of(1))
    Match.objects.filter(pk=waiting.pk).update(deals=match.deals)
    assert anyone.get(f"{MATCHES}/{match.pk}/record").status_code == 403
    assert anyone.get(f"{MATCHES}/{match.pk}").json()["result"]["totals"] is None


def test_standings_follow_every_result(world: World, anyone: APIClient, settings: Any) -> None:
    settings.ANSWER_CACHE_SECONDS = NO_TIME
    first = anyone.get(STANDINGS)
    assert anyone.get(STANDINGS).content == first.content
    stage = world.tournament.stages.get()
    stage.results_version += 1
    stage.save()
    assert anyone.get(STANDINGS).json()["is_current"] is False
    stage.standings.version = stage.results_version
    stage.standings.save()
    assert anyone.get(STANDINGS).json()["is_current"] is True


def test_a_list_is_a_moment_old_at_most(world: World, anyone: APIClient, settings: Any) -> None:
    settings.ANSWER_CACHE_SECONDS = NO_TIME
    anyone.get("/api/v1/players?kind=person")
    Player.objects.filter(pk=world.player.pk).update(name="Another Name")
    assert "Another Name" in anyone.get("/api/v1/players?kind=person").content.decode()


def test_a_table_that_is_played_is_never_repeated(world: World, anyone: APIClient) -> None:
    address = f"{MATCHES}/{sit_down(world, seed_of(1)).pk}/view"
    before = count_repeated()
    assert anyone.get(address).status_code == anyone.get(address).status_code == 200
    assert count_repeated() == before


def test_whoever_writes_reads_it_at_once(world: World, anyone: APIClient) -> None:
    assert anyone.get("/api/v1/leagues").json()["results"] == []
    assert client_of(world.organiser).post("/api/v1/leagues", {"name": "Sunday"}, format="json").status_code == 201
    assert [row["name"] for row in anyone.get("/api/v1/leagues").json()["results"]] == ["Sunday"]


def test_what_is_repeated_counts_against_the_rate(world: World, anyone: APIClient, settings: Any) -> None:
    rates = {**settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"], "anonymous": 3}
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": rates}
    answered = [anyone.get(STANDINGS) for _ in range(10)]
    assert {answer.status_code for answer in answered} == {200, 429}
    assert answered[-1].json()["code"] == "throttled" and int(answered[-1]["Retry-After"]) >= 1


def test_reading_goes_on_while_redis_is_away(world: World, anyone: APIClient, settings: Any) -> None:
    access.connect_counter.cache_clear()
    settings.CACHES = {"default": {**settings.CACHES["default"], "LOCATION": "unix:///nowhere/valkey.sock?db=1"}}
    try:
        for address in (STANDINGS, MATCHES, f"{MATCHES}/{finished_match().pk}/record"):
            assert anyone.get(address).status_code == anyone.get(address).status_code == 200
    finally:
        access.connect_counter.cache_clear()
        cache.close()


def test_the_memory_is_bounded() -> None:
    memory: BoundedCache[int] = BoundedCache(160)
    for number in range(20):
        memory.set(number, number, 10)
        memory.get(0)
    assert [number for number in range(20) if memory.get(number) is not None] == [0, *range(5, 20)]
    memory.set("too large", 1, 11)
    assert memory.get("too large") is None
    memory.set(0, 100, 10)
    assert memory.get(0) == 100
    memory.clear()
    assert memory.get(0) is None
