"""People whom an organiser enters agree to be rated against bots before the cards are shown to them."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from games.models import Match, MatchState, Player, RunnerNeed
from games.services.clocks import close_windows
from games.services.play import play_ready_matches
from games.services.players import ensure_person
from tests.api.conftest import client_of
from tests.people import verify_address
from tests.services.tournaments.conftest import make_bots
from tournaments.services.draw import draw_tournament
from tournaments.services.entries import enter_players
from tournaments.services.leagues import create_tournament
from tournaments.services.lifecycle import open_tournament
from tournaments.services.release import start_tournament
from tournaments.services.self_entry import enter_oneself

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.filterwarnings("ignore:task_always_eager has no effect on send_task"),
]
LIVE = {"bank": 300.0, "increment": 5.0, "window": 3600.0}
DAYS = {"each": 172_800.0}
BUTTON = "I agree to be rated against bots"


@pytest.fixture
def ada(client: Client) -> User:
    user = verify_address(User.objects.create_user("ada", "ada@example.org"))
    client.force_login(user)
    return user


def start_event(ada: User, clock: dict[str, float] | None, *, enters_herself: bool = False, **spec: Any) -> Match:
    """One table of three with two bots, to which an organiser takes Ada unless she comes by herself."""
    stage = {"format": "round_robin", "options": {"meetings": 1}, "block_deals": 0}
    organiser = User.objects.create_user("organiser")
    spec = {"name": "Evening", "entry_kind": "mixed", "clock": clock, "stages": [stage], **spec}
    tournament = create_tournament(spec=spec, organiser=organiser)
    open_tournament(tournament_id=tournament.pk)
    tournament.refresh_from_db()
    players = make_bots(2)
    if enters_herself:
        enter_oneself(tournament=tournament, user=ada, agrees=True)
    else:
        players = [*players, ensure_person(ada)]
    enter_players(tournament_id=tournament.pk, players=players, actor=organiser)
    draw_tournament(tournament_id=tournament.pk)
    start_tournament(tournament_id=tournament.pk)
    play_ready_matches(needs=RunnerNeed.HOUSE, is_live=True)
    return Match.objects.get()


@pytest.mark.parametrize("clock", [pytest.param(LIVE, id="live"), pytest.param(DAYS, id="by days")])
def test_no_card_is_shown_and_nothing_decided_before_she_agrees(
    client: Client, ada: User, clock: dict[str, float]
) -> None:
    address = f"/play/{start_event(ada, clock).pk}/"
    page = client.get(address).content.decode()
    assert BUTTON in page and "table-state" not in page
    for refused in (client.get(f"{address}state/"), client.post(f"{address}sit/"), client.post(f"{address}decide/")):
        assert (refused.status_code, refused.json()["code"]) == (409, "agreement_needed")
    agreed = client.post(f"{address}agree/")
    assert (agreed.status_code, agreed.headers["Location"]) == (302, address)
    assert "table-state" in client.get(address).content.decode()
    assert client.post(f"{address}sit/").json()["table"]["state"] == MatchState.WAITING


@pytest.mark.parametrize(
    "event",
    [
        pytest.param({"enters_herself": True}, id="who entered by herself has agreed"),
        pytest.param({"is_rated": False}, id="an unrated event asks nobody"),
    ],
)
def test_who_is_not_asked(client: Client, ada: User, event: dict[str, Any]) -> None:
    match = start_event(ada, DAYS, **event)
    assert BUTTON not in client.get(f"/play/{match.pk}/").content.decode()
    assert client.get(f"/play/{match.pk}/state/").json()["table"]["state"] == MatchState.WAITING


def test_who_does_not_agree_in_time_has_not_come(client: Client, ada: User) -> None:
    match = start_event(ada, LIVE)
    client.post(f"/play/{match.pk}/sit/")
    Match.objects.update(closes_at=timezone.now() - timedelta(seconds=1))
    assert close_windows() == 1
    assert match.failures.get().verdict == "no_show"


def test_an_answer_once_given_holds(client: Client, ada: User) -> None:
    match = start_event(ada, DAYS)
    client.post(f"/play/{match.pk}/agree/")
    first = Player.objects.get(owner=ada).agreed_at
    client.post(f"/play/{match.pk}/agree/")
    assert first is not None and Player.objects.get(owner=ada).agreed_at == first


def test_strangers_agree_to_nothing(client: Client, ada: User) -> None:
    match = start_event(ada, DAYS)
    bob = User.objects.create_user("bob")
    ensure_person(bob)
    client.force_login(bob)
    assert client.post(f"/play/{match.pk}/agree/").headers["Location"] == f"/matches/{match.pk}/"
    assert not Player.objects.filter(agreed_at__isnull=False).exists()


def test_whoever_uses_the_api_says_so_with_the_first_decision(ada: User) -> None:
    match = start_event(ada, DAYS)
    seat = match.seats.get(owner=ada).seat
    person, address = client_of(ada), f"/api/v1/matches/{match.pk}"
    view = person.get(f"{address}/view?seat={seat}").json()
    decision = {"seat": seat, "counter": view["counter"], "action": view["view"]["legal"][0]}
    refused = person.post(f"{address}/decisions", decision, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "agreement_needed")
    agreed = {**decision, "agrees": True}
    program = person.post(f"{address}/decisions", agreed, format="json")
    assert (program.status_code, program.json()["code"]) == (403, "rated_by_hand")
    browser = APIClient()
    browser.force_login(ada)
    assert browser.post(f"{address}/decisions", agreed, format="json").status_code == 200
