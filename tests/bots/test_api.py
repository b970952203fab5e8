"""Bots by a program: an author's way from registering to scrimmages, and what others may see."""

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from bots.models import Bot, BotMode, Scrimmage
from bots.services.qualify import qualify_waiting_versions
from bots.services.registration import house_player, register_bot
from tests.bots.conftest import MakeBot, read_source

pytestmark = pytest.mark.django_db
BOTS = "/api/v1/bots"


@pytest.fixture
def api(author: User) -> APIClient:
    client = APIClient()
    client.force_authenticate(author)
    return client


def test_an_author_registers_uploads_activates_and_scrimmages(api: APIClient, safe_sandbox: None) -> None:
    made = api.post(BOTS, {"name": "Alpha", "mode": "uploaded"})
    assert (made.status_code, made.data["state"]) == (201, "new")
    file = SimpleUploadedFile("main.py", read_source("any_legal"))
    added = api.post(f"{BOTS}/alpha/versions", {"upload": file, "note": "n"}, format="multipart")
    assert (added.status_code, added.data["number"], added.data["state"]) == (201, 1, "new")
    qualify_waiting_versions()
    (version,) = api.get(f"{BOTS}/alpha/versions").data["results"]
    assert version["state"] == "qualified" and len(version["report"]["passed"]) == 4
    assert api.post(f"{BOTS}/alpha/versions/1/activation").data["active_version"] == 1
    house_player("random")
    body = {"ruleset": "de4", "others": ["house-random", "house-random"], "matches": 1}
    asked = api.post(f"{BOTS}/alpha/scrimmages", body)
    assert asked.status_code == 201 and len(asked.data["matches"]) == 2 == Scrimmage.objects.count()
    assert api.post(f"{BOTS}/alpha/retirement").data["state"] == "retired"


def test_the_same_key_registers_once(api: APIClient) -> None:
    for _ in range(2):
        answer = api.post(BOTS, {"name": "Alpha", "mode": "connected"}, headers={"Idempotency-Key": "one"})
        assert answer.status_code == 201
    assert Bot.objects.count() == 1


def test_a_connected_bot_gets_its_token_and_its_matches(api: APIClient, author: User) -> None:
    register_bot(owner=author, name="Remote", mode=BotMode.CONNECTED)
    assert api.post(f"{BOTS}/remote/token").data["token"].startswith("aurbot_")
    assert len(api.post(f"{BOTS}/remote/qualification").data["matches"]) == 2


def test_strangers_see_what_is_public_and_change_nothing(make_bot: MakeBot, author: User) -> None:
    make_bot()
    make_bot("Hidden", until="uploaded")
    stranger = APIClient()
    listed = stranger.get(BOTS).data["results"]
    assert [bot["slug"] for bot in listed] == ["alpha"]
    (version,) = stranger.get(f"{BOTS}/alpha/versions").data["results"]
    assert version["report"] is None and "upload" not in version and "note" not in version
    assert stranger.get(f"{BOTS}/hidden").status_code == 404
    assert stranger.post(f"{BOTS}/alpha/retirement").status_code in (401, 403)
    stranger.force_authenticate(User.objects.create_user("stranger"))
    answer = stranger.post(f"{BOTS}/alpha/retirement")
    assert (answer.status_code, answer.data["code"]) == (404, "bot_unknown")


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        pytest.param("", {"name": "A", "mode": "uploaded"}, 400, "name_length", id="a name too short"),
        pytest.param("", {"name": "Alpha", "mode": "uploaded"}, 409, "name_taken", id="a name that is taken"),
        pytest.param("/alpha/versions/7/activation", {}, 404, "version_unknown", id="no such version"),
        pytest.param("/alpha/versions/1/check", {}, 409, "version_state", id="nothing to check again"),
        pytest.param("/alpha/token", {}, 409, "bot_mode", id="a token for an upload"),
        pytest.param("/alpha/qualification", {}, 409, "bot_mode", id="uploads qualify by themselves"),
        pytest.param(
            "/alpha/scrimmages",
            {"ruleset": "en3", "others": ["nobody", "nobody"], "matches": 1},
            404,
            "player_unknown",
            id="against nobody",
        ),
    ],
)
def test_what_cannot_be_is_refused_with_a_code(
    api: APIClient, make_bot: MakeBot, path: str, body: dict[str, object], status: int, code: str
) -> None:
    make_bot()
    answer = api.post(BOTS + path, body)
    assert (answer.status_code, answer.data["code"]) == (status, code)
