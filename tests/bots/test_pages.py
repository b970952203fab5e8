"""Pages of bots: an author's whole way by forms, who may see what, and few queries."""

import re

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from bots.models import Bot, BotMode, BotState, BotVersion, Scrimmage, VersionState
from bots.services.qualify import qualify_waiting_versions
from bots.services.registration import house_player, register_bot
from games.models import RunnerNeed, SeatFailure
from games.services.play import play_ready_matches
from tests.bots.conftest import MakeBot, read_source

pytestmark = pytest.mark.django_db
DASHBOARD = "/bots/alpha/dashboard/"


@pytest.fixture
def signed_in(client: Client, author: User) -> Client:
    client.force_login(author)
    return client


def upload(signed_in: Client, source: bytes) -> int:
    file = SimpleUploadedFile("bot.py", source)
    return signed_in.post("/bots/alpha/versions/", {"upload": file, "note": "first"}).status_code


def ask(signed_in: Client, **changes: object) -> tuple[int, str]:
    house = house_player("random").pk
    form = {"players": 3, "edition": "en", "first": house, "second": house, "count": 4, **changes}
    answer = signed_in.post("/bots/alpha/scrimmages/", form)
    return answer.status_code, answer.content.decode()


def test_an_author_registers_uploads_and_plays_by_forms(signed_in: Client, safe_sandbox: None) -> None:
    answer = signed_in.post("/bots/new/", {"name": "Alpha", "mode": "uploaded", "description": "<b>first</b>"})
    assert answer.headers["Location"] == DASHBOARD
    assert upload(signed_in, read_source("any_legal")) == 302
    assert "Waits to be checked" in signed_in.get(DASHBOARD).content.decode()
    qualify_waiting_versions()
    assert "plays now" in signed_in.get(DASHBOARD).content.decode()
    assert ask(signed_in)[0] == 302
    assert Scrimmage.objects.count() == 6, "two whole deals, each from every seat"
    play_ready_matches(needs=RunnerNeed.SANDBOX)
    page = signed_in.get(DASHBOARD).content.decode()
    assert re.search(r"\d+ % <small class=\"soft\">\d+ to \d+ %", page) and re.search(r" ms\s*</td>", page)
    public = signed_in.get("/bots/alpha/").content.decode()
    assert "&lt;b&gt;first&lt;/b&gt;" in public and "6 matches" in public
    assert signed_in.post("/bots/alpha/settings/", {"description": "calm"}).status_code == 302
    assert not Bot.objects.get().allows_scrimmages
    assert signed_in.post("/bots/alpha/retirement/").status_code == 302
    assert Bot.objects.get().state == BotState.RETIRED
    assert "Add a version" not in signed_in.get(DASHBOARD).content.decode()


def test_the_exact_exchange_is_for_the_author_alone(signed_in: Client, make_bot: MakeBot) -> None:
    make_bot(source="always_illegal")
    assert ask(signed_in, matches=1)[0] == 302
    play_ready_matches(needs=RunnerNeed.SANDBOX)
    failure = SeatFailure.objects.order_by("pk").first()
    assert failure is not None
    address = f"/bots/alpha/failures/{failure.pk}/"
    page = signed_in.get(address).content.decode()
    assert "&quot;play G9&quot;" in page and "thinking hard" in page and "&quot;type&quot;:&quot;decide&quot;" in page
    assert "paused" in signed_in.get(DASHBOARD).content.decode()
    signed_in.force_login(User.objects.create_user("stranger"))
    for private in (address, DASHBOARD, "/bots/alpha/matches/", "/bots/alpha/failures/"):
        assert signed_in.get(private).status_code == 404
    for deed in ("versions", "settings", "scrimmages", "qualification", "token", "retirement"):
        assert signed_in.post(f"/bots/alpha/{deed}/").status_code == 404
    signed_in.logout()
    assert signed_in.get(DASHBOARD).headers["Location"].startswith("/accounts/login/")


def test_failures_on_deals_still_in_play_stay_sealed(signed_in: Client, make_bot: MakeBot) -> None:
    make_bot(source="always_illegal")
    ask(signed_in, matches=3)
    play_ready_matches(needs=RunnerNeed.SANDBOX)
    failure = SeatFailure.objects.order_by("pk").first()
    assert failure is not None
    other = Scrimmage.objects.exclude(match=failure.match_id).first()
    assert other is not None
    other.match.state = "ready"
    other.match.save(update_fields=("state",))
    assert signed_in.get(f"/bots/alpha/failures/{failure.pk}/").status_code == 404


