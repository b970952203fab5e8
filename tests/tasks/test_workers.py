"""Tournaments played by real Celery workers: separate processes that hear of work through the broker alone."""

import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection

from aurum_league.settings.connections import read_layout, redis_url
from aurum_league.supervision.supervisor import make_command
from games.models import Match, MatchResult, MatchState
from tests.server import start_program
from tournaments.models import Matchday, RatingChange, Tournament
from tournaments.services.advance import finish_tournament
from tournaments.services.draw import draw_tournament
from tournaments.services.entries import enter_players
from tournaments.services.field import ensure_house_players
from tournaments.services.leagues import create_tournament
from tournaments.services.lifecycle import open_tournament, pause_tournament
from tournaments.services.release import start_tournament

pytestmark = [
    # Naming the apps makes the flush after each test cascade to tables of swapped models.
    pytest.mark.django_db(transaction=True),
    pytest.mark.filterwarnings("ignore:task_always_eager has no effect on send_task"),
]

SECONDS_TO_FINISH = 150
FIELD = {"random": 3, "greedy": 3, "counting": 3}
SIDES = {"ruleset": "en4-golden", "table_kind": "teams4"}
WHIST = {"ruleset": "en4", "table_kind": "solo4"}
LADDER: dict[str, Any] = {"stages": [{"format": "ladder"}]}
MATCHES_OF_LADDER = 12
SPECS: dict[str, dict[str, Any]] = {
    "round robin": {"stages": [{"format": "round_robin", "block_deals": 1}]},
    "swiss": {"stages": [{"format": "swiss", "options": {"matchdays": 3}}]},
    "swiss of sides": {**SIDES, "stages": [{"format": "swiss", "options": {"matchdays": 2}}]},
    "swiss of changing partners": {**WHIST, "stages": [{"format": "swiss", "options": {"matchdays": 2}}]},
    "knockout of sides": {**SIDES, "stages": [{"format": "knockout", "options": {"has_third_place": True}}]},
    "knockout": {"ruleset": "en3-golden", "stages": [{"format": "knockout"}]},
    "double elimination of sides": {**SIDES, "stages": [{"format": "knockout", "options": {"is_double": True}}]},
    "season": {"stages": [{"format": "league_season", "options": {"divisions": [5, 4], "laps": 1}}]},
    "whist": {**WHIST, "stages": [{"format": "round_robin"}]},
    "round robin of sides, table by table": {**SIDES, "stages": [{"format": "round_robin", "release": "matchday"}]},
    "gauntlet": {"stages": [{"format": "gauntlet"}]},
    "groups, then knockout": {
        "ruleset": "en3-golden",
        "stages": [
            {"format": "league_season", "groups": 3, "options": {"laps": 1, "meetings": 2}, "cut": 3},
            {"format": "knockout"},
        ],
    },
}


@pytest.fixture
def workers() -> Iterator[None]:
    """The two workers of a site, one for bots and one for draws, on the test database."""
    with run_workers(redis_url(0).partition("?")[0]):
        yield


@contextmanager
def run_workers(broker: str) -> Iterator[None]:
    run = str(read_layout().run).replace("/", "%2F")
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "aurum_league.settings.embedded",
        "DATABASE_URL": f"postgres://{connection.settings_dict['USER']}@{run}/{connection.settings_dict['NAME']}",
        "REDIS_URL": broker,
        "WORKER_CONCURRENCY": "1",
        "LOG_LEVEL": "ERROR",
    }
    started = [start_program(make_command(name), env=environment) for name in ("worker", "live")]
    try:
        yield
    finally:
        for process in started:
            process.terminate()
        for process in started:
            process.wait(timeout=30)


def start(name: str, spec: dict[str, Any], organiser: User) -> Tournament:
    tournament = create_tournament(spec={"name": name, **spec}, organiser=organiser)
    open_tournament(tournament_id=tournament.id)
    enter_players(tournament_id=tournament.id, players=ensure_house_players(FIELD))
    draw_tournament(tournament_id=tournament.id)
    return start_tournament(tournament_id=tournament.id)


def wait_until(is_done: Callable[[], bool]) -> None:
    ends_at = time.monotonic() + SECONDS_TO_FINISH
    while not is_done() and time.monotonic() < ends_at:
        time.sleep(0.2)


def finish_ladder(ladder: Tournament) -> None:
    """Let a ladder play for a while, then end it as an organiser does."""
    mine = Match.objects.filter(fixture_match__stage__tournament=ladder)
    wait_until(lambda: mine.filter(state=MatchState.FINISHED).count() >= MATCHES_OF_LADDER)
    pause_tournament(tournament_id=ladder.id)
    wait_until(lambda: not mine.filter(state=MatchState.PLAYING).exists())
    finish_tournament(tournament_id=ladder.id)


@pytest.mark.timeout(1200)
@pytest.mark.usefixtures("workers")
def test_workers_play_every_format_to_its_end() -> None:
    organiser = User.objects.create_user("organiser-of-tests")
    ladder = start("ladder", LADDER, organiser)
    for name, spec in SPECS.items():
        start(name, spec, organiser)
    finish_ladder(ladder)
    wait_until(lambda: not Tournament.objects.exclude(state="finished").exists())
    assert dict(Tournament.objects.values_list("name", "state")) == dict.fromkeys((*SPECS, "ladder"), "finished")
    of_ladder = Match.objects.filter(fixture_match__stage__tournament=ladder)
    assert of_ladder.filter(state=MatchState.FINISHED).count() >= MATCHES_OF_LADDER
    assert set(Match.objects.exclude(pk__in=of_ladder).values_list("state", flat=True)) == {"finished"}
    assert MatchResult.objects.count() == Match.objects.filter(state=MatchState.FINISHED).count()
    assert not Matchday.objects.exclude(state="finished").exists()
    rated = RatingChange.objects.values("match_id").distinct().count()
    assert 0 < rated <= Match.objects.filter(is_rated=True).count()


@pytest.mark.timeout(600)
@pytest.mark.parametrize("accepts", [pytest.param(False, id="gone"), pytest.param(True, id="hung")])
def test_workers_look_for_themselves_while_redis_says_nothing(accepts: bool) -> None:
    organiser = User.objects.create_user("organiser-in-silence")
    with socket.create_server(("127.0.0.1", 0), backlog=512) as silent:
        port = silent.getsockname()[1]
        if not accepts:
            silent.close()
        with run_workers(f"redis://127.0.0.1:{port}"):
            tournament = start("in silence", SPECS["swiss"], organiser)
            wait_until(lambda: Tournament.objects.filter(pk=tournament.pk, state="finished").exists())
    tournament.refresh_from_db()
    assert tournament.state == "finished"
