"""How often a worker waits for Postgres: far from it, each exchange takes as long as a hundred matches."""

import re
import tempfile
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from games.models import RunnerNeed
from games.services import play
from games.services.play import BatchSize, play_ready_matches
from tests.services.tournaments.conftest import Make, make_bots, organiser
from tests.services.tournaments.conftest import make_tournament as make_tournament

__all__ = ["make_bots", "organiser"]
ANSWERED = re.compile(r"\tB\t\d+\t(ReadyForQuery|CopyInResponse)\t")


def count_exchanges(what: Callable[..., Any], **given: Any) -> tuple[int, Any]:
    """By libpq's own trace: a wait ends where the server is ready, or asks for the rows of a COPY."""
    connection.ensure_connection()
    with tempfile.TemporaryFile("w+") as trace:
        connection.connection.pgconn.trace(trace.fileno())
        done = what(**given)
        connection.connection.pgconn.untrace()
        trace.seek(0)
        return sum(1 for line in trace if ANSWERED.search(line)), done


def test_a_claim_and_a_settling_wait_seldom(make_tournament: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the second of two: the first makes the pool. In a test a savepoint stands for BEGIN, another for COMMIT."""
    make_tournament({"format": "round_robin", "options": {"meetings": 1}}, 9)
    monkeypatch.setattr(play, "_size", BatchSize())
    monkeypatch.setitem(play._size._sizes, RunnerNeed.HOUSE, 1)
    counts = dict[str, int]()

    def counted(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(**given: Any) -> Any:
            counts[name], done = count_exchanges(real, **given)
            return done

        return call

    monkeypatch.setattr(play, "claim_matches", counted("claim", play.claim_matches))
    monkeypatch.setattr(play, "settle_matches", counted("settling", play.settle_matches))
    monkeypatch.setattr(BatchSize, "learn", lambda self, need, **seen: None)
    for _ in range(2):
        counts.clear()
        play_ready_matches(needs=RunnerNeed.HOUSE, seconds=0.001)
    assert counts == {"claim": 2, "settling": 15}
