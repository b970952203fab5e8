"""A small world for the API: an organiser, a player, an author, a stranger, and a tournament that was played."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest
from django.contrib.auth.models import Group, User
from django.core.wsgi import get_wsgi_application
from django.db import connection, connections, transaction
from hypothesis import settings
from pytest_django import DjangoDbBlocker
from rest_framework.test import APIClient

from aurum_league.accounts.access import create_token
from aurum_league.common.api.access import SCOPES
from aurum_league.common.presence import SandboxReport, report_sandbox
from bots.models import Bot, BotMode, VersionState
from bots.services.registration import register_bot
from bots.services.versions import activate_version, add_version
from games.models import Match, MatchState, Player, PlayerKind, RunnerNeed
from games.services.play import play_ready_matches
from tests.leftovers import empty_tables
from tests.people import verify_address
from tournaments.models import Tournament, TournamentState
from tournaments.services.advance import advance_tournament
from tournaments.services.draw import draw_tournament
from tournaments.services.entries import enter_players
from tournaments.services.field import ensure_house_players
from tournaments.services.leagues import create_tournament
from tournaments.services.lifecycle import open_tournament
from tournaments.services.release import start_tournament

THOROUGH = "thorough"
MANY = 60
SPEC = {"name": "Autumn Cup", "stages": [{"format": "round_robin", "name": "Main"}]}

# Known before the command line is read, so that it can be asked for there.
settings.register_profile(THOROUGH, max_examples=MANY)


@dataclass(frozen=True)
class World:
    organiser: User
    person: User
    player: Player
    tournament: Tournament
    bots: list[Player]
    author: User
    bot: Bot


def make_house_bots(count: int) -> list[Player]:
    return [
        Player.objects.get_or_create(
            slug=f"house-greedy_{number}", defaults={"kind": PlayerKind.HOUSE, "name": f"Greedy {number}"}
        )[0]
        for number in range(1, count + 1)
    ]


def make_bot(author: User) -> Bot:
    """A bot whose one version is as if it had passed its check."""
    report_sandbox(SandboxReport(is_safe=True, reason=""))
    bot = register_bot(owner=author, name="Alchemist", mode=BotMode.UPLOADED)
    add_version(bot_id=bot.pk, owner=author, upload=b"print('one of the legal actions')\n")
    bot.versions.update(state=VersionState.QUALIFIED)
    return activate_version(bot_id=bot.pk, owner=author, number=1)


def make_world() -> World:
    organiser = User.objects.create_user("organiser-1", "organiser@example.org", "pass-word-1")
    organiser.groups.add(Group.objects.get(name="organiser"))
    person = verify_address(User.objects.create_user("person-1", "person@example.org", "pass-word-1"))
    player = Player.objects.create(kind=PlayerKind.PERSON, name="Person One", slug="person-one", owner=person)
    author = User.objects.create_user("author-1", "author@example.org", "pass-word-1")
    bot = make_bot(author)
    bots = make_house_bots(5)
    tournament = create_tournament(spec=SPEC, organiser=organiser)
    open_tournament(tournament_id=tournament.id)
    enter_players(tournament_id=tournament.id, players=bots)
    draw_tournament(tournament_id=tournament.id)
    start_tournament(tournament_id=tournament.id)
    play_on(tournament)
    return World(organiser, person, player, tournament, bots, author, bot)


def play_on(tournament: Tournament) -> None:
    for _ in range(20):
        advance_tournament(tournament_id=tournament.id)
        tournament.refresh_from_db()
        if tournament.state != TournamentState.PLAYING:
            return
        play_ready_matches(needs=RunnerNeed.HOUSE)
    assert not Match.objects.filter(state=MatchState.QUARANTINED).exists()


def client_of(user: User, *scopes: str) -> APIClient:
    """A program that holds a token with these scopes, or all of them."""
    client = APIClient()
    _, text = create_token(user=user, name="test", scopes=scopes or SCOPES)
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
    return client


@pytest.fixture(scope="module")
def played(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """Made and committed once a module: playing a tournament takes longer than reading it."""
    with django_db_blocker.unblock(), transaction.atomic():
        world = make_world()
        # No worker is there to be nudged.
        connection.run_on_commit.clear()
    yield world
    with django_db_blocker.unblock():
        empty_tables()


@pytest.fixture
def world(played: World, db: None) -> World:
    """The world as it was made; what a test changes is rolled back."""
    for row in (played.organiser, played.person, played.player, played.tournament):
        row.refresh_from_db()
    return played


@pytest.fixture
def anyone(db: None) -> APIClient:
    return APIClient()


class _Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def session(played: World, django_db_blocker: DjangoDbBlocker) -> Iterator[dict[str, str]]:
    """A server of its own on what was committed, and an organiser's token for it."""
    with django_db_blocker.unblock():
        _, token = create_token(user=played.organiser, name="first session", scopes=SCOPES)
        ensure_house_players({"greedy": 1})
        server = make_server("127.0.0.1", 0, get_wsgi_application(), handler_class=_Quiet)

        def serve() -> None:
            server.serve_forever()
            connections.close_all()

        thread = threading.Thread(target=serve)
        thread.start()
        yield {"SITE": f"http://127.0.0.1:{server.server_port}", "TOKEN": token}
        server.shutdown()
        thread.join()
        server.server_close()
