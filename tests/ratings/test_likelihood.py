"""The likelihood of a pool, its slope and its curvature: those of the definition, in pieces of any size."""

import numpy as np
import pytest

from tests.ratings.definition import derive_likelihood, draw_tables
from tournaments.rules.ratings import likelihood
from tournaments.rules.ratings.likelihood import (
    block_scores,
    information_diagonal,
    information_matrix,
    log_likelihood,
)
from tournaments.rules.ratings.rankings import PoolTables, strict_orders
from tournaments.rules.ratings.values import RatedTable

THETA = np.array([0.3, -1.2, 0.8, 0.0, 2.1])


@pytest.mark.parametrize("rows", [pytest.param(7, id="pieces of seven rows"), pytest.param(4096, id="one piece")])
@pytest.mark.parametrize("sides", [pytest.param(3, id="three sides"), pytest.param(2, id="sides of two")])
def test_everything_is_as_defined(monkeypatch: pytest.MonkeyPatch, sides: int, rows: int) -> None:
    monkeypatch.setattr(likelihood, "CHUNK_ROWS", rows)
    tables = draw_tables(5, 14, seed=1, sides=sides)
    rankings = strict_orders(PoolTables.from_tables(tables))
    expected = derive_likelihood(THETA, tables)
    value, slope = log_likelihood(THETA, rankings)
    assert value == pytest.approx(expected.value, rel=1e-6)
    assert slope == pytest.approx(expected.slope, abs=1e-5)
    assert information_matrix(THETA, rankings) == pytest.approx(expected.information, abs=1e-5)
    assert information_diagonal(THETA, rankings) == pytest.approx(np.diag(expected.information), abs=1e-5)


def test_strengths_a_world_apart_are_each_compared_at_their_own_table() -> None:
    """Two tables of equals, one of them 2000 above the other: each order has the chance of one in six."""
    tables = [RatedTable(((0,), (1,), (2,)), (1, 2, 3)), RatedTable(((3,), (4,), (5,)), (1, 2, 3))]
    theta = np.array([-1000.0] * 3 + [1000.0] * 3)
    value, slope = log_likelihood(theta, strict_orders(PoolTables.from_tables(tables)))
    assert value == pytest.approx(-2 * np.log(6))
    assert slope == pytest.approx([2 / 3, 1 / 6, -5 / 6] * 2)


@pytest.mark.parametrize("rows", [pytest.param(7, id="pieces of seven rows"), pytest.param(4096, id="one piece")])
@pytest.mark.parametrize("sides", [pytest.param(3, id="three sides"), pytest.param(2, id="sides of two")])
def test_a_row_of_scores_is_the_slope_of_one_block(monkeypatch: pytest.MonkeyPatch, sides: int, rows: int) -> None:
    monkeypatch.setattr(likelihood, "CHUNK_ROWS", rows)
    tables = draw_tables(5, 14, seed=2, sides=sides)
    scores = block_scores(THETA, strict_orders(PoolTables.from_tables(tables)))
    slopes = [derive_likelihood(THETA, tables[start : start + 2]).slope for start in range(0, len(tables), 2)]
    assert scores.toarray() == pytest.approx(np.array(slopes), abs=1e-6)
