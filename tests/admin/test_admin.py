"""The admin: every model, in few queries, nothing hidden in it, and actions that ask, then use the services."""

import re
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import Match, MatchResult, MatchState
from tests.pages.events import (
    HOSTILE,
    count_queries,
    make_league,
    make_players,
    make_tournament,
    play_to_the_end,
    read_page,
)
from tournaments.models import (
    Conflict,
    Entrant,
    EntrantState,
    FixtureMatch,
    League,
    Tournament,
    TournamentEvent,
    TournamentState,
)
from tournaments.services.decisions import rerun_matches
from tournaments.services.field import keep_apart

pytestmark = pytest.mark.django_db

APPS = ("aurum_league", "games", "bots", "tournaments")
BOOKKEEPING = {"turnnotice", "meetingtime", "preference", "pushsubscription", "seeker", "session", "block"}
BOOKKEEPING |= {"case", "report", "deed", "appeal", "trace", "tracekey", "sleeper", "puzzle", "puzzleanswer"}
"""What the service notes for itself, with nothing in it to look at, or what is nobody else's business: cases of fair
play are for moderators alone, and staff are none by being staff."""
MOST_QUERIES = 12
HIDDEN = {
    *(("match", "seed"), ("match", "log"), ("matchresult", "log"), ("tournament", "seed")),
    *(("seatfailure", "asked"), ("seatfailure", "answered"), ("seatfailure", "stderr"), ("botmessage", "body")),
    *(("lobby", "secret"), ("tournament", "secret")),
    *(("lobby", "invitation"), ("botversion", "upload"), ("bot", "token_digest"), ("keptanswer", "body")),
}


def list_models() -> list[type[Model]]:
    return [model for app in APPS for model in apps.get_app_config(app).get_models()]


def is_ours(model: type[Model]) -> bool:
    return model._meta.app_label in (*APPS, "auth")


def list_address(model: type[Model]) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


@pytest.fixture
def staff(client: Client) -> User:
    user = User.objects.create_superuser("warden")
    client.force_login(user)
    return user


def choose(client: Client, model: type[Model], action: str, rows: list[Any], **sent: str) -> Any:
    chosen = {"action": action, "_selected_action": [row.pk for row in rows], **sent}
    return client.post(list_address(model), chosen, follow=True)


def test_every_model_has_its_place() -> None:
    inline = {one.model for place in admin.site._registry.values() for one in place.inlines}
    missing = {model._meta.model_name for model in list_models() if model not in {*admin.site._registry, *inline}}
    assert missing - BOOKKEEPING == set()


def test_every_list_can_be_searched_and_filtered() -> None:
    places = {model._meta.model_name: place for model, place in admin.site._registry.items() if is_ours(model)}
    assert [name for name, place in places.items() if not place.search_fields] == []
    assert {name for name, place in places.items() if not place.list_filter} == {"heartbeat", "group"}


def test_lists_and_pages_answer_in_few_queries_and_read_nothing_hidden(client: Client, staff: User) -> None:
    tournament = make_tournament("playing", players=make_players(6, HOSTILE))
    same = [entrant.player for entrant in tournament.entrants.select_related("player")]
    other = make_tournament("finished", name="Other Cup", players=same)
    played = list(Match.objects.filter(fixture_match__stage__tournament=other).values_list("id", flat=True)[:2])
    rerun_matches(tournament_id=other.id, match_ids=played, reason="look again")
    hidden = [f'_{table}"."{column}"' for table, column in HIDDEN]
    slow = {}
    for model, place in admin.site._registry.items():
        if not is_ours(model):
            continue
        address = list_address(model)
        with CaptureQueriesContext(connection) as seen:
            page = read_page(client, f"{address}?q=1")
            key = model._default_manager.order_by("pk").values_list("pk", flat=True).last()
            if key is not None and place.list_display_links is not None:
                detail = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_change", args=[key])
                page += read_page(client, detail)
        leaks = [query["sql"] for query in seen if any(column in query["sql"] for column in hidden)]
        assert (model, leaks) == (model, [])
        assert "<b>Bot" not in page
        if (queries := count_queries(client, address)) > MOST_QUERIES:
            slow[model._meta.label] = queries
    assert slow == {}


@pytest.mark.parametrize("model", [Match, MatchResult, Tournament, TournamentEvent, Entrant, FixtureMatch])
def test_nothing_can_be_changed_past_the_services(client: Client, staff: User, model: type[Model]) -> None:
    make_tournament("finished")
    row = model._default_manager.order_by("pk").last()
    assert row is not None
    sent = {"state": "draft", "places": "1,1,1", "reason": "mine", "post": "yes"}
    for name in ("change", "delete"):
        address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{name}", args=[row.pk])
        assert client.post(address, sent).status_code == 403
    assert client.post(f"{list_address(model)}add/", sent).status_code == 403
    assert model._default_manager.filter(pk=row.pk).exists()


def test_the_admin_is_for_staff(client: Client) -> None:
    tournament = make_tournament("playing")
    client.force_login(tournament.organiser)
    for model in (Tournament, Match):
        assert client.get(list_address(model)).status_code == 302


