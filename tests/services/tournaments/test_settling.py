"""Settling a batch takes the same number of statements however many matches it holds."""

import uuid
from collections.abc import Sequence
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import MatchResult, RunnerNeed
from games.services.lease import ClaimedMatch, claim_matches
from games.services.play import Batch
from games.services.settle import settle_matches
from tests.services.tournaments.conftest import Make
from tournaments.models import Tournament
from tournaments.services.advance import advance_tournament

pytestmark = pytest.mark.django_db

STAGES: dict[str, dict[str, Any]] = {
    "single matches": {"format": "round_robin", "options": {"meetings": 1}},
    "blocks": {"format": "round_robin", "options": {"meetings": 1}, "block_deals": 2},
}


def play_claimed(claimed: Sequence[ClaimedMatch], token: uuid.UUID) -> Batch:
    """A batch that has been played, but not settled."""
    batch = Batch(tuple(claimed), token)
    for match in claimed:
        batch._play_one(match)
    return batch


def count_statements(tournament: Tournament, matches: int) -> int:
    token = uuid.uuid4()
    claimed = claim_matches(token=token, limit=matches, needs=RunnerNeed.HOUSE)
    assert len(claimed) == matches
    played = play_claimed(claimed, token).played
    with CaptureQueriesContext(connection) as seen:
        assert len(settle_matches(played=played, token=token)) == matches
    return len(seen)


@pytest.mark.parametrize("stage", STAGES.values(), ids=STAGES)
def test_statements_do_not_grow_with_the_batch(make_tournament: Make, stage: dict[str, Any]) -> None:
    tournament = make_tournament(stage, 15)
    advance_tournament(tournament_id=tournament.id)
    count_statements(tournament, 6)
    small, large = count_statements(tournament, 6), count_statements(tournament, 20)
    assert small == large <= 25
    assert MatchResult.objects.count() == 32


def test_claiming_takes_the_same_statements_for_one_and_for_many(make_tournament: Make) -> None:
    advance_tournament(tournament_id=make_tournament(STAGES["single matches"], 15).id)
    counts = []
    for limit in (2, 30):
        with CaptureQueriesContext(connection) as seen:
            claim_matches(token=uuid.uuid4(), limit=limit, needs=RunnerNeed.HOUSE)
        counts.append(len(seen))
    assert counts[0] == counts[1]
