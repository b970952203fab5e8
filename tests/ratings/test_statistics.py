"""Statistics: intervals over blocks, the crosstable, position bias, and separable standings."""

import random
from collections.abc import Callable
from math import inf

import numpy as np
import pytest
from scipy import stats

from tournaments.rules.crosstable import (
    CellMark,
    PositionBias,
    block_means,
    build_crosstable,
    estimate_points,
    interval_of_mean,
    measure_first_player_bias,
    measure_seat_bias,
)
from tournaments.rules.ratings.listing import span_ranks
from tournaments.rules.standings import FixtureEnd, Scoring, TableResult


def test_blocks_count_once_whatever_their_size() -> None:
    assert block_means([1, 3, 10], [7, 7, 8]).tolist() == [2, 10]
    interval = interval_of_mean([1, 3, 10], [7, 7, 8])
    assert (interval.mean, interval.observations) == (6, 2)


def test_intervals_cover_the_mean_of_dependent_matches() -> None:
    rng = np.random.default_rng(1)
    covered = {True: 0, False: 0}
    for _ in range(400):
        deals = rng.normal(size=40)
        scores = np.repeat(deals, 3) + 0.5 * rng.normal(size=120)
        for is_by_block, blocks in ((True, np.repeat(np.arange(40), 3)), (False, None)):
            interval = interval_of_mean(scores, blocks)
            assert interval.low is not None
            assert interval.high is not None
            covered[is_by_block] += interval.low <= 0 <= interval.high
    assert 0.92 <= covered[True] / 400 <= 0.98
    assert covered[False] / 400 < 0.85


@pytest.mark.parametrize("values", [[3.0], [2.0, 2.0]], ids=["one observation", "no variation"])
def test_no_interval_without_variation(values: list[float]) -> None:
    interval = interval_of_mean(values)
    assert (interval.low, interval.high, interval.p_value) == (None, None, None)


def test_the_mean_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing"):
        interval_of_mean([])


def simulate_results(skills: list[float], matches: int, seat_gift: float = 0.0, seed: int = 1) -> list[TableResult]:
    """Matches in blocks of three; `seat_gift` helps the first player, who is drawn at random."""
    rng = random.Random(seed)
    results = []
    for number in range(matches):
        table = rng.sample(range(len(skills)), 3)
        first = rng.randrange(3)
        means = [20 + skills[entrant] + seat_gift * (seat == first) for seat, entrant in enumerate(table)]
        scores = [rng.gauss(mean, 8) for mean in means]
        order = sorted(scores, reverse=True)
        results.append(
            TableResult(
                tuple(table),
                tuple(order.index(score) + 1 for score in scores),
                (0, 0, 0),
                tuple(round(score) for score in scores),
                (0, 0, 0),
                block=number // 3,
                first_seat=first,
            )
        )
    return results


def test_crosstable_cells_mirror_each_other_and_find_the_stronger() -> None:
    table = build_crosstable(simulate_results([0, 0, 0, 6], 900))
    for (one, other), cell in table.items():
        mirror = table[other, one]
        assert cell.meetings == mirror.meetings
        assert cell.share_ahead + mirror.share_ahead == pytest.approx(1)
        assert cell.mean_difference == pytest.approx(-mirror.mean_difference)
        assert cell.low == pytest.approx(-mirror.high)  # type: ignore[operator]
    assert {table[3, other].mark for other in range(3)} == {CellMark.SURELY_AHEAD}
    assert {table[other, 3].mark for other in range(3)} == {CellMark.SURELY_BEHIND}
    assert table[3, 0].blocks < table[3, 0].meetings


def test_hardly_a_crosstable_of_equals_has_a_mark() -> None:
    """Pair by pair one cell in twenty would have one: three of four tables of eight."""
    tables = [build_crosstable(simulate_results([0] * 8, 200, seed=seed)) for seed in range(40)]
    single = [cell.p_value < 0.05 for table in tables for cell in table.values() if cell.p_value is not None]
    assert 0.03 <= np.mean(single) <= 0.07
    assert sum(any(cell.mark is not CellMark.LEVEL for cell in table.values()) for table in tables) <= 4


