"""A title that nothing but lots decided is said to be so, and can be played off."""

import pytest
from django.test import Client

from aurum_league.common.errors import LeagueError
from games.models import Match, Player
from tests.api.conftest import client_of
from tests.pages.events import make_players, make_tournament, play_to_the_end, read_page
from tournaments.models import StageStandings, Tournament, TournamentState
from tournaments.selectors.leagues import find_champions
from tournaments.services.decisions import forfeit_match
from tournaments.services.play_off import create_play_off

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


def make_level_title() -> tuple[Tournament, set[str]]:
    """A finished table of three at which two share the title; their names."""
    stage = {**ONE_TABLE, "tiebreaks": ["match_points", "lots"]}
    tournament = make_tournament("playing", players=make_players(3), stages=[stage])
    match = Match.objects.get()
    forfeit_match(match_id=match.id, seats=[1], reason="its bot is broken")
    play_to_the_end(tournament)
    lost = match.fixture_match.entrants[1]
    return tournament, set(tournament.entrants.exclude(pk=lost).values_list("player__name", flat=True))


def test_the_desk_has_those_who_are_level_play_it_off(client: Client) -> None:
    tournament, level = make_level_title()
    organiser = tournament.organiser
    client.force_login(organiser)
    assert "Play off for the title" in read_page(client, "/desk/tournaments/test-cup/")
    answer = client.post("/desk/tournaments/test-cup/play-off/")
    made = Tournament.objects.get(slug="test-cup-play-off")
    assert answer["Location"] == f"/desk/tournaments/{made.slug}/"
    assert made.seed is not None and tournament.seed is not None
    assert (made.state, made.is_rated, bytes(made.seed) == bytes(tournament.seed)) == ("playing", False, False)
    names = set(made.entrants.values_list("player__name", flat=True))
    assert names > level and len(names) == 3
    matches = Match.objects.filter(fixture_match__stage__tournament=made)
    assert matches.count() % 3 == 0, "everybody sits everywhere"
    assert "They play it off:" in read_page(client, "/tournaments/test-cup/")
    play_to_the_end(made)
    page = read_page(client, "/tournaments/test-cup/")
    assert "They played it off:" in page and "Lots alone gave it" not in page
    champion = find_champions([Tournament.objects.get(slug="test-cup")])[tournament.pk]
    rows = [row["entrant"] for row in StageStandings.objects.get(stage__tournament=made).rows]
    first = next(name for one in rows if (name := made.entrants.get(pk=one).player.name) in level)
    assert [one.player.name for one in champion] == [first]
    assert champion[0].tournament_id == tournament.pk


def test_a_play_off_is_made_once_by_desk_and_api() -> None:
    tournament, _ = make_level_title()
    organiser = client_of(tournament.organiser)
    answers = [organiser.post("/api/v1/tournaments/test-cup/play-off") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].json()["slug"] == answers[1].json()["slug"] == "test-cup-play-off"
    assert Tournament.objects.count() == 2


def test_a_title_that_is_won_and_a_second_play_off_are_refused() -> None:
    tournament, _ = make_level_title()
    made = create_play_off(tournament_id=tournament.pk)
    with pytest.raises(LeagueError, match="playing") as refused:
        create_play_off(tournament_id=made.pk)
    assert refused.value.code == "wrong_state"
    play_to_the_end(made)
    with pytest.raises(LeagueError) as refused:
        create_play_off(tournament_id=made.pk)
    assert refused.value.code == "lots_decide"
    stage = {**ONE_TABLE, "tiebreaks": ["match_points", "total_score", "lots"], "block_deals": 2}
    players = list(Player.objects.filter(name__startswith="Bot "))
    won = make_tournament("finished", players=players, name="Other Cup", stages=[stage])
    with pytest.raises(LeagueError) as refused:
        create_play_off(tournament_id=won.pk)
    assert refused.value.code == "title_is_won"
