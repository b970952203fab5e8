"""Values of metrics to the last digit that counts, for those who played little."""

from pathlib import Path

import pytest

from tournaments.rules.standings import (
    ByeCredit,
    FixtureEnd,
    Meetings,
    Metric,
    Scoring,
    TableResult,
    rank_tallies,
    tally_results,
)

DOCUMENTED = (Path(__file__).parents[2] / "docs" / "STANDINGS.md").read_text()
ONCE = TableResult((1, 2, 3), (1, 2, 3), (2, 1, 0), (31, 20, 8), (2, 1, 0))
TWICE_MORE = [TableResult((1, 2, 4), (1, 2, 3), (1, 1, 0), (30, 20, 10), (1, 0, 0))] * 2


@pytest.mark.parametrize("metric", Metric)
def test_the_docs_say_what_a_metric_is(metric: Metric) -> None:
    assert metric.help.endswith(".")
    assert f"| `{metric.value}` | {metric.label} | {metric.help} |\n" in DOCUMENTED


@pytest.mark.parametrize(
    ("metric", "values"),
    [
        pytest.param(Metric.NUGGETS, {1: 1.333333, 2: 1.0, 3: 0.0, 4: 0.0}, id="nuggets a match"),
        pytest.param(Metric.TOTAL_SCORE, {1: 30.333333, 2: 20.0, 3: 8.0, 4: 10.0}, id="score a match"),
        pytest.param(Metric.SCORE_DIFFERENCE, {1: 15.666667, 2: 0.166667, 3: -17.5, 4: -15.0}, id="score difference"),
        pytest.param(Metric.EXACT_BIDS, {1: 1.333333, 2: 0.333333, 3: 0.0, 4: 0.0}, id="exact bids a match"),
    ],
)
def test_values_are_means_of_a_match(metric: Metric, values: dict[int, float]) -> None:
    results = [ONCE, *TWICE_MORE]
    ranked = rank_tallies(
        tally_results(results, Scoring()), lambda: Meetings.from_results(results), Scoring(), (metric,)
    )
    assert {row.entrant: row.values[0] for row in ranked} == pytest.approx(values, abs=1e-5)


@pytest.mark.parametrize(
    ("metric", "values"),
    [
        pytest.param(Metric.MATCH_POINTS, {1: 5.5, 2: 1.5, 3: 0, 4: 4, 5: 0}, id="a shared place and two byes"),
        pytest.param(Metric.BUCHHOLZ, {1: 23.5, 2: 5.5, 3: 7, 4: 16, 5: 0}, id="two such opponents a bye"),
        pytest.param(Metric.BUCHHOLZ_CUT1, {1: 22, 2: 0, 3: 0, 4: 8, 5: 0}, id="without the weakest table"),
        pytest.param(Metric.SONNEBORN_BERGER, {1: 11.75, 2: 2.75, 3: 0, 4: 8, 5: 0}, id="half of those of a bye"),
    ],
)
def test_byes_are_tables_of_virtual_opponents(metric: Metric, values: dict[int, float]) -> None:
    """Entrant 4 has byes alone, entrant 5 a fixture that was never played."""
    shared = TableResult((1, 2, 3), (1, 1, 3), (1, 1, 0), (20, 20, 8), (1, 1, 0))
    byes = [TableResult((1, 4), kind=FixtureEnd.BYE)] * 2
    results = [shared, *byes, TableResult((5,), kind=FixtureEnd.UNPLAYED)]
    scoring = Scoring(bye=ByeCredit.WIN)
    ranked = rank_tallies(tally_results(results, scoring), lambda: Meetings.from_results(results), scoring, (metric,))
    assert {row.entrant: row.values[0] for row in ranked} == pytest.approx(values)
