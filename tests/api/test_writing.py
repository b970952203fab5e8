"""Writing: an organiser's script runs a tournament, players enter and leave, and nothing happens twice."""

from datetime import timedelta

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from aurum_league.common.api.idempotency import KEPT_FOR
from aurum_league.models import KeptAnswer
from aurum_league.settings.base import SCHEDULE
from aurum_league.tasks import forget_old_answers_task
from games.models import Match, Player, PlayerKind
from tests.api.conftest import World, client_of, make_house_bots, play_on
from tournaments.models import League, Tournament

pytestmark = pytest.mark.django_db
SPEC = {"name": "Spring Cup", "stages": [{"format": "round_robin"}]}
CUP = "/api/v1/tournaments/spring-cup"


@pytest.fixture
def organiser(world: World) -> APIClient:
    return client_of(world.organiser)


def step(client: APIClient, name: str) -> None:
    answer = client.post(f"{CUP}/steps", {"step": name}, format="json")
    assert answer.status_code == 200, answer.content


def test_a_script_runs_a_tournament(world: World, organiser: APIClient) -> None:
    assert organiser.post("/api/v1/tournaments", SPEC, format="json").status_code == 201
    step(organiser, "open")
    for bot in make_house_bots(4):
        answer = organiser.post(f"{CUP}/entrants", {"player": bot.slug}, format="json")
        assert answer.status_code == 201, answer.content
    ids = [row["id"] for row in organiser.get(f"{CUP}/entrants").json()["results"]]
    assert organiser.put(f"{CUP}/seeding", {"order": ids[::-1]}, format="json").status_code == 200
    for name in ("draw", "start"):
        step(organiser, name)
    tournament = Tournament.objects.get(slug="spring-cup")
    play_on(tournament)
    assert APIClient().get(CUP).json()["state"] == "finished"
    kinds = [event["kind"] for event in APIClient().get(f"{CUP}/events").json()["results"]]
    assert kinds[:2] == ["created", "opened"] and kinds[-1] == "finished"
    later = APIClient().get(f"{CUP}/events?after=2").json()["results"]
    assert later[0]["number"] == 3


