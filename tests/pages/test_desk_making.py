"""Making events at the desk: presets, the form and its mistakes, leagues, and what a newcomer may."""

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from tests.pages.desk import DESK, read_fields, sign_in
from tests.pages.events import make_tournament, read_page
from tests.people import verify_address
from tournaments.models import League, Tournament
from tournaments.services.leagues import SHOWN_PRESETS

pytestmark = pytest.mark.django_db


@pytest.fixture
def organiser(client: Client) -> User:
    user = User.objects.create_user("agnes")
    user.groups.add(Group.objects.get_or_create(name="organiser")[0])
    client.force_login(user)
    return user


@pytest.mark.parametrize("preset", SHOWN_PRESETS)
def test_every_preset_becomes_a_draft_that_says_the_same(client: Client, organiser: User, preset: str) -> None:
    address = f"/desk/tournaments/new/?preset={preset}"
    sent = read_fields(read_page(client, address))
    answer = client.post(address, {**sent, "name": "Autumn Cup"})
    assert answer["Location"] == "/desk/tournaments/autumn-cup/"
    made, spec = Tournament.objects.get(), SHOWN_PRESETS[preset].spec
    assert made.ruleset == spec.get("ruleset", "en3")
    assert (made.is_rated, made.needs_check_in) == (True, spec.get("needs_check_in", False))
    for stage, wanted in zip(made.stages.order_by("number"), spec["stages"], strict=True):
        assert (stage.format, stage.groups, stage.cut) == (
            wanted["format"],
            wanted.get("groups", 0),
            wanted.get("cut"),
        )
        assert wanted.get("options", {}).items() <= stage.options.items()
        assert stage.block_deals == wanted.get("block_deals", 0)


def test_a_draft_is_edited_by_the_same_form(client: Client) -> None:
    tournament = make_tournament("draft", is_rated=False, capacity=12)
    sign_in(client, tournament)
    sent = read_fields(read_page(client, f"{DESK}edit/"))
    assert sent["stage-1-matchdays"] == "2"
    client.post(f"{DESK}edit/", {**sent, "name": "Winter Cup", "stage-1-format": "swiss"})
    tournament.refresh_from_db()
    assert (tournament.name, tournament.stages.get().format) == ("Winter Cup", "swiss")


def test_a_choice_shows_its_options_and_keeps_what_was_typed(client: Client, organiser: User) -> None:
    address = "/desk/tournaments/new/?preset=bot_league"
    sent = {"redraw": "1", "name": "Half typed", "stages": "2", "stage-1-format": "knockout"}
    page = client.post(address, sent).content.decode()
    assert 'value="Half typed"' in page
    assert 'name="stage-1-is_double"' in page
    assert 'name="stage-1-meetings"' not in page
    assert 'name="stage-1-cut"' in page and 'name="stage-2-format"' in page
    assert "errorlist" not in page
    assert not Tournament.objects.exists()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        pytest.param({"name": ""}, "This field is required", id="no name"),
        pytest.param({"stage-1-points": "two, one"}, "Write numbers with commas", id="points in words"),
        pytest.param({"stage-1-points": "1, 0"}, "need 3 points by place", id="points for two at a table of three"),
        pytest.param({"stage-1-block_deals": "-1"}, "greater than or equal to 0", id="fewer than no deals"),
        pytest.param({"stage-1-format": "chess"}, "Select a valid choice", id="no such format"),
        pytest.param({"stage-1-format": "league_season"}, "divisions", id="neither groups nor divisions"),
        pytest.param({"stages": "2", "stage-2-format": "swiss"}, "This field is required", id="no cut"),
    ],
)
def test_a_mistake_is_said_in_place(client: Client, organiser: User, changes: dict[str, str], sentence: str) -> None:
    address = "/desk/tournaments/new/?preset=bot_league"
    sent = read_fields(read_page(client, address)) | {"name": "Autumn Cup"} | changes
    answer = client.post(address, sent)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not Tournament.objects.exists()


def test_a_league_gets_its_season(client: Client, organiser: User) -> None:
    client.post("/desk/leagues/new/", {"name": "City League", "description": "<b>bold</b>"})
    assert League.objects.get().organiser == organiser
    address = "/desk/tournaments/new/?preset=bot_league"
    sent = read_fields(read_page(client, address))
    client.post(address, {**sent, "name": "First Season", "league": "city-league"})
    assert Tournament.objects.get().season == 1


def test_a_newcomer_runs_a_small_unrated_event(client: Client) -> None:
    newcomer = verify_address(User.objects.create_user("newcomer"))
    client.force_login(newcomer)
    assert "Everybody may run unrated tournaments" in read_page(client, "/desk/")
    address = "/desk/tournaments/new/?preset=bot_league"
    sent = read_fields(read_page(client, address))
    assert "is_rated" not in sent
    client.post(address, {**sent, "name": "My Cup"})
    made = Tournament.objects.get()
    assert (made.organiser, made.is_rated, made.capacity) == (newcomer, False, 24)


@pytest.mark.parametrize(
    ("preset", "changes"),
    [
        pytest.param("bot_league", {"capacity": "25"}, id="too many entrants"),
        pytest.param("bot_league", {"capacity": ""}, id="no limit"),
        pytest.param("bot_league", {"stage-1-laps": "5"}, id="too many laps"),
        pytest.param("bot_league", {"stage-1-block_deals": "13"}, id="too long blocks"),
        pytest.param("ladder", {}, id="without end"),
    ],
)
def test_a_newcomer_runs_nothing_large(client: Client, preset: str, changes: dict[str, str]) -> None:
    client.force_login(verify_address(User.objects.create_user("newcomer")))
    address = f"/desk/tournaments/new/?preset={preset}"
    sent = read_fields(read_page(client, address)) | {"name": "My Cup"} | changes
    assert client.post(address, sent).status_code == 422
    assert not Tournament.objects.exists()


def test_a_newcomer_cannot_rate_by_adding_a_field(client: Client) -> None:
    client.force_login(verify_address(User.objects.create_user("newcomer")))
    address = "/desk/tournaments/new/?preset=bot_league"
    client.post(address, {**read_fields(read_page(client, address)), "name": "My Cup", "is_rated": "on"})
    assert not Tournament.objects.get().is_rated


def test_a_newcomer_runs_few_at_a_time_and_no_league(client: Client) -> None:
    client.force_login(verify_address(User.objects.create_user("newcomer")))
    address = "/desk/tournaments/new/?preset=bot_league"
    sent = read_fields(read_page(client, address)) | {"name": "My Cup"}
    statuses = [client.post(address, sent).status_code for _ in range(4)]
    assert statuses == [302, 302, 302, 422]
    assert client.post("/desk/leagues/new/", {"name": "Mine"}).status_code == 422
    assert not League.objects.exists()


def test_an_event_of_ones_own_needs_a_confirmed_address(client: Client) -> None:
    client.force_login(User.objects.create_user("newcomer"))
    address = "/desk/tournaments/new/?preset=bot_league"
    sent = {**read_fields(read_page(client, address)), "name": "Mine"}
    answer = client.post(address, sent)
    assert answer.status_code == 422
    assert "e-mail address that is confirmed" in answer.content.decode()
    assert not Tournament.objects.exists()
    verify_address(User.objects.get(username="newcomer"))
    assert client.post(address, sent).status_code == 302
