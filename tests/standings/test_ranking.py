"""Standings: what each metric does, what decided a place, and that lots can be drawn again."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.rules.pairing import draw_lot
from tournaments.rules.standings import (
    DEFAULT_CHAIN,
    ByeCredit,
    FixtureEnd,
    Meetings,
    Metric,
    Scoring,
    StandingRow,
    TableResult,
    compute_standings,
    find_level_title,
    rank_tallies,
    tally_results,
)

TEAMS = Scoring((1, 0))


def match(*entrants: int, totals: tuple[int, ...] = (), **more: object) -> TableResult:
    """The entrants in the order they finished."""
    sides = len(entrants)
    zeros = (0,) * sides
    details = {"nuggets": zeros, "exact_bids": zeros} | more
    return TableResult(entrants, tuple(range(1, sides + 1)), totals=totals or zeros, **details)  # type: ignore[arg-type]


def bye(entrant: int) -> TableResult:
    return TableResult((entrant,), kind=FixtureEnd.BYE)


def places(rows: tuple[StandingRow, ...]) -> dict[int, int]:
    return {row.entrant: row.place for row in rows}


def values(rows: tuple[StandingRow, ...], column: int) -> dict[int, float | None]:
    return {row.entrant: row.values[column] for row in rows}


LEVEL = [match(1, 2), match(2, 1)]


@pytest.mark.parametrize(
    ("metric", "results"),
    [
        pytest.param(Metric.MATCH_POINTS, [match(1, 2)], id="match points"),
        pytest.param(Metric.NUGGETS, [match(1, 2, nuggets=(2, 0)), match(2, 1, nuggets=(2, 1))], id="nuggets"),
        pytest.param(Metric.TOTAL_SCORE, [match(1, 2, totals=(30, 9)), match(2, 1, totals=(30, 10))], id="total score"),
        pytest.param(
            Metric.SCORE_DIFFERENCE, [match(1, 2, totals=(9, 2)), match(2, 1, totals=(9, 8))], id="score difference"
        ),
        pytest.param(Metric.HEAD_TO_HEAD, [match(1, 2), match(2, 1), match(1, 2)], id="head to head"),
        pytest.param(Metric.EXACT_BIDS, [match(1, 2, exact_bids=(3, 1)), match(2, 1, exact_bids=(1, 0))], id="exact"),
        pytest.param(Metric.FEWER_FORFEITS, [match(1, 2), match(1, 2, forfeits=(1,))], id="fewer forfeits"),
    ],
)
def test_a_metric_alone_puts_the_better_first(metric: Metric, results: list[TableResult]) -> None:
    first, second = compute_standings([1, 2], results, TEAMS, [metric])
    assert (first.entrant, first.place, second.entrant, second.place) == (1, 1, 2, 2)
    assert first.decided_by is not None
    assert (first.decided_by.metric, first.decided_by.rival) == (metric, 2)
    assert (first.decided_by.value, first.decided_by.rival_value) == (first.values[0], second.values[0])


def test_wins_part_equal_points() -> None:
    results = [match(1, 3, 2), match(4, 1, 5), match(6, 3, 1), match(4, 2, 5), match(6, 2, 3)]
    rows = compute_standings(range(1, 7), results, Scoring((2, 1, 0)), [Metric.MATCH_POINTS, Metric.WINS])
    assert values(rows, 0)[1] == 3
    assert places(rows)[4] == places(rows)[6] == 1
    assert places(rows)[1] == 3


def test_equals_share_the_place_and_the_next_one_is_left_out() -> None:
    rows = compute_standings([1, 2, 3], [*LEVEL, match(1, 3), match(2, 3)], TEAMS, [Metric.MATCH_POINTS, Metric.WINS])
    assert places(rows) == {1: 1, 2: 1, 3: 3}
    assert rows[0].decided_by is not None
    assert rows[0].decided_by.rival == 3


def test_nobody_decided_anything_where_all_share() -> None:
    rows = compute_standings([1, 2], LEVEL, TEAMS, [Metric.MATCH_POINTS])
    assert [(row.place, row.decided_by) for row in rows] == [(1, None), (1, None)]


def test_the_longest_comparison_decides() -> None:
    results = [match(1, 2, totals=(9, 2)), match(2, 1, totals=(9, 8)), match(1, 3), match(2, 3)]
    chain = [Metric.MATCH_POINTS, Metric.TOTAL_SCORE]
    middle = next(row for row in compute_standings([1, 2, 3], results, TEAMS, chain) if row.entrant == 2)
    assert middle.place == 2
    assert middle.decided_by is not None
    assert (middle.decided_by.metric, middle.decided_by.rival) == (Metric.TOTAL_SCORE, 1)


HEAD_CHAIN = [Metric.MATCH_POINTS, Metric.HEAD_TO_HEAD]


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        pytest.param([match(1, 2), match(2, 3)], {1: 1, 2: 2}, id="two tied who met once"),
        pytest.param([match(1, 3), match(2, 3), match(1, 2), match(2, 1)], {1: 1, 2: 1}, id="met twice, one win each"),
        pytest.param([match(1, 3), match(2, 4)], {1: 1, 2: 1}, id="never met: it does not apply"),
        pytest.param(
            [match(1, 2), match(2, 3), match(3, 1), match(1, 2), match(2, 4), match(3, 4)],
            {1: 1, 2: 1, 3: 1},
            id="not all met equally often: it does not apply",
        ),
    ],
)
def test_head_to_head_among_the_tied(results: list[TableResult], expected: dict[int, int]) -> None:
    rows = compute_standings(range(1, 5), results, TEAMS, HEAD_CHAIN)
    assert {entrant: place for entrant, place in places(rows).items() if entrant in expected} == expected


def test_opponents_points_at_tables_of_three() -> None:
    results = [match(1, 2, 3), match(4, 1, 2), match(3, 4, 1)]
    own = {1: 3, 2: 1, 3: 2, 4: 3}
    rows = compute_standings(range(1, 5), results, Scoring((2, 1, 0)), [Metric.MATCH_POINTS])
    assert values(rows, 0) == own
    expected = {
        Metric.BUCHHOLZ: {1: (1 + 2) + (3 + 1) + (2 + 3), 2: (3 + 2) + (3 + 3), 3: (3 + 1) + (3 + 3), 4: 4 + 5},
        Metric.BUCHHOLZ_CUT1: {1: 12 - 3, 2: 11 - 5, 3: 10 - 4, 4: 9 - 4},
        Metric.SONNEBORN_BERGER: {1: (1 + 2) + 1, 2: 2, 3: 3 + 3, 4: (3 + 1) + 3},
    }
    for metric, sums in expected.items():
        assert values(compute_standings(range(1, 5), results, Scoring((2, 1, 0)), [metric]), 0) == sums


def test_a_shared_place_gives_half_of_the_opponents_points() -> None:
    level = TableResult((1, 2), (1, 1), (0, 0), (0, 0), (0, 0))
    rows = compute_standings([1, 2, 3], [level, match(2, 3)], TEAMS, [Metric.SONNEBORN_BERGER])
    assert values(rows, 0) == {1: 0.75, 2: 0.25, 3: 0.0}


@pytest.mark.parametrize(
    ("credit", "points", "wins"),
    [
        pytest.param(ByeCredit.WIN, 5.0, 2.0, id="a Swiss bye is a win"),
        pytest.param(ByeCredit.OWN_MEAN, 4.5, 1.5, id="a round robin's bye is the entrant's own mean"),
    ],
)
def test_byes(credit: ByeCredit, points: float, wins: float) -> None:
    results = [match(1, 2, 3), match(3, 1, 2), bye(1)]
    scoring = Scoring((2, 1, 0), bye=credit)
    assert values(compute_standings([1, 2, 3], results, scoring, [Metric.MATCH_POINTS]), 0)[1] == points
    assert values(compute_standings([1, 2, 3], results, scoring, [Metric.WINS]), 0)[1] == wins


def test_byes_and_voids_face_a_virtual_opponent_with_the_entrants_own_points() -> None:
    scoring = Scoring((1, 0), bye=ByeCredit.WIN)
    void = TableResult((2, 3), kind=FixtureEnd.VOID)
    rows = compute_standings([1, 2, 3], [match(1, 2), bye(1), void], scoring, [Metric.BUCHHOLZ])
    assert values(rows, 0) == {1: 0 + 2, 2: 2 + 0, 3: 0}
    rows = compute_standings([1, 2, 3], [match(1, 2), bye(1), void], scoring, [Metric.BUCHHOLZ_CUT1])
    assert values(rows, 0) == {1: 2, 2: 2, 3: 0}


def test_voids_and_unplayed_matches_change_no_place() -> None:
    results = [match(1, 2, 3), match(2, 3, 1)]
    extra = [TableResult((1, 2, 3), kind=kind) for kind in (FixtureEnd.VOID, FixtureEnd.UNPLAYED)]
    chain = [Metric.MATCH_POINTS, Metric.WINS, Metric.TOTAL_SCORE]
    before = compute_standings([1, 2, 3], results, Scoring(), chain)
    after = compute_standings([1, 2, 3], results + extra, Scoring(), chain)
    assert places(before) == places(after)


def test_entrants_without_a_result_are_listed() -> None:
    rows = compute_standings([7, 8], [], Scoring(), [Metric.MATCH_POINTS])
    assert places(rows) == {7: 1, 8: 1}
    assert compute_standings([], [], Scoring()) == ()


def test_lots_part_what_is_left_and_can_be_drawn_again() -> None:
    chain = [Metric.MATCH_POINTS, Metric.LOTS]
    rows = compute_standings(range(5), [], Scoring(), chain, lots_seed=b"seed", lots_purpose="final")
    assert [row.entrant for row in rows] == sorted(range(5), key=lambda one: -draw_lot(b"seed", "final", one))
    assert [row.place for row in rows] == [1, 2, 3, 4, 5]
    assert all(row.decided_by and row.decided_by.metric is Metric.LOTS for row in rows)
    other = compute_standings(range(5), [], Scoring(), chain, lots_seed=b"other seed", lots_purpose="final")
    assert [row.entrant for row in other] != [row.entrant for row in rows]


def test_a_lot_is_the_published_hash() -> None:
    assert draw_lot(b"seed", "final", 3) == 1918375552731094


def random_season(rng: random.Random, entrants: int, matches: int) -> list[TableResult]:
    season = []
    for _ in range(matches):
        table = rng.sample(range(entrants), 3)
        order = rng.choice([(1, 2, 3), (2, 1, 3), (1, 1, 3), (1, 2, 2)])
        forfeits = (0,) if rng.random() < 0.1 else ()
        season.append(TableResult(tuple(table), order, (1, 1, 0), (20, rng.randrange(9), 3), (1, 0, 1), forfeits))
    return season


@given(st.integers(0, 10_000), st.permutations(list(Metric)).map(lambda chain: tuple(chain[:5])))
def test_the_order_of_results_seats_and_names_does_not_matter(seed: int, chain: tuple[Metric, ...]) -> None:
    rng = random.Random(seed)
    season = random_season(rng, 9, 24)
    chain = tuple(metric for metric in chain if metric is not Metric.LOTS)
    rows = places(compute_standings(range(9), season, Scoring(), chain))
    renamed = [
        TableResult(
            tuple(100 - entrant for entrant in reversed(result.entrants)),
            result.places[::-1],
            result.nuggets[::-1],
            result.totals[::-1],
            result.exact_bids[::-1],
            tuple(2 - seat for seat in result.forfeits),
        )
        for result in rng.sample(season, len(season))
    ]
    moved = places(compute_standings([100 - entrant for entrant in range(9)], renamed, Scoring(), chain))
    assert moved == {100 - entrant: place for entrant, place in rows.items()}


def test_stored_sums_and_meetings_give_the_same_standings() -> None:
    rng = random.Random(8)
    season = random_season(rng, 12, 60)
    early, late = season[:25], season[25:]
    chain = [Metric.WINS, Metric.BUCHHOLZ, Metric.HEAD_TO_HEAD, Metric.BUCHHOLZ_CUT1, Metric.LOTS]
    meetings = Meetings.from_results(early).plus(Meetings.from_results(late))
    assert list(meetings) == list(Meetings.from_results(season))
    stored = rank_tallies(tally_results(season, Scoring()), lambda: meetings, Scoring(), chain)
    assert stored == compute_standings(range(12), season, Scoring(), chain)


def test_stored_pairs_are_enough_for_all_but_the_cut() -> None:
    season = [*random_season(random.Random(9), 9, 30), bye(3)]
    pairs = Meetings.from_pairs(list(Meetings.from_results(season)), opponents=2)
    tallies = tally_results(season, Scoring())
    chain = [Metric.WINS, Metric.BUCHHOLZ, Metric.SONNEBORN_BERGER, Metric.HEAD_TO_HEAD]
    assert rank_tallies(tallies, lambda: pairs, Scoring(), chain) == compute_standings([], season, Scoring(), chain)
    with pytest.raises(ValueError, match="needs the tables"):
        rank_tallies(tallies, lambda: pairs, Scoring(), [Metric.BUCHHOLZ_CUT1])


def test_meetings_are_not_loaded_without_need() -> None:
    def refuse() -> Meetings:
        raise AssertionError("no tie came down to the meetings")

    rows = rank_tallies(tally_results([match(1, 2, 3)], Scoring()), refuse, Scoring(), DEFAULT_CHAIN)
    assert places(rows) == {1: 1, 2: 2, 3: 3}


def _win(winner: int, *others: int) -> TableResult:
    return TableResult((winner, *others), (1, 2, 3), (1, 0, 0), (20, 10, 5), (0, 0, 0))


def test_two_of_two_stand_above_three_of_five_by_means_and_below_by_totals() -> None:
    results = [_win(1, 2, 3)] * 3 + [_win(4, 2, 1)] * 2
    by_total = compute_standings(range(1, 5), results, Scoring((1, 0, 0)), [Metric.MATCH_POINTS])
    by_mean = compute_standings(range(1, 5), results, Scoring((1, 0, 0)), [Metric.MEAN_POINTS])
    assert (by_total[0].entrant, by_total[1].entrant) == (1, 4)
    assert (by_mean[0].entrant, by_mean[1].entrant) == (4, 1)
    assert (by_mean[0].values, by_mean[1].values) == ((1.0,), (0.6,))


def test_one_lucky_match_is_no_title() -> None:
    results = [_win(1, 2, 3)] * 8 + [_win(2, 1, 3)] + [_win(4, 2, 3)]
    rows = compute_standings(range(1, 5), results, Scoring((1, 0, 0)), [Metric.MEAN_POINTS])
    assert rows[0].entrant == 1
    assert rows[1].entrant == 4


@pytest.mark.parametrize(
    ("results", "chain", "expected"),
    [
        pytest.param([_win(1, 2, 3)], [Metric.MATCH_POINTS, Metric.LOTS], (), id="won"),
        pytest.param([], [Metric.MATCH_POINTS], (1, 2, 3), id="all share the first place"),
        pytest.param([], [Metric.MATCH_POINTS, Metric.LOTS], (1, 2, 3), id="lots alone would decide"),
        pytest.param(
            [TableResult((1, 2, 3), (1, 1, 3), (0, 0, 0), (9, 9, 1), (0, 0, 0))],
            [Metric.MATCH_POINTS, Metric.TOTAL_SCORE, Metric.LOTS],
            (1, 2),
            id="two level, the third behind",
        ),
        pytest.param(
            [TableResult((1, 2, 3), (1, 2, 2), (0, 0, 0), (9, 5, 5), (0, 0, 0))],
            [Metric.MATCH_POINTS, Metric.LOTS],
            (),
            id="lots decide only the second place",
        ),
    ],
)
def test_a_dead_level_title_calls_for_a_play_off(
    results: list[TableResult], chain: list[Metric], expected: tuple[int, ...]
) -> None:
    rows = compute_standings([1, 2, 3], results, Scoring(), chain, lots_seed=b"seed")
    assert tuple(sorted(find_level_title(rows))) == expected


def test_every_metric_says_what_it_is_and_the_documentation_lists_it() -> None:
    documented = (Path(__file__).parents[2] / "docs" / "STANDINGS.md").read_text()
    for metric in Metric:
        assert metric.label
        assert metric.help.endswith(".")
        assert f"`{metric}`" in documented, f"docs/STANDINGS.md does not list {metric}"
