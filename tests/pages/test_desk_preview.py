"""A new tournament in three steps: cards with pictures, a form that says beside it what it will be, a last look."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.pages.desk import read_fields
from tests.people import verify_address
from tournaments.models import Tournament, TournamentState
from tournaments.pictures.presets import PICTURES
from tournaments.rules.forecast import outline_stage
from tournaments.rules.pairing import TableKind
from tournaments.rules.spec import PRESETS, StageSpec

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.filterwarnings("ignore:task_always_eager has no effect on send_task"),
]
NEW = "/desk/tournaments/new/"


@pytest.fixture
def organiser(client: Client) -> User:
    user = verify_address(User.objects.create_user("somebody"))
    client.force_login(user)
    return user


def fill(client: Client, preset: str, **typed: str) -> dict[str, str | list[str]]:
    return read_fields(client.get(f"{NEW}?preset={preset}").content.decode()) | {"name": "Club", **typed}


def read_facts(page: str) -> dict[str, str]:
    return dict(re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", page))


def test_every_preset_has_a_picture(client: Client, organiser: User) -> None:
    assert PICTURES.keys() == PRESETS.keys()
    assert client.get(NEW).content.decode().count('<svg class="preset"') == len(PRESETS)


@pytest.mark.parametrize(
    ("kind", "stage", "entrants", "meetings", "rests"),
    [
        pytest.param("solo3", StageSpec("round_robin", options={"meetings": 2}), 7, (2, 2), (1, 1), id="seven, twice"),
        pytest.param("solo3", StageSpec("round_robin", options={"meetings": 1}), 9, (1, 1), (0, 0), id="nine, once"),
        pytest.param("teams4", StageSpec("round_robin", options={"laps": 2}), 4, (2, 2), (0, 0), id="home and return"),
    ],
)
def test_what_is_told_of_a_schedule_is_counted_from_it(
    kind: str, stage: StageSpec, entrants: int, meetings: tuple[int, int], rests: tuple[int, int]
) -> None:
    told = outline_stage(TableKind(kind), stage, entrants)
    assert (told.meetings, told.rests) == (meetings, rests)


def test_a_ladder_has_no_length() -> None:
    assert outline_stage(TableKind.SOLO3, StageSpec("ladder"), 9).matchdays is None


def test_the_preview_follows_the_form(client: Client, organiser: User) -> None:
    sent = fill(client, "whist_evening", entry_kind="people")
    page = client.post(f"{NEW}?preset=whist_evening", sent | {"preview": "1", "expected": "8"}).content.decode()
    assert read_facts(page)["Matchdays"] == "7 matchdays"
    assert read_facts(page)["Who meets how often"] == "partners: 1"
    few = client.post(f"{NEW}?preset=whist_evening", sent | {"preview": "1", "expected": "3"}).content.decode()
    assert "3 entrants do not fill one table" in few
    unread = client.post(f"{NEW}?preset=whist_evening", sent | {"preview": "1", "capacity": "many"}).content.decode()
    assert "as soon as every field can be read" in unread
    assert not Tournament.objects.exists()


def test_the_preview_needs_no_name(client: Client, organiser: User) -> None:
    """How long it takes does not hang on how it is called; the last look and the draft want a name all the same."""
    sent = fill(client, "whist_evening", name=" ", entry_kind="people")
    page = client.post(f"{NEW}?preset=whist_evening", sent | {"preview": "1", "expected": "8"}).content.decode()
    assert read_facts(page)["Matchdays"] == "7 matchdays"
    for button in ("look", "open"):
        assert client.post(f"{NEW}?preset=whist_evening", sent | {button: "1"}).status_code == 422
    assert not Tournament.objects.exists()


def test_the_last_look_keeps_what_was_typed_and_makes_it(client: Client, organiser: User) -> None:
    sent = fill(client, "whist_evening", description="**Bring** <snacks>", entry_kind="people")
    page = client.post(f"{NEW}?preset=whist_evening", sent | {"look": "1", "expected": "8"}).content.decode()
    assert "<strong>Bring</strong> &lt;snacks&gt;" in page
    assert not Tournament.objects.exists()
    hidden = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', page)
    kept = {name: value.replace("&lt;", "<").replace("&gt;", ">") for name, value in hidden}
    assert kept["description"] == sent["description"]
    client.post(f"{NEW}?preset=whist_evening", kept | {"open": "1"})
    made = Tournament.objects.get()
    assert (made.state, made.description) == (TournamentState.OPEN, "**Bring** <snacks>")


def test_what_cannot_be_made_comes_back_with_what_was_typed(client: Client, organiser: User) -> None:
    sent = fill(client, "whist_evening", description="kept", capacity="many")
    page = client.post(f"{NEW}?preset=whist_evening", sent | {"look": "1"})
    assert page.status_code == 422
    assert "kept" in page.content.decode()
