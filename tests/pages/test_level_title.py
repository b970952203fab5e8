"""A title that nothing but lots decided is said to be so."""

import pytest
from django.test import Client

from games.models import Match
from tests.pages.events import make_players, make_tournament, play_to_the_end, read_page
from tournaments.models import TournamentState
from tournaments.services.decisions import forfeit_match

pytestmark = pytest.mark.django_db
ONE_TABLE = {"format": "round_robin", "options": {"matchdays": 1}}


@pytest.mark.parametrize(
    ("chain", "said", "unsaid"),
    [
        pytest.param(["match_points", "lots"], "Lots alone gave it", "They share it", id="parted by lots"),
        pytest.param(["match_points", "wins"], "They share it", "Lots alone gave it", id="shared"),
    ],
)
def test_those_who_are_level_are_named(client: Client, chain: list[str], said: str, unsaid: str) -> None:
    stage = {**ONE_TABLE, "tiebreaks": chain}
    tournament = make_tournament("playing", players=make_players(3), stages=[stage])
    match = Match.objects.get()
    forfeit_match(match_id=match.id, seats=[1], reason="its bot is broken")
    assert "Level for the title" not in read_page(client, "/tournaments/test-cup/")
    play_to_the_end(tournament)
    assert tournament.state == TournamentState.FINISHED
    page = read_page(client, "/tournaments/test-cup/")
    sentence = page[page.index("Level for the title") :].split("</p>")[0]
    lost = match.fixture_match.entrants[1]
    for entrant in tournament.entrants.select_related("player"):
        assert (entrant.player.name in sentence) == (entrant.pk != lost)
    assert said in sentence
    assert unsaid not in page


def test_a_title_that_was_won_is_not_doubted(client: Client) -> None:
    stage = {**ONE_TABLE, "tiebreaks": ["match_points", "total_score", "lots"], "block_deals": 2}
    make_tournament("finished", players=make_players(3), stages=[stage])
    page = read_page(client, "/tournaments/test-cup/")
    assert "Champion" in page
    assert "Level for the title" not in page


def test_a_bracket_decides_its_title(client: Client) -> None:
    make_tournament("finished", players=make_players(3), ruleset="en3-golden", stages=[{"format": "knockout"}])
    assert "Level for the title" not in read_page(client, "/tournaments/test-cup/")
