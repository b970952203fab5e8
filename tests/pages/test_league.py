"""Leagues: their list, their seasons and champions."""

import pytest
from django.test import Client

from tests.pages.events import count_queries, make_league, make_players, make_tournament, read_page
from tournaments.models import StageStandings

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
    before = count_queries(client, "/leagues/test-league/")
    for name in ("Two", "Three"):
        make_tournament("open", name=name, league=league, players=players)
    assert count_queries(client, "/leagues/test-league/") == before == 6