def test_a_step_out_of_turn_is_a_conflict(world: World, organiser: APIClient) -> None:
    organiser.post("/api/v1/tournaments", SPEC, format="json")
    answer = organiser.post(f"{CUP}/steps", {"step": "start"}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (409, "wrong_state")


def test_players_enter_and_leave_by_themselves_only(world: World, organiser: APIClient) -> None:
    organiser.post("/api/v1/tournaments", {**SPEC, "entry_kind": "mixed"}, format="json")
    step(organiser, "open")
    person = client_of(world.person, "read", "play")
    wish = {"player": world.player.slug}
    assert person.post(f"{CUP}/entrants", wish, format="json").json()["code"] == "agreement_needed"
    entered = person.post(f"{CUP}/entrants", {**wish, "agrees": True}, format="json")
    assert entered.status_code == 201, entered.content
    foreign = person.post(f"{CUP}/entrants", {"player": world.bots[0].slug}, format="json")
    assert (foreign.status_code, foreign.json()["code"]) == (403, "not_yours")
    address = f"{CUP}/entrants/{entered.json()['id']}"
    assert person.post(f"{address}/disqualification", {"reason": "x"}, format="json").status_code == 403
    assert person.post(f"{address}/withdrawal", {}, format="json").json()["state"] == "withdrawn"


def test_who_may_not_enter_has_agreed_to_nothing(world: World, organiser: APIClient) -> None:
    organiser.post("/api/v1/tournaments", {**SPEC, "entry_kind": "bots"}, format="json")
    step(organiser, "open")
    wish = {"player": world.player.slug, "agrees": True}
    refused = client_of(world.person, "play").post(f"{CUP}/entrants", wish, format="json")
    assert refused.json()["code"] == "wrong_kind"
    world.player.refresh_from_db()
    assert world.player.agreed_at is None


def test_an_organiser_acts_for_others_only_with_the_scope(world: World, organiser: APIClient) -> None:
    organiser.post("/api/v1/tournaments", SPEC, format="json")
    step(organiser, "open")
    answer = client_of(world.organiser, "play").post(f"{CUP}/entrants", {"player": world.bots[0].slug}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (403, "missing_scope")


@pytest.mark.parametrize("path", ["steps", "decisions", "conflicts", "entrants/1/replacement"])
def test_what_is_not_yours_is_not_yours_to_run(world: World, path: str) -> None:
    other = client_of(world.person)
    answer = other.post(f"/api/v1/tournaments/autumn-cup/{path}", {"step": "cancel"}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (403, "not_yours")


def test_a_decision_needs_a_reason_and_a_match_of_the_tournament(world: World, organiser: APIClient) -> None:
    address = "/api/v1/tournaments/autumn-cup/decisions"
    match = Match.objects.filter(fixture_match__stage__tournament=world.tournament).first()
    assert match is not None
    foreign = organiser.post(address, {"match": 10**12, "decision": "void", "reason": "r"}, format="json")
    assert (foreign.status_code, foreign.json()["code"]) == (404, "no_match")
    silent = organiser.post(address, {"match": match.pk, "decision": "void"}, format="json")
    assert (silent.status_code, silent.json()["code"]) == (400, "needs_reason")
    body = {"match": match.pk, "decision": "result", "places": [3, 1, 2], "reason": "protest upheld"}
    assert organiser.post(address, body, format="json").status_code == 200
    match.result.refresh_from_db()
    assert match.result.places == [3, 1, 2]


def test_the_same_key_happens_once(world: World, organiser: APIClient) -> None:
    def post(name: str) -> tuple[int, object, bool]:
        answer = organiser.post("/api/v1/leagues", {"name": name}, format="json", headers={"Idempotency-Key": "k1"})
        return answer.status_code, answer.json(), "Idempotency-Replayed" in answer

    first, second = post("Sunday League"), post("Sunday League")
    assert (first[0], first[2], second[2]) == (201, False, True)
    assert first[:2] == second[:2]
    assert League.objects.count() == 1
    assert post("Monday League")[0] == 422


def test_a_refusal_may_be_tried_again_with_its_key(world: World, organiser: APIClient) -> None:
    headers = {"Idempotency-Key": "k2"}
    assert organiser.post("/api/v1/leagues", {}, format="json", headers=headers).status_code == 400
    assert organiser.post("/api/v1/leagues", {"name": "Late"}, format="json", headers=headers).status_code == 201


@pytest.mark.parametrize("key", ["", "a" * 65, "tab\there"])
def test_a_key_that_is_none(world: World, organiser: APIClient, key: str) -> None:
    answer = organiser.post("/api/v1/leagues", {"name": "L"}, format="json", headers={"Idempotency-Key": key})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_idempotency_key")


@pytest.mark.parametrize(
    ("body", "media", "status", "code"),
    [
        pytest.param(b"{", "application/json", 400, "malformed", id="broken JSON"),
        pytest.param(b"[1]", "application/json", 400, "invalid", id="a list"),
        pytest.param(b"<x/>", "application/xml", 415, "unsupported_media_type", id="XML"),
        pytest.param(b'{"name": "' + b"x" * 81 + b'"}', "application/json", 400, "invalid", id="a long name"),
    ],
)
def test_bad_body(world: World, organiser: APIClient, body: bytes, media: str, status: int, code: str) -> None:
    answer = organiser.post("/api/v1/leagues", body, content_type=media)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_sessions_need_their_csrf_token(world: World) -> None:
    browser = APIClient(enforce_csrf_checks=True)
    browser.force_login(world.organiser)
    assert browser.post("/api/v1/leagues", {"name": "L"}, format="json").status_code == 403


def test_strangers_write_nothing(anyone: APIClient) -> None:
    answer = anyone.post("/api/v1/leagues", {"name": "L"}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (401, "not_authenticated")


def test_a_name_that_is_a_formula_is_harmless_in_a_table(world: World, anyone: APIClient) -> None:
    Player.objects.filter(pk=world.bots[0].pk).update(name='=HYPERLINK("x")', kind=PlayerKind.HOUSE)
    table = anyone.get("/api/v1/tournaments/autumn-cup/results.csv").getvalue().decode()
    assert "'=HYPERLINK" in table and ",=HYPERLINK" not in table


@pytest.mark.parametrize(
    ("name", "media"),
    [
        pytest.param("results.ndjson", "application/x-ndjson", id="results"),
        pytest.param("records.ndjson", "application/x-ndjson", id="records"),
        pytest.param("results.csv", "text/csv; charset=utf-8", id="results as a table"),
        pytest.param("records.csv", "text/csv; charset=utf-8", id="records as a table"),
    ],
)
def test_exports_hold_every_match(world: World, anyone: APIClient, name: str, media: str) -> None:
    answer = anyone.get(f"/api/v1/tournaments/autumn-cup/{name}")
    assert (answer.status_code, answer["Content-Type"]) == (200, media)
    text = answer.getvalue().decode()
    matches = Match.objects.filter(fixture_match__stage__tournament=world.tournament)
    assert matches and all(str(match.pk) in text for match in matches)


def test_an_answer_is_kept_for_a_week(world: World, organiser: APIClient) -> None:
    for name in ("old", "new"):
        wish = {"name": f"{name} league"}
        assert organiser.post("/api/v1/leagues", wish, format="json", HTTP_IDEMPOTENCY_KEY=name).status_code == 201
    KeptAnswer.objects.filter(key="old").update(created_at=timezone.now() - KEPT_FOR - timedelta(seconds=1))
    assert SCHEDULE["forget old answers"][0] == forget_old_answers_task.name
    forget_old_answers_task()
    assert list(KeptAnswer.objects.values_list("key", flat=True)) == ["new"]