def test_an_action_asks_before_it_is_done(client: Client, staff: User) -> None:
    tournament = make_tournament("playing")
    asked = choose(client, Tournament, "cancel_tournaments", [tournament]).content.decode()
    assert "For good" in asked and "Test Cup" in asked
    blank = choose(client, Tournament, "cancel_tournaments", [tournament], confirmed="yes", reason=" ")
    assert "Say why" in blank.content.decode()
    tournament.refresh_from_db()
    assert tournament.state == TournamentState.PLAYING
    choose(client, Tournament, "cancel_tournaments", [tournament], confirmed="yes", reason="no hall")
    tournament.refresh_from_db()
    event = tournament.events.latest("number")
    assert (tournament.state, event.actor, event.reason) == (TournamentState.CANCELLED, staff, "no hall")


def test_an_action_at_the_wrong_time_says_why_and_does_the_others(client: Client, staff: User) -> None:
    draft, over = make_tournament("draft"), make_tournament("finished", name="Other Cup", players=make_players(6))
    page = choose(client, Tournament, "open_tournaments", [draft, over], confirmed="yes").content.decode()
    assert "Other Cup: A tournament that is finished does not allow this" in page
    assert "Done for 1 row" in page
    draft.refresh_from_db()
    assert draft.state == TournamentState.OPEN


def test_who_may_only_look_is_offered_no_action(client: Client) -> None:
    tournament = make_tournament("playing")
    looker = User.objects.create_user("looker", is_staff=True)
    looker.user_permissions.add(Permission.objects.get(codename="view_tournament"))
    client.force_login(looker)
    assert "cancel_tournaments" not in read_page(client, list_address(Tournament))
    choose(client, Tournament, "cancel_tournaments", [tournament], confirmed="yes", reason="mine")
    tournament.refresh_from_db()
    assert tournament.state == TournamentState.PLAYING


def test_a_tournament_shows_progress_and_entrants(client: Client, staff: User) -> None:
    tournament = make_tournament("playing")
    total = FixtureMatch.objects.filter(stage__tournament=tournament).count()
    assert f"0 / {total}" in read_page(client, list_address(Tournament))
    play_to_the_end(tournament)
    total = FixtureMatch.objects.filter(stage__tournament=tournament).count()
    assert f"{total} / {total}" in read_page(client, list_address(Tournament))
    page = read_page(client, reverse("admin:tournaments_tournament_change", args=[tournament.pk]))
    assert all(entrant.player.name in page for entrant in tournament.entrants.select_related("player"))


@pytest.mark.parametrize(
    ("action", "state"),
    [
        pytest.param("check_in", EntrantState.CHECKED_IN, id="check in"),
        pytest.param("withdraw", EntrantState.WITHDRAWN, id="withdraw"),
        pytest.param("disqualify", EntrantState.DISQUALIFIED, id="disqualify"),
    ],
)
def test_entrants_by_the_list(client: Client, staff: User, action: str, state: EntrantState) -> None:
    entrants = list(make_tournament("open").entrants.all()[:2])
    choose(client, Entrant, action, entrants, confirmed="yes", reason="because")
    assert set(Entrant.objects.filter(pk__in=[one.pk for one in entrants]).values_list("state", flat=True)) == {state}


@pytest.mark.parametrize(
    ("action", "state"),
    [
        pytest.param("let_play_again", MatchState.READY, id="again"),
        pytest.param("make_void", MatchState.VOID, id="void"),
    ],
)
def test_matches_that_want_a_decision(client: Client, staff: User, action: str, state: MatchState) -> None:
    link = FixtureMatch.objects.filter(stage__tournament=make_tournament("playing")).earliest("match_id")
    Match.objects.filter(pk=link.match_id).update(state=MatchState.QUARANTINED, trouble="the worker died")
    page = read_page(client, list_address(FixtureMatch) + "?match__state=quarantined")
    assert "the worker died" in page
    assert re.findall(r"/desk/tournaments/test-cup/matches/(\d+)/", page) == [str(link.match_id)]
    choose(client, FixtureMatch, action, [link], confirmed="yes", reason="because")
    assert Match.objects.get(pk=link.match_id).state == state


def test_the_next_season_is_made_once(client: Client, staff: User) -> None:
    season = make_tournament("finished", league=make_league())
    asked = choose(client, Tournament, "make_next_season", [season]).content.decode()
    assert "Open for entries" in asked
    for _ in range(2):
        choose(client, Tournament, "make_next_season", [season], confirmed="yes")
    assert list(Tournament.objects.order_by("season").values_list("season", "state")) == [(1, "finished"), (2, "open")]


def test_a_pair_may_meet_again(client: Client, staff: User) -> None:
    tournament = make_tournament("open")
    first, second = tournament.entrants.values_list("id", flat=True)[:2]
    conflict = keep_apart(tournament_id=tournament.id, pair=(first, second))
    choose(client, Conflict, "let_meet", [conflict], confirmed="yes")
    assert not Conflict.objects.exists()
    assert tournament.events.latest("number").actor == staff


def test_a_league_is_handed_over(client: Client, staff: User) -> None:
    heir = User.objects.create_user("heir")
    league = League.objects.create(name="City", slug="city", organiser=staff)
    address = reverse("admin:tournaments_league_change", args=[league.pk])
    client.post(address, {"name": "City", "description": "", "organiser": heir.pk})
    league.refresh_from_db()
    assert league.organiser == heir
