"""Tournaments for the tests of the public pages: small, and played in this process."""

from collections.abc import Callable
from itertools import cycle
from typing import Any

from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import Player, PlayerKind, RunnerNeed
from games.services.play import play_ready_matches
from tournaments.models import League, Tournament, TournamentState
from tournaments.services.advance import advance_tournament
from tournaments.services.draw import draw_tournament
from tournaments.services.entries import enter_players
from tournaments.services.leagues import create_league, create_tournament
from tournaments.services.lifecycle import open_tournament
from tournaments.services.release import start_tournament

BLOCKS = {"format": "round_robin", "options": {"matchdays": 2}, "block_deals": 1}
HOSTILE = "<b>Bot & 'co'</b>"


def make_players(count: int, name: str = "Bot") -> list[Player]:
    """House bots of three brains in turn: `house-greedy_1`, `house-counting_2`, `house-random_3` and on."""
    return [
        Player.objects.create(kind=PlayerKind.HOUSE, name=f"{name} {number}", slug=f"house-{brain}_{number}")
        for number, brain in zip(range(1, count + 1), cycle(("greedy", "counting", "random")), strict=False)
    ]


def make_league(name: str = "Test League") -> League:
    organiser, _ = User.objects.get_or_create(username="organiser-of-tests")
    return create_league(name=name, organiser=organiser)


def make_tournament(state: str, *, players: list[Player] | None = None, **spec: Any) -> Tournament:
    """A tournament taken to one of: draft, open, drawn, playing, finished."""
    organiser, _ = User.objects.get_or_create(username="organiser-of-tests")
    league = spec.pop("league", None)
    tournament = create_tournament(
        spec={"name": "Test Cup", "stages": [BLOCKS], **spec}, organiser=organiser, league=league
    )
    steps: list[tuple[str, Callable[[], object]]] = [
        ("open", lambda: open_tournament(tournament_id=tournament.id)),
        ("open", lambda: enter_players(tournament_id=tournament.id, players=players or make_players(6))),
        ("drawn", lambda: draw_tournament(tournament_id=tournament.id)),
        ("playing", lambda: start_tournament(tournament_id=tournament.id)),
        ("finished", lambda: play_to_the_end(tournament)),
    ]
    order = ("draft", "open", "drawn", "playing", "finished")
    for reached, step in steps:
        if order.index(reached) <= order.index(state):
            step()
    tournament.refresh_from_db()
    return tournament


def play_to_the_end(tournament: Tournament) -> None:
    for _ in range(40):
        advance_tournament(tournament_id=tournament.id)
        tournament.refresh_from_db()
        if tournament.state != TournamentState.PLAYING:
            return
        play_ready_matches(needs=RunnerNeed.HOUSE)


def read_page(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return answer.content.decode()


def count_queries(client: Client, path: str) -> int:
    """How many queries a page takes when what can be kept has been kept before."""
    read_page(client, path)
    with CaptureQueriesContext(connection) as seen:
        read_page(client, path)
    return len(seen)
