"""All data about oneself as one file, and closing an account: results stay under a neutral name, the rest goes."""

import json

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from aurum_league.accounts.access import create_token
from aurum_league.accounts.traces import note_traces
from aurum_league.common.errors import LeagueError
from aurum_league.models import Notice, Trace
from bots.models import BotMode, BotState
from bots.services.registration import register_bot
from games.models import MatchSeat, Player, PlayerKind, RunnerNeed, TableWord
from games.selectors.sitters import Sitter
from games.services.lobby import TableWish, play_now
from games.services.play import play_ready_matches
from tests.pages.test_fair_play import as_
from tests.services.tournaments.test_fair_play import Club, refusal
from tournaments.models import EntrantState, Rating, RatingChange, Report, Team
from tournaments.rules.cases import DeedKind
from tournaments.selectors.own_data import NOT_TAKEN_OUT, OWN, read_own_data
from tournaments.services.closing import GONE, KEPT, close_account
from tournaments.services.entries import enter_player
from tournaments.services.leagues import create_league, create_tournament
from tournaments.services.lifecycle import open_tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(db: None) -> Club:
    return Club()


def points_to_people(model: type[Model]) -> bool:
    related = {field.related_model for field in model._meta.get_fields() if not field.auto_created}
    return bool(related & {User, Player})


def test_no_table_that_knows_people_is_forgotten() -> None:
    known = {model._meta.label for model in apps.get_models() if points_to_people(model)}
    assert known - {*OWN, *NOT_TAKEN_OUT} == set(), "say in selectors/own_data.py what becomes of these"
    named = {label if "." in label else f"aurum_league.{label}" for label in (*GONE, *KEPT)}
    assert known - named == set(), "say in services/closing.py whether these go with an account"


def test_the_file_holds_what_is_stored_and_nothing_that_opens_something(club: Club) -> None:
    ann, match = club.people["ann"], club.play("ann", "bob", "cyd")
    club.report("ann", "cyd", match)
    club.act(club.report("bob", "ann"), DeedKind.WARN, "ann", reason="Too slow.")
    ann.set_password("a-long-pass-word")
    ann.save()
    _token, text = create_token(user=ann, name="mine", scopes=["read"])
    note_traces(user_id=ann.pk, device="laptop", address="192.0.2.1")
    answer = as_(ann).get(reverse("own_data_file"))
    sent = b"".join(answer.streaming_content).decode()  # type: ignore[attr-defined]
    rows = [json.loads(line) for line in sent.splitlines()]
    tables = {row["table"] for row in rows}
    assert {"auth.User", "games.Player", "games.MatchSeat", "tournaments.RatingChange", "tournaments.Report"} <= tables
    assert {"tournaments.Deed", "aurum_league.Notice", "aurum_league.Trace", "account.EmailAddress"} <= tables
    assert "Too slow." in sent and "Lost on purpose." in sent
    assert f'"actor_id":{club.mods["mod"].pk}' not in sent, "nor who decided"
    for secret in (text, ann.password, "bob"):
        assert secret not in sent
    assert "attachment" in answer.headers["Content-Disposition"]


