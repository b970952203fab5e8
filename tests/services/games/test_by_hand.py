"""Results that come another way than from a table: what they must not mix up."""

import pytest

from games.models import MatchResult, ResultKind, RunnerNeed
from games.services.by_hand import ResultDecision, take_result
from games.services.play import play_ready_matches
from tests.services.games.conftest import MakeMatches

pytestmark = pytest.mark.django_db


def test_no_match_takes_the_result_of_other_deals(make_matches: MakeMatches) -> None:
    first, second = make_matches("house:random", "house:greedy", "house:random", count=2)
    play_ready_matches(needs=RunnerNeed.HOUSE)
    before = MatchResult.objects.values().get(match=first)
    with pytest.raises(ValueError, match="same deals"):
        take_result(match_id=first.pk, from_match_id=second.pk, decision=ResultDecision(ResultKind.RERUN, "a test"))
    assert MatchResult.objects.values().get(match=first) == before
