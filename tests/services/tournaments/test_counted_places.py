"""Places shown are places counted: whoever forfeits is last on every page, in the API and in the files."""

import pytest
from django.test import Client

from bots.models import Bot
from bots.selectors import read_win_rates
from games.models import Match, ResultKind
from games.selectors.tables import find_table
from games.services.by_hand import HandResult, ResultDecision, settle_by_hand
from tests.services.tournaments.conftest import Make
from tests.services.tournaments.test_people import DAYS, start_event
from tournaments.models import Tournament
from tournaments.selectors.exports import export_results
from tournaments.selectors.players import list_opponents, result_line
from tournaments.services.results import refresh_standings

BY_HAND = ResultDecision(ResultKind.BY_HAND, "a test")
pytestmark = [
    pytest.mark.django_db,
    pytest.mark.filterwarnings("ignore:task_always_eager has no effect on send_task"),
]
PLAYED = HandResult((1, 2, 3), (2, 1, 0), (31, 24, 12), forfeits=(0,))
COUNTED = [3, 1, 2]


@pytest.fixture
def given_up(make_tournament: Make) -> tuple[Tournament, Match]:
    """Seat 0 gave up, and the house bot that played on for it came first."""
    tournament, match = start_event(make_tournament, DAYS, people=3)
    settle_by_hand(match_id=match.pk, result=PLAYED, decision=BY_HAND)
    match.refresh_from_db()
    return tournament, match


def test_selectors_deliver_the_places_that_count(given_up: tuple[Tournament, Match]) -> None:
    tournament, match = given_up
    assert list(find_table(match.pk, 0).places or ()) == list(find_table(match.pk).places or ()) == COUNTED
    line = result_line(match)
    names = [seat.player.name for seat in match.seats.order_by("seat").select_related("player")]
    assert [(seat.place, seat.name) for seat in line.seats] == [(1, names[1]), (2, names[2]), (3, names[0])]
    assert [row["place"] for row in export_results(tournament)] == COUNTED
    quitter = match.seats.get(seat=0).player
    assert {opponent.ahead for opponent in list_opponents(quitter, 5)} == {0.0}
    stage = tournament.stages.get()
    refresh_standings(stage_id=stage.id, is_final=True)
    rows = {row["entrant"]: row["place"] for row in stage.standings.rows}
    by_seat = [tournament.entrants.get(player=seat.player_id).id for seat in match.seats.order_by("seat")]
    assert [rows[entrant] for entrant in by_seat] == COUNTED


def test_who_moves_up_to_the_first_place_has_won(given_up: tuple[Tournament, Match]) -> None:
    _, match = given_up
    won = [read_win_rates(Bot(player_id=seat.player_id), 3) for seat in match.seats.order_by("seat")]
    assert [[rate.mean for rate in rates.values()] for rates in won] == [[0.0], [1.0], [0.0]]


def test_pages_and_api_show_the_places_that_count(given_up: tuple[Tournament, Match], client: Client) -> None:
    _, match = given_up
    assert client.get(f"/api/v1/matches/{match.pk}").json()["result"]["places"] == COUNTED
    page = client.get(f"/matches/{match.pk}/").context["places"]
    assert [(row["place"], row["seats"][0][0].seat) for row in page] == [(1, 1), (2, 2), (3, 0)]