def test_crosstable_leaves_out_partners_byes_and_forfeited_scores() -> None:
    partners = TableResult((1, 2, 3, 4), (1, 2), (2, 1), (30, 20), (0, 0), forfeits=(0,))
    table = build_crosstable([partners, TableResult((1,), kind=FixtureEnd.BYE)])
    assert set(table) == {(a, b) for a in (1, 3) for b in (2, 4)} | {(b, a) for a in (1, 3) for b in (2, 4)}
    assert (table[3, 2].share_ahead, table[3, 2].mean_difference, table[3, 2].blocks) == (1.0, 10.0, 1)
    assert (table[1, 2].share_ahead, table[1, 2].blocks) == (0.5, 0)
    assert build_crosstable([]) == {}


@pytest.mark.parametrize(
    ("gift", "is_found"), [pytest.param(0.0, False, id="fair"), pytest.param(4.0, True, id="first player helped")]
)
def test_first_player_bias_is_found_where_it_is(gift: float, is_found: bool) -> None:
    results = simulate_results([0] * 9, 1500, gift)
    bias = measure_first_player_bias(results)
    assert bias.p_value is not None
    assert (bias.p_value < 0.01) is is_found
    assert sum(share.mean for share in bias.shares) == pytest.approx(1)
    assert (bias.shares[0].mean > 0.38) is is_found
    seats = measure_seat_bias(results)
    assert seats.p_value is not None
    assert seats.p_value > 0.01


def test_bias_tests_are_calibrated() -> None:
    chances = [measure_seat_bias(simulate_results([0, 2, 4, 6], 180, seed=seed)).p_value for seed in range(200)]
    assert sum(chance is not None and chance < 0.05 for chance in chances) <= 20


def seated(places: tuple[int, ...], first_seat: int = 0) -> TableResult:
    return TableResult((1, 2, 3), places, first_seat=first_seat)


SEATED = [*[seated((1, 2, 3), 1)] * 5, *[seated((2, 1, 3), 1)] * 2, seated((1, 1, 3), 2), seated((3, 3, 1), 0)]


@pytest.mark.parametrize(
    ("measure", "first_places"),
    [
        pytest.param(measure_seat_bias, (5.5, 2.5, 1), id="by seat, a shared place is half"),
        pytest.param(measure_first_player_bias, (2, 0.5, 6.5), id="by distance from the first player"),
    ],
)
def test_bias_is_counted_by_position(
    measure: Callable[[list[TableResult]], PositionBias], first_places: tuple[float, ...]
) -> None:
    bias = measure(SEATED)
    assert [share.mean for share in bias.shares] == pytest.approx([first / 9 for first in first_places])
    assert {share.observations for share in bias.shares} == {bias.matches} == {9}


def test_bias_is_tested_by_hotelling() -> None:
    won = np.array([[place == 1 for place in result.places] for result in SEATED], dtype=float)
    excess = (won / won.sum(axis=1, keepdims=True))[:, :2] - 1 / 3
    mean, count = excess.mean(axis=0), len(excess)
    squared = count * mean @ np.linalg.inv(np.cov(excess.T)) @ mean
    expected = stats.f.sf(squared * (count - 2) / (2 * (count - 1)), 2, count - 2)
    assert measure_seat_bias(SEATED).p_value == pytest.approx(expected)


def test_too_few_matches_tell_nothing_about_bias() -> None:
    assert (measure_seat_bias([]).shares, measure_seat_bias([]).matches) == ((), 0)
    assert measure_seat_bias(simulate_results([0] * 3, 6)).p_value is None


def test_standings_say_who_is_not_separable() -> None:
    estimates = estimate_points(simulate_results([0, 0, 0, 12], 600), Scoring())
    spans = span_ranks(estimates)
    assert spans[3] == (1, 1)
    assert all(spans[entrant].best == 2 for entrant in range(3))
    alone = estimate_points([TableResult((1, 2, 3), (1, 2, 3), (0,) * 3, (0,) * 3, (0,) * 3)], Scoring())
    assert alone[1] == (2.0, inf, 1)
