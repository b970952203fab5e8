"""An event that was played to its end with nobody hurt, made once; what a test plants in it is rolled back."""

from collections.abc import Iterator

import pytest
from django.db import connection, transaction
from pytest_django import DjangoDbBlocker

from benchmarks.chaos.ledger import install_history
from benchmarks.chaos.trial import ChaosEvent, start_event
from games.models import RunnerNeed
from games.services.play import play_ready_matches
from tests.leftovers import empty_tables
from tournaments.models import TournamentState
from tournaments.services.advance import advance_tournament


@pytest.fixture(scope="module")
def played_event(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[ChaosEvent]:
    """The poison kills nobody here: no worker of the tests knows its agent, which also sets it aside."""
    with django_db_blocker.unblock(), transaction.atomic():
        install_history()
        event = start_event(36, 1)
        for _ in range(20):
            play_ready_matches(needs=RunnerNeed.HOUSE)
            advance_tournament(tournament_id=event.tournament.pk)
        event.tournament.refresh_from_db()
        assert event.tournament.state == TournamentState.FINISHED
        # No worker is there to be nudged.
        connection.run_on_commit.clear()
    yield event
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        empty_tables()
        cursor.execute("DROP FUNCTION chaos_note CASCADE; DROP TABLE chaos_history")


@pytest.fixture
def event(played_event: ChaosEvent, db: None) -> ChaosEvent:
    return played_event
