"""The fit of a small pool, told table by table: at the peak of the posterior, every number with its player."""

import dataclasses

import numpy as np
import pytest

from tests.ratings.definition import derive_likelihood, draw_tables
from tournaments.rules.ratings.fit import NEWCOMER_SD, PoolFit, _climb, _maximise, fit_pool
from tournaments.rules.ratings.likelihood import Point, PoolTables, read_wins
from tournaments.rules.ratings.scores import SLOPE_SD, Prior
from tournaments.rules.ratings.traits import Averaged
from tournaments.rules.ratings.values import Estimate, RatedTable


def test_the_peak_under_a_belief_has_no_slope(sides: int = 3) -> None:
    tables = draw_tables(5, 20, seed=5, sides=sides)
    mean, precision = np.array([0.2, -0.1, 0.0, 0.3, 0.0]), np.array([1.0, 4.0, 1.0, 2.0, 0.5])
    start = Point(np.zeros(5), -2.0, 0.3)
    wins = read_wins(PoolTables.from_tables(tables))
    prior = Prior(mean, precision, np.array([0.5, -0.4, 0.0, 0.2, 0.1]))
    for climb in (_maximise, lambda *given: _climb(*given)[::2]):
        point, is_converged = climb(wins, prior, start)
        assert is_converged
        slope = derive_likelihood(point, tables).slope - prior.pull(point.theta)
        assert slope == pytest.approx(np.zeros(5), abs=1e-4)


def test_the_belief_along_the_scores_is_that_of_a_slope_nobody_knows() -> None:
    mean, precision, scores = np.array([0.2, -0.1, 0.4]), np.array([1.0, 4.0, 2.0]), np.array([0.5, -0.4, 0.9])
    prior, theta = Prior(mean, precision, scores), np.array([0.3, 0.1, -0.2])
    inverse = np.linalg.inv(np.diag(1 / precision) + SLOPE_SD**2 * np.outer(scores, scores))
    assert prior.pull(theta) == pytest.approx(inverse @ (theta - mean))
    distance = 0.5 * (theta - mean) @ inverse @ (theta - mean)
    assert prior.distance(np.array([theta, mean])) == pytest.approx([distance, 0])
    assert prior.add_to(np.zeros((3, 3))) == pytest.approx(inverse)
    assert prior.log_determinant == pytest.approx(np.linalg.slogdet(inverse)[1])


def test_sides_of_two_have_a_peak_too() -> None:
    test_the_peak_under_a_belief_has_no_slope(sides=2)


def test_a_player_without_a_match_is_believed_to_be_like_the_others() -> None:
    played = PoolTables.from_tables(draw_tables(5, 20, seed=7))
    fit = fit_pool(dataclasses.replace(played, players=np.arange(7)))
    assert fit.matches.tolist() == [*fit_pool(played).matches.tolist(), 0, 0]
    assert fit.se[5:] == pytest.approx([NEWCOMER_SD] * 2, rel=0.1)
    assert fit.se[:5].max() < 1.2


FIT = PoolFit(
    np.array([3, 5, 8]),
    Averaged(np.array([0.1, 0.2, -0.3]), np.array([0.4, 0.5, 0.6]) ** 2, 0.5, np.zeros(0), ()),
    np.array([1, 1, 1]), np.array([0, 0, 0]), 0.2, is_converged=True,
)


@pytest.mark.parametrize(
    ("player", "estimate"), [(3, Estimate(0.1, 0.4)), (5, Estimate(0.2, 0.5)), (8, Estimate(-0.3, 0.6))]
)
def test_a_strength_is_found_by_its_player(player: int, estimate: Estimate) -> None:
    assert FIT.estimate(player) == FIT.estimates()[player] == pytest.approx(estimate)


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
