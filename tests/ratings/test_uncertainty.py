"""Standard errors: those of the definition, and which of two is taken where blocks are few."""

import numpy as np
import pytest

from tests.ratings.definition import derive_likelihood, draw_tables
from tournaments.rules.ratings import uncertainty
from tournaments.rules.ratings.fit import fit_pool
from tournaments.rules.ratings.rankings import FloatArray, PoolTables, strict_orders
from tournaments.rules.ratings.uncertainty import FEW_BLOCKS, standard_errors
from tournaments.rules.ratings.values import RatedTable

THETA = np.array([0.3, -1.2, 0.8, 0.0, 2.1])
PRECISION = np.array([1.0, 1.0, 4.0, 1.0, 2.0])


def define_errors(tables: list[RatedTable], *, is_dense: bool) -> tuple[FloatArray, FloatArray]:
    """Without and with blocks. Dense ones are of strength less the mean strength; the others know no covariance."""
    size = len(THETA)
    information = derive_likelihood(THETA, tables).information + np.diag(PRECISION)
    blocks = {table.block for table in tables}
    slopes = [derive_likelihood(THETA, [table for table in tables if table.block == block]).slope for block in blocks]
    spread = sum(np.outer(slope, slope) for slope in slopes) + np.diag(PRECISION)
    less_mean = np.eye(size) - 1 / size
    if not is_dense:
        information, spread, less_mean = np.diag(np.diag(information)), np.diag(np.diag(spread)), np.eye(size)
    covariance = np.linalg.inv(information)
    plain, clustered = (
        np.sqrt(np.diag(less_mean @ matrix @ less_mean.T)) for matrix in (covariance, covariance @ spread @ covariance)
    )
    return plain, clustered


def count_blocks(tables: list[RatedTable]) -> list[int]:
    return [
        len({table.block for table in tables for side in table.sides if player in side})
        for player in range(len(THETA))
    ]


def errors_of(tables: list[RatedTable]) -> FloatArray:
    return standard_errors(THETA, strict_orders(PoolTables.from_tables(tables)), PRECISION)


@pytest.mark.parametrize("limit", [pytest.param(5, id="dense"), pytest.param(4, id="diagonal")])
@pytest.mark.parametrize("seed", range(3))
def test_matches_alone_have_the_error_of_the_curvature(
    monkeypatch: pytest.MonkeyPatch, limit: int, seed: int
) -> None:
    monkeypatch.setattr(uncertainty, "DENSE_LIMIT", limit)
    tables = draw_tables(5, 30, seed, matches=1)
    plain, _ = define_errors(tables, is_dense=limit == 5)
    assert errors_of(tables) == pytest.approx(plain, rel=1e-6)
    assert errors_of([table._replace(block=None) for table in tables]) == pytest.approx(plain, rel=1e-6)


@pytest.mark.parametrize("limit", [pytest.param(5, id="dense"), pytest.param(4, id="diagonal")])
@pytest.mark.parametrize("seed", range(3))
def test_a_clustered_error_is_taken_where_blocks_are_many_or_it_is_wider(
    monkeypatch: pytest.MonkeyPatch, limit: int, seed: int
) -> None:
    monkeypatch.setattr(uncertainty, "DENSE_LIMIT", limit)
    tables = draw_tables(5, 45, seed)
    plain, clustered = define_errors(tables, is_dense=limit == 5)
    blocks = np.array(count_blocks(tables))
    assert blocks[-1] < FEW_BLOCKS <= blocks[:-1].min()
    expected = [
        own if number >= FEW_BLOCKS else max(alone, own)
        for alone, own, number in zip(plain, clustered, blocks.tolist(), strict=True)
    ]
    assert errors_of(tables) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(
    ("limit", "blocks", "error"),
    [
        pytest.param(2, 19, (2 * 20) ** -0.5, id="dense, too few: not narrower than without blocks"),
        pytest.param(2, 20, 0.5**0.5 / 21, id="dense, enough: what the blocks say"),
        pytest.param(1, 18, 10**-0.5, id="diagonal, too few"),
        pytest.param(1, 20, 1 / 11, id="diagonal, enough"),
    ],
)
def test_blocks_that_cancel_narrow_the_error_only_where_there_are_enough(
    monkeypatch: pytest.MonkeyPatch, limit: int, blocks: int, error: float
) -> None:
    """Two players, alike, who win once each in every block: its slope is nothing, and the spread is the prior's alone.

    The information of n blocks is n / 2 for each of them and n for half their difference, that of the prior is 1.
    """
    monkeypatch.setattr(uncertainty, "DENSE_LIMIT", limit)
    tables = [RatedTable(((0,), (1,)), places, block=block) for block in range(blocks) for places in ((1, 2), (2, 1))]
    found = standard_errors(np.zeros(2), strict_orders(PoolTables.from_tables(tables)), np.ones(2))
    assert found == pytest.approx([error] * 2)


@pytest.mark.parametrize(
    ("limit", "error"),
    [pytest.param(7, (6 / 7) ** 0.5, id="dense, against the mean of seven"), pytest.param(6, 1.0, id="diagonal")],
)
@pytest.mark.parametrize("matches", [1, 2], ids=["matches alone", "blocks"])
def test_without_a_match_the_doubt_is_that_of_the_prior(
    monkeypatch: pytest.MonkeyPatch, limit: int, matches: int, error: float
) -> None:
    monkeypatch.setattr(uncertainty, "DENSE_LIMIT", limit)
    rankings = strict_orders(PoolTables.from_tables(draw_tables(5, 20, seed=7, matches=matches)))
    found = standard_errors(np.append(THETA, [0, 0]), rankings, np.ones(7))
    assert found[5:] == pytest.approx([error] * 2)


def test_a_fit_tells_the_errors_at_its_peak() -> None:
    tables = PoolTables.from_tables(draw_tables(5, 36, seed=4))
    fit = fit_pool(tables)
    assert fit.se.tolist() == standard_errors(fit.theta, strict_orders(tables), np.ones(5)).tolist()
