"""The forecast before the draw: at the desk, over the API, from the ratings and the pace that are known."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from games.models import Match
from tests.api.conftest import client_of
from tests.pages.desk import DESK, sign_in
from tests.pages.events import make_players, make_tournament, play_to_the_end, read_page
from tournaments.models import Rating, Tournament
from tournaments.selectors.progress import measure_busy_time, read_forecast

pytestmark = pytest.mark.django_db
LEAGUE = {"format": "round_robin", "options": {"meetings": 2}, "block_deals": 4}


def read_cells(page: str, name: str) -> list[str]:
    """The cells of the line that is called so."""
    row = next(part for part in page.split("<tr>") if f">{name}</th>" in part)
    return [cell.replace("\N{NO-BREAK SPACE}", " ") for cell in re.findall(r'<td class="number">([^<]*)</td>', row)]


def test_the_desk_fetches_it_while_something_can_change_and_not_after(client: Client) -> None:
    tournament = make_tournament("open", players=make_players(9), stages=[LEAGUE])
    sign_in(client, tournament)
    assert f'hx-get="{DESK}forecast/"' in read_page(client, DESK)
    page = read_page(client, f"{DESK}forecast/")
    best, _gap, matches, time = read_cells(page, "As it is set up")
    twice = read_cells(page, "Twice as many deals")
    assert int(best.removesuffix(" %")) > 40
    assert (matches, twice[2]) == ("288", "576")
    assert int(twice[1]) < int(_gap)
    assert time == "\N{EN DASH}"
    assert "Knockout cup" in page
    assert "Bot league" not in page, "it is that preset"
    assert "Too few ratings are known" in page
    client.post(f"{DESK}steps/draw/")
    assert "forecast/" not in read_page(client, DESK)
    assert f'hx-get="{DESK}forecast/"' in read_page(client, f"{DESK}draw/"), "beside the tables, while they can change"
    client.post(f"{DESK}steps/start/")
    assert "forecast/" not in read_page(client, f"{DESK}draw/")


def test_another_size_is_asked_for_and_an_impossible_one_is_a_sentence(client: Client) -> None:
    groups = {"format": "league_season", "groups": 3, "options": {"meetings": 2, "laps": 1}}
    sign_in(client, make_tournament("draft", stages=[groups]))
    assert 'value="12"' in read_page(client, f"{DESK}forecast/")
    page = read_page(client, f"{DESK}forecast/?entrants=7")
    assert "3 groups need at least 9 entrants, not 7." in page
    assert "<table" not in page
    assert read_cells(read_page(client, f"{DESK}forecast/?entrants=27"), "As it is set up")[2] == "72"
    assert 'value="12"' in read_page(client, f"{DESK}forecast/?entrants=x%00")


def test_what_runs_on_says_so(client: Client) -> None:
    sign_in(client, make_tournament("draft", stages=[{"format": "ladder"}]))
    assert "nothing can be forecast" in read_page(client, f"{DESK}forecast/")


def test_ratings_and_pace_of_what_was_played_count(client: Client) -> None:
    players = make_players(6)
    play_to_the_end(make_tournament("playing", players=players, name="Before"))
    again = make_tournament("open", players=players, stages=[LEAGUE])
    # One transaction has one time: let every match have taken 3 s, two at a time.
    now = timezone.now()
    for number, match in enumerate(Match.objects.order_by("id")):
        begun = now - timedelta(seconds=3 * (number // 2 + 1))
        Match.objects.filter(pk=match.pk).update(started_at=begun, finished_at=begun + timedelta(seconds=3))
    for number, player in enumerate(players):
        own = 1500 + 300 * (number == 0)
        Rating.objects.filter(player=player).update(official=own, official_low=own - 40, official_high=own + 40)
    told = read_forecast(again)
    assert told.known == 6
    assert told.spread == pytest.approx(300 * (5**0.5) / 6)
    assert told.choices["this"].best_wins and told.choices["this"].best_wins > 0.99
    this, twice = told.choices["this"], told.choices["twice"]
    assert this.matches and twice.matches
    assert this.seconds == pytest.approx(2 * this.matches), "1.5 s a match, rounded to one digit"
    assert twice.seconds == pytest.approx(2 * (this.seconds or 0))


def test_the_same_question_is_answered_from_what_was_kept() -> None:
    tournament = make_tournament("draft")
    cache.clear()
    before = read_forecast(tournament)
    [stored] = cache._cache.get_client().keys("*forecast-*")  # type: ignore[attr-defined]
    key = stored.decode()
    cache.set(key[key.index("forecast-") :], {"this": before.choices["this"]}, 60)
    assert list(read_forecast(tournament).choices) == ["this"]
    assert len(read_forecast(tournament, 9).choices) > 1


def test_the_api_tells_the_same_to_the_organiser_alone(client: Client) -> None:
    tournament: Tournament = make_tournament("open", players=make_players(9), stages=[LEAGUE])
    address = "/api/v1/tournaments/test-cup/forecast"
    answer = client_of(tournament.organiser).get(address).json()
    assert (answer["entrants"], answer["known"], answer["problem"]) == (9, 0, None)
    codes = [choice["code"] for choice in answer["choices"]]
    assert codes[:2] == ["this", "twice"]
    assert answer["choices"][0]["matches"] == 288
    assert client_of(tournament.organiser).get(f"{address}?entrants=2").json()["code"] == "invalid"
    assert client.get(address).status_code in (401, 403)


def test_overlapping_matches_take_their_time_once() -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    spans = [(start + timedelta(seconds=begun), start + timedelta(seconds=ended)) for begun, ended in SPANS]
    assert measure_busy_time(spans) == timedelta(seconds=10)


SPANS = [(0, 4), (1, 3), (2, 6), (100, 104), (100, 104)]
