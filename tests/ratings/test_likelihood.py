"""The likelihood of a pool, its slope and its curvature: those of the definition, in pieces of any size."""

import numpy as np
import pytest

from tests.ratings.definition import derive_likelihood, draw_tables
from tests.ratings.pools import simulate_threes
from tournaments.rules.ratings import likelihood
from tournaments.rules.ratings.likelihood import (
    Point,
    PoolTables,
    information_diagonal,
    information_matrix,
    log_likelihood,
    read_wins,
    side_scores,
)
from tournaments.rules.ratings.values import RatedTable

POINT = Point(np.array([0.3, -1.2, 0.8, 0.0, 2.1]), -0.7, 0.4)


@pytest.mark.parametrize("rows", [pytest.param(7, id="pieces of seven rows"), pytest.param(4096, id="one piece")])
@pytest.mark.parametrize("sides", [pytest.param(3, id="three sides"), pytest.param(2, id="sides of two")])
@pytest.mark.parametrize("has_ties", [True, False], ids=["shared wins", "no shared win"])
def test_everything_is_as_defined(monkeypatch: pytest.MonkeyPatch, sides: int, rows: int, has_ties: bool) -> None:
    monkeypatch.setattr(likelihood, "CHUNK_ROWS", rows)
    tables = draw_tables(5, 14, seed=1, sides=sides)
    if not has_ties:
        tables = [table for table in tables if table.places.count(1) == 1]
    wins = read_wins(PoolTables.from_tables(tables))
    assert wins.has_ties is has_ties
    expected, found = derive_likelihood(POINT, tables), log_likelihood(POINT, wins)
    assert found.value == pytest.approx(expected.value)
    assert found.theta == pytest.approx(expected.slope)
    assert information_matrix(POINT, wins) == pytest.approx(expected.information)
    assert information_diagonal(POINT, wins) == pytest.approx(np.diag(expected.information))


def test_the_slope_of_the_factor_of_shared_wins() -> None:
    wins = read_wins(PoolTables.from_tables(draw_tables(5, 14, seed=3)))
    step = 1e-6
    up, down = (log_likelihood(POINT._replace(tie=POINT.tie + way * step), wins).value for way in (1, -1))
    assert log_likelihood(POINT, wins).tie == pytest.approx((up - down) / (2 * step), abs=1e-4)


def test_a_match_counts_as_much_as_its_weight() -> None:
    wins = read_wins(PoolTables.from_tables(draw_tables(5, 14, seed=4)))
    plain, curve = log_likelihood(POINT, wins), information_matrix(POINT, wins)
    wins.weights[:] = 0.5
    assert log_likelihood(POINT, wins).value == pytest.approx(plain.value / 2)
    assert log_likelihood(POINT, wins).theta == pytest.approx(plain.theta / 2)
    assert information_matrix(POINT, wins) == pytest.approx(curve / 2)


def test_strengths_a_world_apart_are_each_compared_at_their_own_table() -> None:
    """Two tables of equals, one of them 2000 above the other: each order has the chance of one in six."""
    tables = [RatedTable(((0,), (1,), (2,)), (1, 2, 3)), RatedTable(((3,), (4,), (5,)), (1, 2, 3))]
    point = Point(np.array([-1000.0] * 3 + [1000.0] * 3), 0.0, 1.0)
    found = log_likelihood(point, read_wins(PoolTables.from_tables(tables)))
    assert found.value == pytest.approx(-2 * np.log(6))
    assert found.theta == pytest.approx([2 / 3, 1 / 6, -5 / 6] * 2)


def test_large_strengths_are_no_overflow() -> None:
    wins = read_wins(simulate_threes(3, 5, 1)[1])
    found = log_likelihood(Point(np.array([2000.0, 990.0, 5.0]), 0.0, 1.0), wins)
    assert np.isfinite(found.value) and np.isfinite(found.theta).all()


def test_scores_add_up_to_the_slope() -> None:
    tables = draw_tables(5, 14, seed=2)
    scores = side_scores(POINT, read_wins(PoolTables.from_tables(tables)))
    slopes = [derive_likelihood(POINT, [table, *tables]).slope - derive_likelihood(POINT, tables).slope
              for table in tables]
    for match, table in enumerate(tables):
        own = np.zeros(5)
        for side, (player,) in enumerate(table.sides):
            own[player] = scores[side, match]
        assert own == pytest.approx(slopes[match])


@pytest.mark.parametrize(
    ("places", "winners", "second"),
    [
        pytest.param((2, 1, 3), (1,), (1, 0, -1), id="no tie"),
        pytest.param((1, 1, 2), (0, 1), (0, 0, 0), id="a shared win"),
        pytest.param((2, 1, 2), (1,), (0, 0, 0), id="a shared second place says nothing of who is second"),
        pytest.param((1, 1, 1), (0, 1, 2), (0, 0, 0), id="all level"),
        pytest.param((1, 1), (0, 1), (0, 0), id="a draw of two sides"),
        pytest.param((2, 1), (1,), (0, 0), id="two sides"),
    ],
)
def test_who_won_and_who_was_second(places: tuple[int, ...], winners: tuple[int, ...], second: tuple[int]) -> None:
    sides = tuple((player,) for player in range(len(places)))
    wins = read_wins(PoolTables.from_tables([RatedTable(sides, places)]))
    credit = wins.credits[wins.outcomes[0]]
    assert credit.tolist() == [(side in winners) / len(winners) for side in range(len(places))]
    assert wins.seconds[:, 0].tolist() == list(second)