def test_a_bot_that_never_qualified_is_its_authors_business(signed_in: Client, make_bot: MakeBot) -> None:
    make_bot(until="uploaded")
    assert signed_in.get("/bots/alpha/").status_code == 200
    signed_in.logout()
    assert signed_in.get("/bots/alpha/").status_code == 404
    assert "Alpha" not in signed_in.get("/bots/").content.decode()


def test_a_token_is_shown_once(signed_in: Client, author: User) -> None:
    register_bot(owner=author, name="Remote", mode=BotMode.CONNECTED)
    answer = signed_in.post("/bots/remote/token/")
    assert re.search(r"aurbot_[\w-]{43}", answer.content.decode()) and answer.headers["Cache-Control"] == "no-store"
    assert "The bot has a token" in answer.content.decode(), "and may qualify at once"
    assert "aurbot_" not in signed_in.get("/bots/remote/dashboard/").content.decode()
    assert signed_in.post("/bots/remote/qualification/").status_code == 302
    assert BotVersion.objects.get().state == VersionState.CHECKING


def test_a_retired_bot_does_not_qualify(signed_in: Client, author: User) -> None:
    register_bot(owner=author, name="Remote", mode=BotMode.CONNECTED)
    signed_in.post("/bots/remote/retirement/")
    signed_in.post("/bots/remote/qualification/")
    assert BotVersion.objects.get().state == VersionState.NEW


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        pytest.param(b"", "empty or no text", id="an empty file"),
        pytest.param(b"PK\x03\x04 nonsense", "not a plain zip", id="a broken zip"),
        pytest.param(b"\xff\xfe", "not UTF-8", id="not text"),
    ],
)
def test_an_upload_that_is_refused_says_why(signed_in: Client, make_bot: MakeBot, source: bytes, sentence: str) -> None:
    make_bot(until="uploaded")
    answer = signed_in.post("/bots/alpha/versions/", {"upload": SimpleUploadedFile("bot.py", source)})
    assert answer.status_code == 422 and sentence in answer.content.decode()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        pytest.param({"count": 999}, "less than or equal to 60", id="too many"),
        pytest.param({"players": 7}, "not one of the available choices", id="no such table"),
        pytest.param({"first": 10**9}, "not one of the available choices", id="nobody"),
    ],
)
def test_a_scrimmage_that_cannot_be_is_refused(
    signed_in: Client, make_bot: MakeBot, changes: dict[str, object], sentence: str
) -> None:
    make_bot()
    status, page = ask(signed_in, **changes)
    assert status == 422 and sentence in page
    assert not Scrimmage.objects.exists()


@pytest.mark.parametrize("state", [BotState.PAUSED, BotState.RETIRED])
def test_a_bot_that_does_not_play_asks_for_no_scrimmages(signed_in: Client, make_bot: MakeBot, state: BotState) -> None:
    bot = make_bot()
    Bot.objects.filter(pk=bot.pk).update(state=state)
    assert "Ask for scrimmages" not in signed_in.get(DASHBOARD).content.decode()
    assert ask(signed_in)[0] == 422 and not Scrimmage.objects.exists()


def test_who_allows_no_scrimmages_is_asked_for_none(signed_in: Client, make_bot: MakeBot) -> None:
    make_bot()
    shy = make_bot("Shy", owner=User.objects.create_user("other"))
    assert ask(signed_in, first=shy.player_id)[0] == 302
    Bot.objects.filter(pk=shy.pk).update(allows_scrimmages=False)
    assert ask(signed_in, first=shy.player_id)[0] == 422


def test_the_scrimmages_of_a_day_are_counted(signed_in: Client, make_bot: MakeBot) -> None:
    make_bot()
    for _ in range(3):
        assert ask(signed_in, count=60)[0] == 302
    status, page = ask(signed_in, count=60)
    assert status == 422 and "You have 20 left" in page


@pytest.mark.parametrize(
    ("path", "queries"),
    [
        pytest.param("/bots/", 8, id="list"),
        pytest.param(DASHBOARD, 17, id="dashboard"),
        pytest.param("/bots/alpha/", 7, id="bot"),
        pytest.param("/bots/alpha/matches/?page=zzz", 6, id="matches"),
    ],
)
def test_a_page_asks_the_database_little(
    signed_in: Client, make_bot: MakeBot, django_assert_max_num_queries: object, path: str, queries: int
) -> None:
    make_bot()
    make_bot("Beta")
    ask(signed_in)
    with django_assert_max_num_queries(queries):  # type: ignore[operator]
        assert signed_in.get(path).status_code == 200
