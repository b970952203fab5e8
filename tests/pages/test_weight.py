"""What pages weigh on a first load with everything they fetch, and that pages without rows ask the database nothing."""

import re
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.contrib.staticfiles import finders
from django.test import Client

from games.models import Match
from tests.pages.events import count_queries, make_players, make_tournament, read_page

pytestmark = pytest.mark.django_db

FIRST_LOAD_BYTES = 150_000
PARTS = ("", "schedule/", "entrants/", "crosstable/", "statistics/", "balance/", "downloads/", "tables/1/1/1/")
RULES = ("/rules/", "/rules/editions/", "/rules/card/en3/", "/rules/fairness/")
PLAIN = ("/", "/leagues/", "/tournaments/", "/players/", "/bots/", "/search/?q=bot", "/play/", "/accounts/signup/")
FETCHED = re.compile(r'(?:href|src|data-icons|data-sprite)="/static/([^"#?]+)')


def weigh(client: Client, path: str) -> int:
    """Bytes of the page and of every file it names, none of them compressed."""
    html = read_page(client, path)
    files = [finders.find(name) for name in set(FETCHED.findall(html))]
    return len(html.encode()) + sum(Path(str(file)).stat().st_size for file in files)


def test_every_page_is_light_on_a_first_load(client: Client) -> None:
    make_tournament("finished", players=make_players(24))
    match = Match.objects.filter(state="finished").latest("pk")
    paths = [f"/tournaments/test-cup/{part}" for part in PARTS]
    paths += ["/players/house-greedy_1/", "/players/house-greedy_1/against/house-counting_2/", f"/matches/{match.pk}/"]
    weights = {path: weigh(client, path) for path in (*PLAIN, *RULES, *paths)}
    assert {path: weight for path, weight in weights.items() if weight > FIRST_LOAD_BYTES} == {}


def test_the_desk_is_light_too(client: Client) -> None:
    tournament = make_tournament("drawn", players=make_players(24))
    client.force_login(User.objects.get(username=tournament.organiser.username))
    desk = [f"/desk/tournaments/{tournament.slug}/{part}" for part in ("", "entries/", "draw/", "matches/", "trail/")]
    paths = ["/desk/", "/desk/tournaments/new/?preset=bot_league", *desk]
    assert {path: weight for path in paths if (weight := weigh(client, path)) > FIRST_LOAD_BYTES} == {}


@pytest.mark.parametrize("path", RULES)
def test_the_rules_ask_the_database_nothing(client: Client, path: str) -> None:
    assert count_queries(client, path) == 0
