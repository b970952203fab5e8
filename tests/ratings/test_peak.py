"""The fit of a small pool, told table by table: at the peak of the posterior, every number with its player."""

import dataclasses

import numpy as np
import pytest

from tests.ratings.definition import derive_likelihood, draw_tables
from tests.ratings.pools import simulate_threes
from tournaments.rules.ratings.fit import GRADIENT_TOLERANCE, PoolFit, fit_pool
from tournaments.rules.ratings.likelihood import information_diagonal, log_likelihood
from tournaments.rules.ratings.rankings import FloatArray, PoolTables, strict_orders
from tournaments.rules.ratings.values import Estimate, RatedTable


def define_slope(tables: list[RatedTable], theta: FloatArray, mean: FloatArray, sd: FloatArray) -> FloatArray:
    """Of the log posterior: of the likelihood, and of normal beliefs about each strength."""
    return derive_likelihood(theta, tables).slope - (theta - mean) / sd**2


@pytest.mark.parametrize("sides", [pytest.param(3, id="three sides"), pytest.param(2, id="sides of two")])
def test_the_slope_is_nothing_at_the_fit(sides: int) -> None:
    tables = draw_tables(5, 20, seed=5, sides=sides)
    fit = fit_pool(PoolTables.from_tables(tables))
    assert np.ptp(fit.theta) > 0.3
    assert define_slope(tables, fit.theta, np.zeros(5), np.ones(5)) == pytest.approx(np.zeros(5), abs=1e-4)


def test_the_peak_of_many_matches_is_found_to_a_small_part_of_the_doubt() -> None:
    tables = simulate_threes(40, 6000, 11)[1]
    rankings, theta = strict_orders(tables), fit_pool(tables).theta
    slope = log_likelihood(theta, rankings)[1] - theta
    assert np.abs(slope / np.sqrt(information_diagonal(theta, rankings) + 1)).max() < 5 * GRADIENT_TOLERANCE


def test_a_player_without_a_match_keeps_the_prior() -> None:
    played = PoolTables.from_tables(draw_tables(5, 20, seed=7))
    fit = fit_pool(dataclasses.replace(played, players=np.arange(7)))
    assert fit.matches.tolist() == [*fit_pool(played).matches.tolist(), 0, 0]
    assert fit.theta[5:] == pytest.approx([0, 0], abs=1e-6)


def test_a_successor_is_believed_to_be_near_its_forerunner() -> None:
    """The second fit has the peak of a posterior whose prior is the first fit, half a unit and its error wide."""
    tables = draw_tables(5, 20, seed=6)
    pool = PoolTables.from_tables(tables)
    first, second = fit_pool(pool), fit_pool(pool, {4: 2})
    mean, sd = np.zeros(5), np.ones(5)
    mean[4], sd[4] = first.theta[2], np.hypot(first.se[2], 0.5)
    assert define_slope(tables, second.theta, mean, sd) == pytest.approx(np.zeros(5), abs=1e-4)
    assert abs(second.theta[4] - first.theta[4]) > 0.01
    assert second.se[4] < first.se[4]
    assert fit_pool(pool, {4: 77}).theta.tolist() == first.theta.tolist()


FIT = PoolFit(
    np.array([3, 5, 8]), np.array([0.1, 0.2, -0.3]), np.array([0.4, 0.5, 0.6]), np.array([1, 1, 1]), is_converged=True
)


@pytest.mark.parametrize(
    ("player", "estimate"), [(3, Estimate(0.1, 0.4)), (5, Estimate(0.2, 0.5)), (8, Estimate(-0.3, 0.6))]
)
def test_a_strength_is_found_by_its_player(player: int, estimate: Estimate) -> None:
    assert FIT.estimate(player) == FIT.estimates()[player] == estimate


def test_a_fit_that_lost_a_number_is_refused() -> None:
    with pytest.raises(ValueError):
        dataclasses.replace(FIT, se=FIT.se[:2]).estimates()


@pytest.mark.parametrize("player", [1, 4, 9], ids=["before all", "between", "after all"])
def test_a_stranger_has_no_strength(player: int) -> None:
    with pytest.raises(KeyError, match=str(player)):
        FIT.estimate(player)


def test_a_pool_is_columns_of_the_tables_that_can_be_rated() -> None:
    pool = PoolTables.from_tables([
        RatedTable(((70,), (20,), (50,)), (1, 2, 2), block=9),
        RatedTable(((20,), (50,), (90,)), (1, 2, 3), frozenset({20, 50, 90}), block=4),
        RatedTable(((20,), (50,), (10,)), (3, 1, 2)),
        RatedTable(((50,), (10,), (70,)), (1, 2, 3), frozenset({50}), block=9),
        RatedTable(((50,), (20,), (70,)), (2, 1, 3)),
    ])
    assert pool.players.tolist() == [10, 20, 50, 70]
    assert pool.sides[:, :, 0].tolist() == [[3, 1, 2], [1, 2, 0], [2, 0, 3], [2, 1, 3]]
    assert pool.places.tolist() == [[1, 2, 2], [3, 1, 2], [4, 2, 3], [2, 1, 3]]
    assert pool.blocks[0] == pool.blocks[2]
    assert sorted(set(pool.blocks.tolist())) == [0, 1, 2]


def test_a_match_without_a_block_is_a_block_of_its_own() -> None:
    blocks = [0, None, 1, None, 2, None, 3]
    pool = PoolTables.from_tables(RatedTable(((1,), (2,)), (1, 2), block=block) for block in blocks)
    assert sorted(pool.blocks.tolist()) == list(range(7))


def test_everybodys_matches_are_counted() -> None:
    pool = PoolTables.from_tables([
        RatedTable(((7, 2), (5, 9)), (1, 2)),
        RatedTable(((7, 5), (2, 3)), (2, 1)),
        RatedTable(((7, 9), (5, 3)), (1, 1)),
    ])
    matches = fit_pool(pool).matches
    assert dict(zip(pool.players.tolist(), matches.tolist(), strict=True)) == {2: 2, 3: 2, 5: 3, 7: 3, 9: 2}
    assert matches.dtype == np.int64
