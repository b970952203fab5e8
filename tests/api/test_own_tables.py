"""Tables of one's own by a program, and an author's view of a bot: trials, failures, performance."""

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from bots.models import VersionState
from bots.services.versions import add_version
from games.api.tables import TABLES_A_MINUTE
from games.models import MatchSeat, RunnerNeed, SeatFailure
from games.services.play import play_ready_matches
from tests.api.conftest import World, client_of
from tournaments.models import FixtureMatch

pytestmark = pytest.mark.django_db
BOT = "/api/v1/bots/alchemist"


def test_a_program_plays_against_house_bots(world: World) -> None:
    person = client_of(world.person, "read", "play")
    made = person.post("/api/v1/tables", {"ruleset": "en3", "strength": "greedy"}, format="json")
    assert made.status_code == 201, made.content
    play_ready_matches(needs=RunnerNeed.HOUSE)
    (table,) = person.get("/api/v1/tables").json()
    assert table["match"] == made.json()["match"] and table["seat"] == 0 and table["is_awaited"]
    address = f"/api/v1/matches/{table['match']}"
    view = person.get(f"{address}/view?seat=0").json()
    decision = {"seat": 0, "counter": view["counter"], "action": view["view"]["legal"][0]}
    assert person.post(f"{address}/decisions", decision, format="json").status_code == 200
    assert [seat["by_token"] for seat in person.get(address).json()["seats"]] == [1, 0, 0]
    by_hand = APIClient()
    by_hand.force_login(world.person)
    view = by_hand.get(f"{address}/view?seat=0").json()
    decision = {"seat": 0, "counter": view["counter"], "action": view["view"]["legal"][0]}
    assert by_hand.post(f"{address}/decisions", decision, format="json").status_code == 200
    assert [seat["by_token"] for seat in person.get(address).json()["seats"]] == [1, 0, 0], "a browser is a hand"


def test_a_lobby_from_invitation_to_deal(world: World) -> None:
    host, guest = client_of(world.person), client_of(world.author)
    made = host.post("/api/v1/lobbies", {"ruleset": "en3"}, format="json")
    assert made.status_code == 201, made.content
    address = f"/api/v1/lobbies/{made.json()['invitation']}"
    assert [lobby["invitation"] for lobby in host.get("/api/v1/lobbies").json()] == [made.json()["invitation"]]
    taken = guest.post(f"{address}/seat", {"seat": 0}, format="json")
    assert (taken.status_code, taken.json()["code"]) == (409, "seat_taken")
    seated = guest.post(f"{address}/seat", {"seat": 2}, format="json").json()["seats"]
    assert [(seat["seat"], seat["user"]) for seat in seated] == [(0, "person-1"), (2, "author-1")]
    assert guest.post(f"{address}/deal", {}, format="json").json()["code"] == "not_host"
    assert len(guest.post(f"{address}/departure", {}, format="json").json()["seats"]) == 1
    dealt = host.post(f"{address}/deal", {"fills_with_bots": True}, format="json")
    assert dealt.status_code == 201
    assert APIClient().get(address).json()["match"] == dealt.json()["match"]
    assert APIClient().get("/api/v1/lobbies/none").json()["code"] == "lobby_unknown"


def test_too_many_tables_at_once_are_refused(world: World) -> None:
    person = client_of(world.person)
    # Three times as many as one minute allows, for the next one may begin meanwhile.
    answers = [person.post("/api/v1/tables", {"ruleset": "en3"}, format="json") for _ in range(3 * TABLES_A_MINUTE)]
    assert [answer.status_code for answer in answers][:10] == [201] * 10
    assert {answer.json()["code"] for answer in answers[10:]} >= {"too_fast"}


def test_a_trial_is_started_followed_and_stopped(world: World) -> None:
    author = client_of(world.author, "read", "bots")
    add_version(bot_id=world.bot.pk, owner=world.author, upload=b"print('another')\n")
    world.bot.versions.update(state=VersionState.QUALIFIED)
    unknown = author.post(f"{BOT}/trials", {"new": 9, "old": 1}, format="json")
    assert (unknown.status_code, unknown.json()["code"]) == (400, "unknown_version")
    made = author.post(f"{BOT}/trials", {"new": 2, "old": 1}, format="json")
    assert made.status_code == 201, made.content
    assert (made.json()["new"], made.json()["old"], made.json()["state"]) == (2, 1, "playing")
    address = f"{BOT}/trials/{made.json()['id']}"
    progress = author.get(address).json()
    assert progress["lower"] < 0 < progress["upper"] and progress["drawn"] > 0 and progress["ratios"] == []
    assert author.post(f"{address}/stop", {}, format="json").json()["trial"]["state"] == "stopped"
    assert [row["state"] for row in author.get(f"{BOT}/trials").json()["results"]] == ["stopped"]


def test_failures_and_performance_are_the_authors(world: World) -> None:
    match = FixtureMatch.objects.filter(stage__tournament=world.tournament).order_by("id").first()
    assert match is not None
    seat = MatchSeat.objects.filter(match_id=match.match_id, seat=0)
    seat.update(player=world.bot.player, agent=f"version:{world.bot.active_version_id}")
    failure = SeatFailure.objects.create(match_id=match.match_id, seat=0, step=3, verdict="crash", stderr="oh")
    author = client_of(world.author)
    (told,) = author.get(f"{BOT}/failures").json()["results"]
    assert (told["id"], told["verdict"], told["stderr"]) == (failure.pk, "crash", "oh")
    assert author.get(f"{BOT}/failures/{failure.pk}").json() == told
    assert author.get(f"{BOT}/failures/{failure.pk + 1}").json()["code"] == "no_failure"
    (version,) = author.get(f"{BOT}/performance").json()
    assert version["version"] == 1 and version["rates"][0]["matches"] == 1


@pytest.mark.parametrize("part", ["trials", "failures", "performance"])
def test_nobody_else_looks_into_a_bot(world: World, part: str) -> None:
    assert APIClient().get(f"{BOT}/{part}").status_code == 401
    other: User = world.person
    assert client_of(other).get(f"{BOT}/{part}").status_code == 404
