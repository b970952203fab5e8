"""The crosstable, cell by cell: Student's test over blocks, and the mark beside it."""

import numpy as np
import pytest
from scipy import stats

from tournaments.rules.crosstable import CellMark, build_crosstable
from tournaments.rules.standings import FixtureEnd, TableResult


def meet(difference: int, block: int | None = None, *, forfeits: tuple[int, ...] = ()) -> TableResult:
    """Two teams, 7 and 4; the first ends so many points before the other."""
    places = (1, 1) if difference == 0 else (1, 2) if difference > 0 else (2, 1)
    return TableResult((7, 4), places, totals=(50 + difference, 50), forfeits=forfeits, block=block)


@pytest.mark.parametrize(
    ("mean", "ahead", "behind"),
    [
        pytest.param(12, CellMark.LEVEL, CellMark.LEVEL, id="5.3 %: not parted"),
        pytest.param(13, CellMark.AHEAD, CellMark.BEHIND, id="4.9 %: likely"),
        pytest.param(63, CellMark.AHEAD, CellMark.BEHIND, id="1.01 %: still likely"),
        pytest.param(64, CellMark.SURELY_AHEAD, CellMark.SURELY_BEHIND, id="0.995 %: surely"),
    ],
)
def test_marks(mean: int, ahead: CellMark, behind: CellMark) -> None:
    """Two blocks, one below the mean and one above it by 1: the error is 1, and t is the mean, with one degree."""
    table = build_crosstable([meet(mean - 1), meet(mean + 1)])
    assert (table[7, 4].mark, table[4, 7].mark) == (ahead, behind)
    assert table[7, 4].p_value == pytest.approx(2 * stats.t.sf(mean, 1))


def test_a_small_lead_that_never_fails_is_sure() -> None:
    """Nine times one point and once none: the mean is 0.9, and t is 9."""
    table = build_crosstable([meet(1)] * 9 + [meet(0)])
    assert table[7, 4].p_value == pytest.approx(2 * stats.t.sf(9, 9))
    assert (table[7, 4].mark, table[4, 7].mark) == (CellMark.SURELY_AHEAD, CellMark.SURELY_BEHIND)


def test_a_cell_is_students_test_over_blocks() -> None:
    results = [meet(9, 1), meet(3, 1), meet(0, 1), meet(-6, 2), meet(11, 30), meet(1, 30), meet(8), meet(2)]
    expected = stats.ttest_1samp([4, -6, 6, 8, 2], 0)
    low, high = expected.confidence_interval()
    cell, mirror = build_crosstable(results)[7, 4], build_crosstable(results)[4, 7]
    assert (cell.meetings, cell.blocks, cell.share_ahead) == (8, 5, 6.5 / 8)
    assert (cell.mean_difference, cell.low, cell.high) == pytest.approx((2.8, low, high))
    assert cell.p_value == mirror.p_value == pytest.approx(expected.pvalue)
    assert (mirror.mean_difference, mirror.low, mirror.high) == pytest.approx((-2.8, -high, -low))
    assert cell.mark is mirror.mark is CellMark.LEVEL


def test_pairs_do_not_mix() -> None:
    """Two tables of three: entrants 7 and 4 meet twice, 7 and 9 once, and each pair has its own numbers."""
    first = TableResult((7, 4, 9), (1, 2, 3), totals=(40, 30, 25))
    second = TableResult((2, 4, 7), (1, 1, 3), totals=(31, 31, 10))
    table = build_crosstable([first, second])
    found = {pair: (cell.meetings, cell.share_ahead, cell.mean_difference) for pair, cell in table.items()}
    one_way = {
        (7, 4): (2, 0.5, -5.5), (7, 9): (1, 1.0, 15.0), (4, 9): (1, 1.0, 5.0), (2, 4): (1, 0.5, 0.0),
        (2, 7): (1, 1.0, 21.0),
    }
    assert found == one_way | {(b, a): (met, 1 - share, -mean) for (a, b), (met, share, mean) in one_way.items()}
    assert {type(entrant) for pair in table for entrant in pair} == {int}
    error = np.std([10, -21], ddof=1) / np.sqrt(2)
    assert table[7, 4].high == pytest.approx(-5.5 + stats.t.ppf(0.975, 1) * error)


@pytest.mark.parametrize(
    ("results", "blocks", "mean"),
    [
        pytest.param([meet(5, 1), meet(9, 1)], 1, 7.0, id="one block"),
        pytest.param([meet(5), meet(5)], 2, 5.0, id="no variation"),
        pytest.param([meet(5), meet(9, forfeits=(1,))], 1, 5.0, id="one that counts, and a forfeit of the other"),
        pytest.param([meet(5), meet(9, forfeits=(0,))], 1, 5.0, id="one that counts, and a forfeit of its own"),
        pytest.param([meet(9, forfeits=(1,))], 0, 0.0, id="none that counts"),
    ],
)
def test_no_interval_where_there_is_none(results: list[TableResult], blocks: int, mean: float) -> None:
    cell = build_crosstable(results)[7, 4]
    assert (cell.meetings, cell.blocks, cell.mean_difference) == (len(results), blocks, mean)
    assert (cell.low, cell.high, cell.p_value, cell.mark) == (None, None, None, CellMark.LEVEL)


@pytest.mark.parametrize("kind", [FixtureEnd.BYE, FixtureEnd.VOID, FixtureEnd.UNPLAYED])
def test_what_was_not_played_stands_between_and_changes_nothing(kind: FixtureEnd) -> None:
    played = [meet(3), meet(8)]
    assert build_crosstable([played[0], TableResult((7, 4), kind=kind), played[1]]) == build_crosstable(played)
