"""The champion's opinion of a finished match by a program: asked for, formed by a worker, then read."""

import pytest
from rest_framework.test import APIClient

from bots.services.opinion import LEVEL, form_opinion
from games.models import Match, MatchState, RunnerNeed
from games.selectors.sitters import Sitter
from games.services.answer import resign_seat
from games.services.lobby import TableWish, play_now
from games.services.play import play_ready_matches
from tests.api.conftest import World

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.filterwarnings("ignore:task_always_eager has no effect on send_task"),
]
WISH = TableWish(ruleset="en3", strength="greedy", clock="live")


@pytest.fixture
def match(world: World) -> Match:
    """A person's table that waits for them."""
    match_id = play_now(sitter=Sitter(user_id=world.person.pk), wish=WISH)
    play_ready_matches(needs=RunnerNeed.HOUSE, is_live=True)
    return Match.objects.get(pk=match_id)


def finish(match: Match) -> str:
    """Its person leaves, and the fallback plays on to the end; the address of the opinion."""
    resign_seat(match_id=match.pk, seat=0)
    play_ready_matches(needs=RunnerNeed.HOUSE, is_live=True)
    match.refresh_from_db()
    assert match.state == MatchState.FINISHED
    return f"/api/v1/matches/{match.pk}/opinion"


def test_an_opinion_is_formed_by_a_worker_and_then_read(match: Match, anyone: APIClient) -> None:
    address = finish(match)
    asked = anyone.get(address, {"round": 1}).json()
    assert (asked["opinions"], asked["seat"], asked["champion"]) == (None, 0, LEVEL)
    form_opinion(match_id=match.pk, seat=0, number=1)
    told = anyone.get(address, {"round": 1, "seat": 0}).json()
    assert told["opinions"][0]["trick"] == 0 and told["opinions"][0]["played"].startswith("bid ")
    assert all(opinion["cost"] >= 0 for opinion in told["opinions"])


def test_nothing_is_said_of_a_match_that_is_being_played(match: Match, anyone: APIClient) -> None:
    refused = anyone.get(f"/api/v1/matches/{match.pk}/opinion")
    assert (refused.status_code, refused.json()["code"]) == (404, "record_missing")


@pytest.mark.parametrize("asked", [{"seat": 1}, {"seat": "x"}, {"round": 0}, {"round": 99}, {"round": "\x00"}])
def test_there_is_no_such_question(match: Match, anyone: APIClient, asked: dict[str, str | int]) -> None:
    refused = anyone.get(finish(match), asked)
    assert (refused.status_code, refused.json()["code"]) == (400, "bad_question")


def test_bots_are_not_judged(world: World, anyone: APIClient) -> None:
    played = Match.objects.filter(state=MatchState.FINISHED).values_list("pk", flat=True)[0]
    assert anyone.get(f"/api/v1/matches/{played}/opinion").json()["code"] == "no_person"
