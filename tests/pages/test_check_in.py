"""Check-in on pages: a player's button, the list at the desk, how it stands; and what can still be written anew."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.models import RunnerNeed
from games.services.play import play_ready_matches
from games.services.players import ensure_person
from tests.pages.desk import DESK, read_fields, sign_in
from tests.pages.events import make_players, make_tournament, read_page
from tournaments.models import EntrantState, Tournament
from tournaments.selectors.progress import read_pace
from tournaments.services.advance import advance_tournament
from tournaments.services.entries import enter_players

pytestmark = pytest.mark.django_db
PUBLIC = "/tournaments/test-cup/"


def open_with_check_in(user: User) -> Tournament:
    players = [ensure_person(user), *make_players(3)]
    return make_tournament("open", players=players, entry_kind="mixed", is_rated=False, needs_check_in=True)


def test_a_player_checks_in_on_the_page_and_where_they_play(client: Client) -> None:
    user = User.objects.create_user("ada")
    tournament = open_with_check_in(user)
    client.force_login(user)
    for path in (PUBLIC, f"{PUBLIC}entrants/", f"{PUBLIC}check-in/"):
        page = read_page(client, path)
        assert "3 of 4 checked in" in page and "Check in: I am here" in page
    assert "Test Cup" in read_page(client, "/check-ins/")
    page = client.post(f"{PUBLIC}check-in/", follow=True).content.decode()
    assert "You are checked in." in page and "4 of 4 checked in" in page
    assert "Test Cup" not in read_page(client, "/check-ins/")
    assert tournament.entrants.get(player__owner=user).state == EntrantState.CHECKED_IN


def test_the_end_is_set_and_told_by_the_clock_of_the_event(client: Client) -> None:
    """Berlin is ahead of UTC, in which the site keeps time; the page of the player has it in the zone too."""
    user = User.objects.create_user("ada")
    tournament = open_with_check_in(user)
    Tournament.objects.update(time_zone="Europe/Berlin")
    sign_in(client, tournament)
    assert client.post(f"{DESK}entries/check-in/", {"ends_at": "2030-05-01T19:00"}).status_code == 302
    tournament.refresh_from_db()
    assert tournament.check_in_ends_at and tournament.check_in_ends_at.isoformat() == "2030-05-01T17:00:00+00:00"
    page = read_page(client, f"{DESK}entries/")
    assert 'value="2030-05-01T19:00"' in page
    told = [page, read_page(client, f"{DESK}now/")]
    client.force_login(user)
    told += [read_page(client, path) for path in (f"{PUBLIC}check-in/", "/check-ins/")]
    for page in told:
        said = page.partition("closes in")[2].partition("</time>")[0]
        assert 'datetime="2030-05-01T17:00:00Z" data-zone="Europe/Berlin"' in said and "19:00" in said


@pytest.mark.parametrize("far", ["0001-01-01T00:00", "9999-12-31T23:59"])
def test_times_at_the_ends_of_the_calendar_are_refused_in_place(client: Client, far: str) -> None:
    """In some zones they lie outside of it, where nothing can be told of them."""
    tournament = open_with_check_in(User.objects.create_user("ada"))
    sign_in(client, tournament)
    for zone in ("Asia/Tokyo", "America/New_York"):
        Tournament.objects.update(time_zone=zone)
        for part, sent in (("entries/check-in/", {"ends_at": far}), ("times/", {"time_zone": zone, "starts_at": far})):
            answer = client.post(f"{DESK}{part}", sent)
            assert answer.status_code == 422 and "Write a day and a time" in answer.content.decode()


def test_the_desk_checks_in_by_list_all_at_once_and_closes(client: Client) -> None:
    first, second = (User.objects.create_user(name) for name in ("ada", "bob"))
    tournament = open_with_check_in(first)
    enter_players(tournament_id=tournament.pk, players=[ensure_person(second)])
    sign_in(client, tournament)
    page = read_page(client, f"{DESK}entries/")
    assert "3 of 5 checked in" in page and "Check in all" in page
    missing = tournament.entrants.get(player__owner=first).pk
    client.post(f"{DESK}entries/check-ins/", {"entrant": [str(missing), "x", "9" * 30]})
    assert "4 of 5 checked in" in read_page(client, f"{DESK}entries/")
    client.post(f"{DESK}entries/check-ins/", {"close": "1"})
    assert tournament.entrants.get(player__owner=second).state == EntrantState.ABSENT
    assert "4 of 5 checked in" in read_page(client, f"{DESK}entries/")
    page = client.post(f"{DESK}steps/draw/", follow=True).content.decode()
    assert "preview that only you see" in page


def test_texts_are_mended_while_it_plays_and_rules_say_why_they_stand(client: Client) -> None:
    tournament = make_tournament("playing")
    sign_in(client, tournament)
    page = read_page(client, f"{DESK}edit/")
    assert "A rule of play: it stands since the draw." in page
    sent = {"name": "Test Cup", "description": "**Bring** <b>snacks</b>", "contact": "desk@example.org"}
    sent |= {"links": "Our rules https://example.org/rules", "ruleset": "de3", "stage-1-format": "swiss"}
    assert client.post(f"{DESK}edit/", sent).status_code == 302
    page = read_page(client, PUBLIC)
    assert "<strong>Bring</strong> &lt;b&gt;snacks" in page and "desk@example.org" in page
    assert '<a href="https://example.org/rules" rel="nofollow ugc noopener">Our rules</a>' in page
    assert tournament.stages.get().format == "round_robin"
    refused = client.post(f"{DESK}edit/", sent | {"links": "bad javascript:alert(1)"})
    assert refused.status_code == 422 and "cannot be used as a link" in refused.content.decode()


def test_rules_change_while_entries_are_open_but_not_what_players_entered_for(client: Client) -> None:
    tournament = make_tournament("open", is_rated=False, capacity=6)
    sign_in(client, tournament)
    page = read_page(client, f"{DESK}edit/")
    assert "Players have entered for this" in page
    sent = read_fields(page) | {"stage-1-format": "swiss", "entry_kind": "people", "edition": "fr"}
    assert client.post(f"{DESK}edit/", sent).status_code == 302
    tournament.refresh_from_db()
    assert (tournament.ruleset, tournament.entry_kind) == ("fr3", "bots")
    assert tournament.stages.get().format == "swiss"


def test_an_error_keeps_what_was_typed(client: Client) -> None:
    tournament = make_tournament("open")
    sign_in(client, tournament)
    one = tournament.entrants.earliest("pk").pk
    sent = {"first": one, "second": one, "reason": "they are siblings"}
    answer = client.post(f"{DESK}entries/apart/", sent)
    assert answer.status_code == 422 and 'value="they are siblings"' in answer.content.decode()
    answer = client.post(f"{DESK}entries/{one}/replace/", {"player": "nobody-here", "reason": "moved away"})
    assert answer.status_code == 422 and 'value="moved away"' in answer.content.decode()
    answer = client.post(f"{DESK}steps/finish/", {"reason": "enough for today"})
    assert answer.status_code == 422


@pytest.mark.parametrize(
    ("stage", "offered"),
    [
        pytest.param({"format": "round_robin", "block_deals": 1}, set(), id="all at once"),
        pytest.param({"format": "round_robin", "release": "by_hand"}, {"release"}, id="by hand"),
        pytest.param({"format": "ladder"}, {"finish"}, id="a ladder"),
    ],
)
def test_only_steps_that_would_do_something_are_offered(
    client: Client, stage: dict[str, object], offered: set[str]
) -> None:
    sign_in(client, make_tournament("playing", stages=[stage]))
    page = read_page(client, DESK)
    assert {step for step in ("release", "finish") if f"steps/{step}/" in page} == offered


def test_what_runs_on_tells_its_pace_and_no_end() -> None:
    tournament = make_tournament("playing", stages=[{"format": "ladder"}])
    play_ready_matches(needs=RunnerNeed.HOUSE)
    advance_tournament(tournament_id=tournament.pk)
    pace = read_pace(tournament)
    assert pace.a_minute and pace.progress.total > pace.progress.ended
    assert pace.left is None


def test_a_gauntlet_names_its_challenger_and_its_certificate_gives_no_alarm(client: Client) -> None:
    tournament = make_tournament("drawn", stages=[{"format": "gauntlet"}])
    sign_in(client, tournament)
    name = tournament.entrants.get(pk=tournament.stages.get().field[0]).player.name
    assert f"Challenger: {name}" in read_page(client, DESK)
    assert f"Challenger: {name}" in read_page(client, PUBLIC)
    page = read_page(client, f"{DESK}draw/")
    assert "one meets all the others" in page and "badge-warning" not in page.partition("Balance certificate")[2]
