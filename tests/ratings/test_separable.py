"""Which estimates are parted: the interval of the difference, and ranks that count those who are."""

from random import Random

import pytest

from tournaments.rules.ratings import separable
from tournaments.rules.ratings.separable import are_separable, span_ranks
from tournaments.rules.ratings.values import Estimate


@pytest.mark.parametrize(
    ("gap", "is_parted"), [pytest.param(9.79, False, id="within 1.96 errors"), pytest.param(9.81, True, id="beyond")]
)
def test_two_are_parted_by_the_error_of_their_difference(gap: float, is_parted: bool) -> None:
    """Errors of 3 and 4 make one of 5."""
    one, other = Estimate(-2.0, 3.0), Estimate(-2.0 + gap, 4.0)
    assert are_separable(one, other) is are_separable(other, one) is is_parted


@pytest.mark.parametrize("rows", [pytest.param(3, id="pieces of three rows"), pytest.param(1024, id="one piece")])
def test_ranks_count_those_who_are_parted(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    monkeypatch.setattr(separable, "CHUNK_ROWS", rows)
    rng = Random(1)
    estimates = {player: Estimate(rng.gauss(0, 1), rng.uniform(0.1, 0.6)) for player in rng.sample(range(99), 10)}
    spans = span_ranks(estimates)
    assert list(spans) == list(estimates)
    for player, own in estimates.items():
        others = [other for other in estimates.values() if are_separable(own, other)]
        assert spans[player].best == 1 + sum(other.value > own.value for other in others)
        assert spans[player].worst == 10 - sum(other.value < own.value for other in others)
    assert len(set(spans.values())) > 5


def test_nobody_has_no_rank() -> None:
    assert span_ranks({}) == {}
