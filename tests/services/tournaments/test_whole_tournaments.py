"""Whole tournaments of every format, played in this process to their end."""

from typing import Any

import pytest

from games.models import Match, MatchResult, MatchState
from tests.services.tournaments.conftest import Make, play_on
from tournaments.models import StageStandings, TournamentEvent

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("stage", "entrants", "spec", "matches"),
    [
        pytest.param({"format": "round_robin", "options": {"meetings": 1}}, 9, {}, 12, id="round robin of nine"),
        pytest.param({"format": "round_robin"}, 5, {}, 5, id="round robin with byes"),
        pytest.param(
            {"format": "round_robin", "options": {"matchdays": 1}, "block_deals": 2}, 3, {}, 6, id="block of six"
        ),
        pytest.param(
            {"format": "round_robin", "options": {"matchdays": 1}, "matches_each": 4}, 3, {}, 4, id="four a fixture"
        ),
    ],
)
def test_plays_to_the_end(
    make_tournament: Make, stage: dict[str, Any], entrants: int, spec: dict[str, Any], matches: int
) -> None:
    tournament = play_on(make_tournament(stage, entrants, **spec))
    assert tournament.state == "finished"
    assert tournament.finished_at is not None
    assert Match.objects.filter(state=MatchState.FINISHED).count() == MatchResult.objects.count() == matches
    rows = StageStandings.objects.get(stage__tournament=tournament).rows
    assert [row["place"] for row in rows] == sorted(row["place"] for row in rows)
    assert len(rows) == entrants
    numbers = list(TournamentEvent.objects.filter(tournament=tournament).values_list("number", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))