def test_a_closed_account_leaves_results_under_a_neutral_name(club: Club) -> None:
    ann, match = club.people["ann"], club.play("ann", "bob", "cyd")
    ann.email, ann.first_name = "ann@example.org", "Ann"
    ann.set_password("a-long-pass-word")
    ann.save()
    TableWord.objects.create(match=match, seat=0, phrase="hello")
    TableWord.objects.create(match=match, seat=1, phrase="hello")
    club.report("ann", "cyd", match)
    note_traces(user_id=ann.pk, device="laptop", address="192.0.2.1")
    before = list(Rating.objects.order_by("pk").values_list("player_id", "mu"))
    client = as_(ann)
    assert client.post(reverse("close_account"), {"proof": "wrong"}).status_code == 302
    assert User.objects.get(pk=ann.pk).is_active
    client.post(reverse("close_account"), {"proof": "a-long-pass-word"})
    ann.refresh_from_db()
    player = Player.objects.get(owner=ann)
    assert (ann.username, ann.email, ann.first_name, ann.is_active) == (f"(closed {ann.pk})", "", "", False)
    assert (player.name, player.slug) == (f"Former player {player.pk}", f"former-{player.pk}")
    assert not ann.has_usable_password() and not Notice.objects.filter(user=ann) and not Trace.objects.exists()
    assert list(TableWord.objects.values_list("seat", flat=True)) == [1]
    assert Report.objects.get().reporter is None, "what was reported is looked at all the same"
    assert list(Rating.objects.order_by("pk").values_list("player_id", "mu")) == before
    assert MatchSeat.objects.filter(owner=ann).exists() and RatingChange.objects.filter(player=player).exists()
    shown = Client().get(reverse("player", args=[player.slug])).content.decode()
    assert "Former player" in shown and ">ann<" not in shown
    assert client.get(reverse("profile")).status_code == 302, "and signed out"
    left = json.dumps(list(read_own_data(ann)), default=str)
    assert "ann@" not in left and '"ann"' not in left


def test_nobody_gets_out_of_a_begun_match_by_it(club: Club) -> None:
    ann = club.people["ann"]
    play_now(sitter=Sitter(user_id=ann.pk), wish=TableWish("en3", "greedy"))
    play_ready_matches(needs=RunnerNeed.HOUSE)
    assert refusal(lambda: close_account(user=ann)) == "plays_still"
    assert User.objects.get(pk=ann.pk).is_active


@pytest.mark.parametrize("watched", [False, True], ids=["nobody asks", "a moderator looks at them"])
def test_nobody_sheds_a_case_by_a_new_account(club: Club, watched: bool) -> None:
    note_traces(user_id=club.people["ann"].pk, device="laptop", address="192.0.2.1")
    if watched:
        club.report("bob", "ann")
    close_account(user=club.people["ann"])
    assert Trace.objects.exists() is watched, "they go by themselves, with the key of their month"


def test_teams_and_bots_go_with_the_account(club: Club) -> None:
    ann, bob = club.people["ann"], club.players["bob"]
    bot = register_bot(owner=ann, name="Annbot", mode=BotMode.CONNECTED)
    player = Player.objects.create(kind=PlayerKind.TEAM, name="Twins", slug="twins", owner=bob.owner)
    Team.objects.create(player=player, first=bob, second=club.players["ann"], created_by=club.people["bob"])
    event = create_tournament(
        spec={"name": "Cup", "entry_kind": "people", "ruleset": "en4", "table_kind": "teams4",
              "stages": [{"format": "swiss"}], "is_rated": False},
        organiser=club.mods["mod"],
    )
    open_tournament(tournament_id=event.pk)
    enter_player(tournament_id=event.pk, player=player)
    close_account(user=ann)
    bot.refresh_from_db()
    assert bot.state == BotState.RETIRED and bot.player.name == f"Former bot {bot.player_id}"
    assert event.entrants.get().state == EntrantState.WITHDRAWN, "a team of one plays nothing"
    player.refresh_from_db()
    assert player.name == "Twins", "but the other one's name for it stays"


def test_no_league_loses_its_organiser_by_it(club: Club) -> None:
    create_league(name="Club", organiser=club.people["ann"])
    with pytest.raises(LeagueError) as error:
        close_account(user=club.people["ann"])
    assert error.value.code == "organises_still"


def test_a_new_account_has_a_page_before_its_first_match(client: Client) -> None:
    sent = {"username": "newcomer", "email": "n@example.org", "password1": "a-long-pass-word-9"}
    client.post(reverse("account_signup"), {**sent, "password2": sent["password1"]})
    assert client.get("/players/newcomer/").status_code == 200
    user = User.objects.get(username="newcomer")
    profile = as_(user).get(reverse("profile")).content.decode()
    assert reverse("own_page") in profile
    assert as_(user).get(reverse("own_page")).headers["Location"] == "/players/newcomer/"
