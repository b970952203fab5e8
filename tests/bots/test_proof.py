"""Proof of a match on its page: house bots and modules answer as the record says, asked for by those who sat there."""

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from aurum_league.common.presence import SandboxReport, report_sandbox
from bots.models import Bot, BotMode, VersionState
from bots.services.proof import ask_proof, form_proof, read_proof
from bots.services.registration import register_bot
from bots.services.versions import activate_version, add_version
from games.models import Match, MatchKind, MatchSeat
from games.rules.ruleset import Ruleset
from games.services.create import MatchPlan, SeatPlan, create_matches, new_seed
from games.services.players import agent_of
from tests.bots.conftest import MakeBot, house_player
from tests.bots.test_uploaded import play_against_random
from tests.wasm.test_replay import LUCKY

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.filterwarnings("ignore:task_always_eager has no effect on send_task"),
]


@pytest.fixture
def module(author: User, safe_sandbox: None) -> Bot:
    """It plays by chance, and traps now and then: its failures must come out again too."""
    bot = register_bot(owner=author, name="Lucky", mode=BotMode.UPLOADED)
    add_version(bot_id=bot.pk, owner=author, upload=LUCKY)
    bot.versions.update(state=VersionState.QUALIFIED)
    activate_version(bot_id=bot.pk, owner=author, number=1)
    bot.refresh_from_db()
    return bot


def play_in_public(bot: Bot) -> Match:
    """Scrimmages are seen by their own people alone."""
    (match,) = play_against_random(bot)
    Match.objects.filter(pk=match.pk).update(kind=MatchKind.CASUAL)
    return match


@pytest.mark.parametrize("code", ["en3", "de4-golden"])
def test_every_decision_of_the_house_and_of_a_module_comes_out_again(module: Bot, code: str) -> None:
    (match,) = play_against_random(module, code=code)
    form_proof(match_id=match.pk)
    proof = read_proof(match).proof
    assert proof is not None and proof.is_whole and not proof.left_out and not proof.differences
    assert [seat.seat for seat in proof.seats] == list(range(match.players))
    assert all(seat.asked > 10 for seat in proof.seats)


def test_an_upload_in_python_is_left_out_and_a_forged_seat_is_found(make_bot: MakeBot) -> None:
    (match,) = play_against_random(make_bot())
    MatchSeat.objects.filter(match=match, seat=2).update(agent="house:greedy")
    form_proof(match_id=match.pk)
    proof = read_proof(match).proof
    assert proof is not None and proof.left_out == [0] and not proof.is_whole
    assert {found.seat for found in proof.differences} == {2}
    assert proof.seats[0].asked == proof.seats[0].alike > proof.seats[1].alike


def test_an_author_asks_on_the_page_and_sees_what_came_out(module: Bot, author: User, client: Client) -> None:
    match = play_in_public(module)
    page, own = f"/matches/{match.pk}/proof/", f"/matches/{match.pk}/"
    button = f'action="{page}"'
    client.force_login(User.objects.create_user("stranger"))
    assert button not in client.get(own).content.decode()
    assert button not in client.get(page).content.decode()
    refused = client.post(page)
    assert refused.status_code == 403 and "Neither you nor a bot" in refused.content.decode()
    assert not read_proof(match).is_asked
    client.force_login(author)
    assert button in client.get(own).content.decode() and button in client.get(page).content.decode()
    assert client.post(page).status_code == 302
    assert "moves on by itself" in client.get(page, headers={"HX-Request": "true"}).content.decode()
    form_proof(match_id=match.pk)
    shown = client.get(page).content.decode()
    assert "Every decision came out again." in shown and "Lucky" in shown and "hx-get" not in shown


def test_by_a_program(module: Bot, author: User, client: Client) -> None:
    match = play_in_public(module)
    address = f"/api/v1/matches/{match.pk}/proof"
    client.force_login(author)
    assert client.get(address).json() == {"proof": None, "is_asked": False}
    assert client.post(address).json() == {"proof": None, "is_asked": True}
    form_proof(match_id=match.pk)
    told = client.get(address).json()["proof"]
    assert told["left_out"] == [] and all(seat["asked"] == seat["alike"] for seat in told["seats"])
    client.force_login(User.objects.create_user("stranger"))
    assert client.post(address).json()["code"] == "not_seated"


def test_a_sealed_match_is_not_proved(module: Bot, author: User, client: Client) -> None:
    (match,) = play_against_random(module)
    house = SeatPlan(house_player(), agent_of(house_player()))
    seats = (SeatPlan(module.player, agent_of(module.player)), house, house)
    plan = MatchPlan(Ruleset.from_code("en3"), seats, new_seed(), match.deals)
    create_matches(plans=[plan], kind=MatchKind.SCRIMMAGE, is_rated=False)
    client.force_login(author)
    for answer in (client.post(f"/api/v1/matches/{match.pk}/proof"), client.get(f"/api/v1/matches/{match.pk}/proof")):
        assert answer.status_code == 403 and answer.json()["code"] == "match_sealed"
    assert client.post(f"/matches/{match.pk}/proof/").status_code == 403


def test_a_question_that_was_lost_can_be_asked_again(module: Bot, author: User) -> None:
    (match,) = play_against_random(module)
    match = Match.objects.prefetch_related("seats__player").select_related("result").get(pk=match.pk)
    ask_proof(match=match, owner=author)
    cache.clear()
    assert not read_proof(match).is_asked
    report_sandbox(SandboxReport(is_safe=True, reason=""))
    ask_proof(match=match, owner=author)
    assert read_proof(match).is_asked
