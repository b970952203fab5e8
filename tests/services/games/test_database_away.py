"""A database that goes away under a worker: what it could not settle is played again, and no match is blamed."""

from contextlib import closing

import pytest
from django.db import OperationalError, connection

from bots.brains import make_brain
from games.models import Match, MatchResult, MatchState, RunnerNeed
from games.play.agents import Agent, SeatOrder, register_agents
from games.rules.view import View
from games.services.play import play_ready_matches
from tests.services.games.conftest import MakeMatches

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.filterwarnings("ignore::celery.exceptions.AlwaysEagerIgnored"),
]


def break_connection() -> None:
    """As a server that dies does to everybody at once."""
    assert connection.connection is not None
    with closing(connection.copy()) as other, other.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 10000)", [connection.connection.info.backend_pid])


@pytest.mark.parametrize("times", [1, 4], ids=["once", "more often than a match may fail"])
def test_a_batch_that_could_not_be_settled_is_played_again_unblamed(make_matches: MakeMatches, times: int) -> None:
    due: list[bool] = []

    def open_breaker(order: SeatOrder) -> Agent:
        brain = make_brain("random", 1)

        class Breaker:
            def choose(self, view: View) -> int:
                if due and due.pop():
                    break_connection()
                return brain.choose(view)

        return Breaker()

    register_agents("breaker", open_breaker)
    make_matches("house:random", "breaker:random", "house:greedy", count=3)
    for _ in range(times):
        due.append(True)
        with pytest.raises(OperationalError):
            play_ready_matches(needs=RunnerNeed.HOUSE)
        connection.close()
        assert set(Match.objects.values_list("state", "attempt")) == {(MatchState.PLAYING, 1)}
    assert play_ready_matches(needs=RunnerNeed.HOUSE) == 3
    told = set(Match.objects.values_list("state", "attempt", "is_suspect", "trouble"))
    assert told == {(MatchState.FINISHED, 1, False, "")}
    assert MatchResult.objects.count() == 3
