"""Services run by two connections at once on real Postgres: one of them acts, and nothing is counted twice."""

import threading
from collections.abc import Callable

import pytest
from django.db import connection

from games.models import Match, MatchResult, MatchState, RunnerNeed
from games.services.play import play_ready_matches
from tests.services.tournaments.conftest import Make, make_bots
from tournaments.models import Entrant, Fixture, FixtureMatch, Tournament, TournamentEvent
from tournaments.services.advance import advance_tournament
from tournaments.services.draw import draw_tournament
from tournaments.services.entries import enter_player
from tournaments.services.lifecycle import cancel_tournament, pause_tournament, resume_tournament
from tournaments.services.release import start_tournament

pytestmark = [
    # Naming the apps makes the flush after each test cascade to tables of swapped models.
    pytest.mark.django_db(transaction=True),
    pytest.mark.filterwarnings("ignore:task_always_eager has no effect on send_task"),
]

BLOCKS = {"format": "round_robin", "options": {"meetings": 1}, "block_deals": 2}


def run_at_once(*jobs: Callable[[], object]) -> list[BaseException]:
    """Run each job in a thread with a connection of its own; what they raised."""
    raised: list[BaseException] = []
    ready = threading.Barrier(len(jobs))

    def work(job: Callable[[], object]) -> None:
        try:
            ready.wait()
            job()
        except Exception as error:
            raised.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return raised


def require_counted_once(tournament: Tournament) -> None:
    numbers = list(TournamentEvent.objects.filter(tournament=tournament).values_list("number", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))
    for fixture in Fixture.objects.filter(state="pending", matchday__state="released"):
        ended = fixture.fixture_matches.filter(match__state=MatchState.FINISHED).count()
        assert fixture.open_matches == fixture.fixture_matches.count() - ended


def test_two_start_one_tournament(make_tournament: Make) -> None:
    tournament = make_tournament(BLOCKS, 9, state="drawn")
    raised = run_at_once(*[lambda: start_tournament(tournament_id=tournament.id)] * 2)
    assert raised == []
    assert FixtureMatch.objects.count() == Match.objects.count() == 18
    require_counted_once(tournament)


def test_two_draw_one_tournament(make_tournament: Make) -> None:
    tournament = make_tournament(BLOCKS, 9, state="open")
    raised = run_at_once(*[lambda: draw_tournament(tournament_id=tournament.id)] * 2)
    assert raised == []
    assert Fixture.objects.count() == 12
    require_counted_once(tournament)


def test_one_place_is_left_for_two(make_tournament: Make) -> None:
    tournament = make_tournament(BLOCKS, 3, state="open", capacity=4)
    first, second = make_bots(2)
    raised = run_at_once(
        lambda: enter_player(tournament_id=tournament.id, player=first),
        lambda: enter_player(tournament_id=tournament.id, player=second),
    )
    assert raised == []
    assert sorted(Entrant.objects.values_list("state", flat=True)) == ["entered"] * 4 + ["waiting"]


def test_two_workers_play_blocks_of_one_table(make_tournament: Make) -> None:
    """Matches of one fixture are settled by two workers in turn while a third connection advances."""
    tournament = make_tournament(BLOCKS, 9)
    advance_tournament(tournament_id=tournament.id)

    def advance_often() -> None:
        for _ in range(10):
            advance_tournament(tournament_id=tournament.id)

    def play() -> None:
        play_ready_matches(needs=RunnerNeed.HOUSE)

    raised = run_at_once(play, play, advance_often)
    assert raised == []
    advance_tournament(tournament_id=tournament.id)
    tournament.refresh_from_db()
    assert tournament.state == "finished"
    assert MatchResult.objects.count() == 72
    require_counted_once(tournament)


def test_pause_while_workers_play(make_tournament: Make) -> None:
    tournament = make_tournament(BLOCKS, 9)
    advance_tournament(tournament_id=tournament.id)

    def play() -> None:
        play_ready_matches(needs=RunnerNeed.HOUSE)

    def interrupt() -> None:
        for _ in range(5):
            pause_tournament(tournament_id=tournament.id)
            resume_tournament(tournament_id=tournament.id)

    assert run_at_once(play, play, interrupt) == []
    require_counted_once(tournament)
    play()
    advance_tournament(tournament_id=tournament.id)
    tournament.refresh_from_db()
    assert tournament.state == "finished"


def test_cancel_while_workers_play(make_tournament: Make) -> None:
    tournament = make_tournament(BLOCKS, 9)
    advance_tournament(tournament_id=tournament.id)
    raised = run_at_once(
        lambda: play_ready_matches(needs=RunnerNeed.HOUSE), lambda: cancel_tournament(tournament_id=tournament.id)
    )
    assert raised == []
    play_ready_matches(needs=RunnerNeed.HOUSE)
    assert set(Match.objects.values_list("state", flat=True)) <= {"finished", "void"}
    assert not Fixture.objects.filter(state="pending").exists()
