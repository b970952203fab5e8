"""Running an event at the desk: its steps, its draw, its trail, and in how many queries."""

import re
from pathlib import Path

import pytest
from django.test import Client

from tests.pages.desk import DESK, sign_in
from tests.pages.events import count_queries, make_players, make_tournament, play_to_the_end, read_page
from tournaments.models import FixtureSeat, Matchday, TournamentState
from tournaments.pages.desk.trail import EVENT_WORDS

pytestmark = pytest.mark.django_db


def test_from_an_open_event_to_its_end(client: Client) -> None:
    tournament = make_tournament("draft", is_rated=False)
    sign_in(client, tournament)
    client.post(f"{DESK}steps/open/")
    client.post(f"{DESK}entries/house/", {"brain": "greedy", "count": "3"})
    client.post(f"{DESK}entries/house/", {"brain": "random", "count": "3"})
    assert tournament.entrants.count() == 6
    page = client.post(f"{DESK}steps/draw/", follow=True).content.decode()
    assert "preview that only you see" in page
    assert "As even as can be" in page
    assert "lap 1" in page
    client.post(f"{DESK}steps/start/")
    play_to_the_end(tournament)
    assert tournament.state == TournamentState.FINISHED
    assert "Finished" in read_page(client, DESK)


@pytest.mark.parametrize(
    ("state", "step"),
    [
        pytest.param("draft", "draw", id="draw a draft"),
        pytest.param("open", "start", id="start what is not drawn"),
        pytest.param("open", "resume", id="resume what is not paused"),
        pytest.param("drawn", "pause", id="pause what does not play"),
        pytest.param("finished", "cancel", id="cancel what is over"),
    ],
)
def test_a_step_at_the_wrong_time_is_refused_with_a_sentence(client: Client, state: str, step: str) -> None:
    tournament = make_tournament(state)
    sign_in(client, tournament)
    assert f"steps/{step}/" not in read_page(client, DESK)
    page = client.post(f"{DESK}steps/{step}/", {"reason": "now"}, follow=True).content.decode()
    assert "does not allow this" in page
    tournament.refresh_from_db()
    assert tournament.state == state


def test_an_unknown_step_is_not_found(client: Client) -> None:
    sign_in(client, make_tournament("open"))
    assert client.post(f"{DESK}steps/advance/").status_code == 404


def test_pause_and_cancel_keep_their_reasons(client: Client) -> None:
    tournament = make_tournament("playing")
    sign_in(client, tournament)
    client.post(f"{DESK}steps/pause/", {"reason": "fire alarm"})
    client.post(f"{DESK}steps/resume/")
    client.post(f"{DESK}steps/cancel/", {"reason": "the house burnt <b>down</b>"})
    page = read_page(client, f"{DESK}trail/")
    assert "fire alarm" in page
    assert "&lt;b&gt;down" in page
    tournament.refresh_from_db()
    assert tournament.state == TournamentState.CANCELLED


def test_swapped_places_are_marked_and_in_the_trail(client: Client) -> None:
    tournament = make_tournament("drawn")
    sign_in(client, tournament)
    day = Matchday.objects.filter(stage__tournament=tournament).earliest("number")
    seats = FixtureSeat.objects.filter(fixture__matchday=day)
    first, second = (seats.get(fixture__table=table, position=0).entrant_id for table in (1, 2))
    sent = {"first": first, "second": second, "reason": "they travel together"}
    page = client.post(f"{DESK}draw/{day.pk}/swap/", sent, follow=True).content.decode()
    assert "changed by the organiser" in page
    assert seats.get(fixture__table=1, position=0).entrant_id == second
    assert "they travel together" in read_page(client, f"{DESK}trail/")


def test_released_tables_cannot_be_swapped(client: Client) -> None:
    tournament = make_tournament("playing")
    sign_in(client, tournament)
    day = Matchday.objects.filter(stage__tournament=tournament).earliest("number")
    first, second = tournament.entrants.values_list("id", flat=True)[:2]
    page = client.post(f"{DESK}draw/{day.pk}/swap/", {"first": first, "second": second}, follow=True)
    assert "its tables stand" in page.content.decode()


def test_every_kind_of_event_has_words() -> None:
    services = Path(__file__).parents[2] / "tournaments" / "services"
    text = "".join(path.read_text() for path in services.glob("*.py"))
    kinds = set(re.findall(r'record_event\(\s*[\w.]+,\s*"(\w+)"', text)) | set(
        re.findall(r'_record\(\w+, \w+, "(\w+)"', text)
    )
    assert len(kinds) > 20
    assert kinds | {"withdrawn", "disqualified"} <= set(EVENT_WORDS)


def test_pages_take_few_queries_however_many_entrants(client: Client) -> None:
    sign_in(client, make_tournament("playing", players=make_players(12)))
    most = {"": 16, "entries/": 12, "draw/": 20, "matches/": 14, "trail/": 9}
    assert [part for part, limit in most.items() if count_queries(client, DESK + part) > limit] == []
    assert count_queries(client, "/desk/") <= 8
