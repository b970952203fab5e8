"""Leagues: their list, their seasons and champions."""

from collections import Counter
from itertools import permutations

import pytest
from django.test import Client

from games.models import Match, MatchResult
from tests.pages.events import count_queries, make_league, make_players, make_tournament, read_page
from tournaments.models import StageStandings
from tournaments.selectors.league_history import read_league_history

pytestmark = pytest.mark.django_db


def test_a_league_lists_seasons_with_champions_and_no_draft(client: Client) -> None:
    league, players = make_league(), make_players(6)
    first = make_tournament("finished", name="Season One", league=league, players=players)
    make_tournament("open", name="Season Two", league=league, players=players)
    make_tournament("draft", name="Season Three", league=league)
    page = read_page(client, "/leagues/test-league/")
    rows = StageStandings.objects.get(stage__tournament=first).rows
    champion = next(row["entrant"] for row in rows if row["place"] == 1)
    assert first.entrants.get(pk=champion).player.name in page
    assert "Season Two" in page
    assert "Season Three" not in page
    assert "2 tournaments" in read_page(client, "/leagues/")


def test_a_league_without_seasons_says_so(client: Client) -> None:
    make_league()
    assert "No seasons yet" in read_page(client, "/leagues/test-league/")


def test_queries_do_not_grow_with_seasons(client: Client) -> None:
    league, players = make_league(), make_players(6)
    make_tournament("finished", name="One", league=league, players=players)
    read_page(client, "/leagues/test-league/")  # What is counted over all seasons is kept.
    before = count_queries(client, "/leagues/test-league/")
    for name in ("Two", "Three"):
        make_tournament("open", name=name, league=league, players=players)
    assert count_queries(client, "/leagues/test-league/") == before == 8


def test_a_league_remembers_its_seasons(client: Client) -> None:
    """Two seasons of the same six: what the all-time table says is what their standings say together."""
    league = make_league()
    players = make_players(6)
    stages = [{"format": "round_robin", "options": {"matchdays": 4}, "block_deals": 1}]
    seasons = [
        make_tournament("finished", players=players, name=f"Season {number}", league=league, stages=stages)
        for number in (1, 2)
    ]
    history = read_league_history(league)
    stored = [StageStandings.objects.get(stage__tournament=season).rows for season in seasons]
    entered = {entrant.pk: entrant.player_id for season in seasons for entrant in season.entrants.all()}
    points: Counter[int] = Counter()
    for rows in stored:
        for row in rows:
            points[entered[row["entrant"]]] += row["points"]
    assert {line.player_id: line.points for line in history.lines} == pytest.approx(points)
    assert {line.seasons for line in history.lines} == {2}
    assert sum(line.titles for line in history.lines) == len(history.champions) >= 2
    scores = MatchResult.objects.values_list("totals", flat=True)
    record = next(record for record in history.records if record.code == "score_in_a_match")
    assert record.value == max(max(one) for one in scores)
    assert record.value in MatchResult.objects.get(match=record.match_id).totals
    tables = [set(match.seats.values_list("player_id", flat=True)) for match in Match.objects.all()]
    assert history.meetings.keys() == {pair for table in tables for pair in permutations(table, 2)}
    for (own, other), cell in history.meetings.items():
        back = history.meetings[other, own]
        assert (cell.meetings, cell.ahead + back.ahead) == (back.meetings, cell.meetings)
    page = read_page(client, f"/leagues/{league.slug}/")
    for words in ("All-time table", "Records", "Champions", "Head to head", "Season archive"):
        assert words in page
    assert "downloads/archive.zip" in page
    told = client.get(f"/api/v1/leagues/{league.slug}/history").json()
    assert [line["points"] for line in told["lines"]] == [line.points for line in history.lines]


def test_a_league_without_a_finished_season_has_no_history(client: Client) -> None:
    league = make_league()
    make_tournament("playing", name="Season 1", league=league)
    assert read_league_history(league).lines == ()
    assert "All-time table" not in read_page(client, f"/leagues/{league.slug}/")
