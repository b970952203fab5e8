"""Which estimates are parted, all pairs at once, and ranks that count those who are."""

from math import inf
from random import Random

import numpy as np
import pytest
from scipy.stats import studentized_range

from tests.ratings.pools import simulate_threes
from tournaments.rules.designs import plan_matchdays
from tournaments.rules.ratings import listing
from tournaments.rules.ratings.fit import fit_pool
from tournaments.rules.ratings.likelihood import PoolTables
from tournaments.rules.ratings.listing import find_reach, span_fit, span_ranks
from tournaments.rules.ratings.values import Estimate, RatedTable


def test_the_reach_is_that_of_the_studentized_range() -> None:
    for count in (2, 3, 7, 60, 1000):
        reach = studentized_range.ppf(0.95, count, inf) / 2**0.5
        assert find_reach(count) == pytest.approx(reach, abs=1e-9)
    assert find_reach(7) == pytest.approx(4.170 / 2**0.5, abs=1e-3)
    assert find_reach(1) == inf


@pytest.mark.parametrize(("players", "freedom"), [(2, 3), (7, 5), (7, 2), (30, 10)])
def test_few_blocks_reach_further(players: int, freedom: int) -> None:
    reach = float(studentized_range.ppf(0.95, players, freedom)) / 2**0.5
    for gap, is_parted in ((0.985, False), (1.015, True)):
        values = [gap * reach * 2**0.5, *[0.0] * (players - 1)]
        spans = span_ranks({player: Estimate(value, 1.0, freedom) for player, value in enumerate(values)})
        assert (spans[1].best == 2) is is_parted


@pytest.mark.parametrize("rows", [pytest.param(3, id="pieces of three rows"), pytest.param(1024, id="one piece")])
def test_ranks_count_those_who_are_parted(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    monkeypatch.setattr(listing, "CHUNK_ROWS", rows)
    rng = Random(1)
    estimates = {player: Estimate(rng.gauss(0, 1), rng.uniform(0.1, 0.4)) for player in rng.sample(range(99), 10)}
    spans = span_ranks(estimates)
    assert list(spans) == list(estimates)
    for player, (value, se, _) in estimates.items():
        gaps = [(other.value - value) / np.hypot(se, other.se) for other in estimates.values()]
        assert spans[player].best == 1 + sum(gap > find_reach(10) for gap in gaps)
        assert spans[player].worst == 10 - sum(gap < -find_reach(10) for gap in gaps)
    assert len(set(spans.values())) > 4


def test_what_one_wins_another_loses() -> None:
    """Two of three estimates: the error of their difference is that of independent ones times the root of 3 / 2."""
    gap = 1.1 * find_reach(3) * 2**0.5
    estimates = {1: Estimate(gap, 1.0), 2: Estimate(0.0, 1.0), 3: Estimate(0.5, 1.0)}
    assert span_ranks(estimates)[2].best == 2
    assert span_ranks(estimates, is_zero_sum=True)[2].best == 1


@pytest.mark.parametrize("estimates", [{}, {4: Estimate(1.0, 0.1)}], ids=["nobody", "one alone"])
def test_nobody_is_parted_from_nobody(estimates: dict[int, Estimate]) -> None:
    assert span_ranks(estimates) == {player: (1, 1) for player in estimates}


def test_in_pools_of_equals_hardly_anybody_is_parted() -> None:
    """Pair by pair at 1.96 errors more than half of such pools had somebody parted."""
    parted = 0
    for seed in range(40):
        _, tables = simulate_threes(7, 72, seed, spread=0.0)
        parted += any(span.best > 1 for span in span_fit(fit_pool(tables)).values())
    assert parted <= 4


def test_means_of_equals_are_hardly_parted() -> None:
    rng, parted = np.random.default_rng(5), 0
    for _ in range(200):
        means = rng.normal(size=(8, 6)).reshape(8, 6)
        estimates = {
            player: Estimate(float(own.mean()), float(own.std(ddof=1)) / 6**0.5, 5) for player, own in enumerate(means)
        }
        parted += any(span.best > 1 for span in span_ranks(estimates).values())
    assert parted <= 12


def test_equals_of_few_blocks_are_hardly_parted() -> None:
    """A round robin of nine in four matchdays, where what one wins two others lose."""
    days = plan_matchdays("single", 9, 4)
    rng, parted = np.random.default_rng(1), 0
    for _ in range(400):
        own: dict[int, list[float]] = {}
        for table in (table for day in days for table in day):
            points = rng.permuted(np.tile([2.0, 1.0, 0.0], (12, 1)), axis=1).mean(axis=0)
            for who, mean in zip(table, points, strict=True):
                own.setdefault(who, []).append(float(mean))
        played = {who: means for who, means in own.items() if len(means) > 1}
        estimates = {
            who: Estimate(float(np.mean(means)), float(np.std(means, ddof=1)) / len(means) ** 0.5, len(means) - 1)
            for who, means in played.items()
        }
        parted += any(span.best > 1 for span in span_ranks(estimates, is_zero_sum=True).values())
    assert parted <= 24


def test_clear_differences_are_parted_within_an_island_only() -> None:
    ahead = [RatedTable(((0,), (1,)), (1, 2))] * 60 + [RatedTable(((1,), (0,)), (1, 2))] * 5
    apart = [RatedTable(((5,), (6,)), (2, 1))] * 60 + [RatedTable(((5,), (6,)), (1, 2))] * 5
    fit = fit_pool(PoolTables.from_tables(ahead + apart))
    assert span_fit(fit) == {0: (1, 1), 1: (2, 2), 5: (2, 2), 6: (1, 1)}
    assert span_fit(fit, [6]) == {6: (1, 1)}
