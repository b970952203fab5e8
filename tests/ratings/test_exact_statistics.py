"""Means, shares, bias and points: each number beside the one that scipy or the definition gives."""

import numpy as np
import pytest
from scipy import stats

from tournaments.rules.crosstable import (
    block_means,
    build_crosstable,
    estimate_points,
    interval_of_mean,
    measure_first_player_bias,
    measure_seat_bias,
)
from tournaments.rules.standings import FixtureEnd, Scoring, TableResult


@pytest.mark.parametrize(
    ("values", "blocks", "means"),
    [
        pytest.param([1.5, -2.0, 4.0, 0.5], None, [1.5, -2.0, 4.0, 0.5], id="no blocks"),
        pytest.param([1.0, 2.0], None, [1.0, 2.0], id="two values"),
        pytest.param([-1.0, -2.0, -6.0, -3.0], [9, 2, 9, 5], [-2.0, -3.0, -3.5], id="blocks, below zero"),
    ],
)
def test_the_interval_of_a_mean_is_students(values: list[float], blocks: list[int] | None, means: list[float]) -> None:
    expected = stats.ttest_1samp(means, 0)
    low, high = expected.confidence_interval(0.95)
    found = interval_of_mean(values, blocks)
    assert found == pytest.approx((np.mean(means), low, high, expected.pvalue, len(means)))
    if blocks is not None:
        assert block_means(values, blocks).tolist() == means


@pytest.mark.parametrize("values", [[3.0], [2.0, 2.0]], ids=["one observation", "no variation"])
def test_without_variation_the_mean_stands_alone(values: list[float]) -> None:
    assert interval_of_mean(values) == (values[0], None, None, None, len(values))


def teams(first: int, block: int | None = None, *, first_seat: int = 0, **other: object) -> TableResult:
    """Two sides; the one that is named comes first, or, for 2, both do."""
    places = ((1, 2), (2, 1), (1, 1))[first]
    return TableResult((5, 6), places, totals=(0, first), block=block, first_seat=first_seat, **other)  # type: ignore[arg-type]


def test_two_sides_are_tested_as_by_student() -> None:
    """Four blocks with shares of 1, 1/2, 3/4 and 0 for the first side."""
    results = [teams(0, 8), teams(0, 3), teams(1, 3), teams(0, 1), teams(2, 1), teams(1, 2)]
    bias = measure_seat_bias(results)
    expected = stats.ttest_1samp([1, 0.5, 0.75, 0], 0.5)
    assert bias.statistic == pytest.approx(expected.statistic**2)
    assert bias.p_value == pytest.approx(expected.pvalue)
    assert [share.mean for share in bias.shares] == pytest.approx([9 / 16, 7 / 16])
    assert (bias.matches, bias.shares[0].observations) == (6, 4)


def test_two_sides_count_from_the_first_player() -> None:
    results = [teams(0, first_seat=1), teams(1, first_seat=2), teams(1, first_seat=3), teams(2), teams(1)]
    assert [share.mean for share in measure_first_player_bias(results).shares] == pytest.approx([1.5 / 5, 3.5 / 5])


@pytest.mark.parametrize(
    "left_out",
    [
        pytest.param(teams(1, forfeits=(0,)), id="a forfeit"),
        pytest.param(TableResult((5,), kind=FixtureEnd.BYE), id="a bye"),
        pytest.param(teams(1, kind=FixtureEnd.VOID), id="void"),
    ],
)
def test_bias_is_of_matches_played_to_the_end(left_out: TableResult) -> None:
    results = [teams(0), teams(0), teams(1), teams(0)]
    assert measure_seat_bias([left_out, *results]) == measure_seat_bias(results)


def threes(*winners: int) -> list[TableResult]:
    return [TableResult((5, 6, 7), tuple(1 if seat == winner else 2 for seat in range(3))) for winner in winners]


@pytest.mark.parametrize(
    ("results", "is_told"),
    [
        pytest.param(threes(0, 1, 2), False, id="three blocks"),
        pytest.param(threes(0, 1, 2, 0), True, id="four blocks"),
        pytest.param(threes(0, 1, 0, 1, 0), False, id="a seat that never wins: no variation of its own"),
        pytest.param(threes(2, 2, 2, 2, 2), False, id="no variation at all"),
        pytest.param([teams(0), teams(1)], False, id="two blocks of two sides"),
        pytest.param([teams(0), teams(1), teams(0)], True, id="three blocks of two sides"),
    ],
)
def test_bias_needs_more_blocks_than_seats_and_variation(results: list[TableResult], is_told: bool) -> None:
    bias = measure_seat_bias(results)
    assert (bias.p_value is not None) is (bias.statistic is not None) is is_told
    assert bias.matches == len(results)


def test_a_match_without_a_block_is_a_block_of_its_own() -> None:
    results = [teams(0, 0), teams(0), teams(1, 1), teams(1), teams(1, 2), teams(0), teams(0, 3)]
    assert measure_seat_bias(results).shares[0].observations == 7
    assert build_crosstable(results)[5, 6].blocks == 7
    points = estimate_points(results, Scoring(points=(1, 0)))[5]
    assert points == pytest.approx((4 / 7, stats.sem([1, 1, 0, 0, 0, 1, 1]), 6))


def test_nothing_played_tells_nothing_about_bias() -> None:
    bias = measure_seat_bias([])
    assert (bias.shares, bias.statistic, bias.p_value, bias.matches) == ((), None, None, 0)


def test_points_are_means_over_blocks_with_their_error() -> None:
    """Entrant 5 has 2 and 1 in one block, 0 in the next and 1.5 alone: block means of 1.5, 0 and 1.5."""
    results = [
        TableResult((5, 6, 7), (1, 2, 3), block=4),
        TableResult((5, 6, 7), (2, 1, 3), block=4),
        TableResult((5,), kind=FixtureEnd.BYE),
        TableResult((6, 7, 5), (1, 2, 3), block=9),
        TableResult((5, 8, 7), (1, 1, 3)),
        TableResult((6, 7, 8), (1, 2, 3)),
    ]
    found = estimate_points(results, Scoring())
    points: dict[int, list[float]] = {5: [1.5, 0, 1.5], 6: [1.5, 2, 2], 7: [0, 1, 0, 1], 8: [1.5, 0]}
    assert list(found) == [5, 6, 7, 8]
    for entrant, means in points.items():
        assert found[entrant] == pytest.approx((np.mean(means), stats.sem(means), len(means) - 1))


@pytest.mark.parametrize("blocks", [(1, 2), (None, None)], ids=["blocks", "no blocks"])
def test_points_of_tables_of_two_sizes_count_together(blocks: tuple[int | None, int | None]) -> None:
    results = [TableResult((1, 2), (1, 2), block=blocks[0]), TableResult((1, 3, 2, 4), (2, 1), block=blocks[1])]
    found = estimate_points(results, Scoring(points=(1, 0)))
    assert {entrant: estimate.value for entrant, estimate in found.items()} == {1: 0.5, 2: 0.0, 3: 1.0, 4: 1.0}
    assert found[1].se == pytest.approx(0.5)
    assert found[3].se == np.inf
    assert estimate_points([], Scoring()) == {}
