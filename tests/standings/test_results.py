"""Places, points and sums: forfeits, ties, byes, voids and unplayed fixtures, against a plain recount."""

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.outcome import settle_places
from tournaments.rules.standings import (
    FixtureEnd,
    ResultTally,
    Scoring,
    TableResult,
    add_tallies,
    tally_results,
)
from tournaments.rules.standings.results import UNITS


@pytest.mark.parametrize(
    ("places", "forfeits", "seats", "settled"),
    [
        pytest.param((1, 2, 3), (), 3, (1, 2, 3), id="as played"),
        pytest.param((1, 1, 3), (), 3, (1, 1, 3), id="a shared first place"),
        pytest.param((1, 2, 2), (), 3, (1, 2, 2), id="a shared second place"),
        pytest.param((1, 2, 3), (0,), 3, (3, 1, 2), id="the winner forfeits, the others move up"),
        pytest.param((1, 2, 3), (2,), 3, (1, 2, 3), id="the last forfeits"),
        pytest.param((1, 2, 3), (0, 1), 3, (3, 3, 1), id="two forfeit and share the last place"),
        pytest.param((1, 2, 3), (0, 1, 2), 3, (3, 3, 3), id="all forfeit"),
        pytest.param((1, 2), (0,), 2, (2, 1), id="a team forfeits"),
        pytest.param((1, 2), (), 4, (1, 2, 1, 2), id="partners share their side's place"),
        pytest.param((1, 2), (0,), 4, (2, 2, 1, 2), id="a partner who stays keeps the place"),
        pytest.param((1, 2), (0, 2), 4, (2, 1, 2, 1), id="both partners forfeit"),
    ],
)
def test_places_after_forfeits(
    places: tuple[int, ...], forfeits: tuple[int, ...], seats: int, settled: tuple[int, ...]
) -> None:
    assert settle_places(places, forfeits, seats) == settled


def played(entrants: tuple[int, ...], places: tuple[int, ...], forfeits: tuple[int, ...] = ()) -> TableResult:
    sides = len(places)
    return TableResult(entrants, places, (2, 1, 0)[:sides], (30, 20, 13)[:sides], (1, 0, 2)[:sides], forfeits)


@pytest.mark.parametrize(
    ("result", "points", "expected"),
    [
        pytest.param(played((1, 2, 3), (1, 2, 3)), (2, 1, 0), {1: 2, 2: 1, 3: 0}, id="2-1-0"),
        pytest.param(played((1, 2, 3), (1, 1, 3)), (2, 1, 0), {1: 1.5, 2: 1.5, 3: 0}, id="a shared first place"),
        pytest.param(played((1, 2, 3), (1, 2, 2)), (3, 1, 0), {1: 3, 2: 0.5, 3: 0.5}, id="a shared second place"),
        pytest.param(played((1, 2, 3), (1, 1, 1)), (3, 1, 0), {1: 4 / 3, 2: 4 / 3, 3: 4 / 3}, id="all level"),
        pytest.param(played((1, 2, 3), (1, 2, 3), (0,)), (2, 1, 0), {1: 0, 2: 2, 3: 1}, id="the winner forfeits"),
        pytest.param(played((1, 2, 3), (1, 2, 3), (0, 1)), (2, 1, 0), {1: 0, 2: 0, 3: 2}, id="two forfeit"),
        pytest.param(played((1, 2, 3), (1, 2, 2), (0,)), (2, 1, 0), {1: 0, 2: 1.5, 3: 1.5}, id="those behind share"),
        pytest.param(played((1, 2), (1, 2)), (1, 0), {1: 1, 2: 0}, id="two teams"),
        pytest.param(played((1, 2, 3, 4), (2, 1)), (1, 0), {1: 0, 2: 1, 3: 0, 4: 1}, id="partners earn the same"),
        pytest.param(played((1, 2, 3, 4), (1, 2), (0,)), (1, 0), {1: 0, 2: 0, 3: 1, 4: 0}, id="one partner forfeits"),
    ],
)
def test_points_by_place(result: TableResult, points: tuple[float, ...], expected: dict[int, float]) -> None:
    tallies = tally_results([result], Scoring(points))
    assert {entrant: tally.points / UNITS for entrant, tally in tallies.items()} == pytest.approx(expected)


def test_a_forfeit_keeps_nothing_and_takes_nothing_from_the_others() -> None:
    tallies = tally_results([played((1, 2, 3), (1, 2, 3), (0,))], Scoring())
    assert tallies[1] == ResultTally(played=1, forfeits=1, difference=-UNITS * 33 // 2)
    assert tallies[2] == ResultTally(
        played=1, points=2 * UNITS, wins=UNITS, nuggets=1, total_score=20, difference=-UNITS * 3 // 2
    )


@pytest.mark.parametrize(
    ("kind", "tally"),
    [
        pytest.param(FixtureEnd.BYE, ResultTally(byes=1), id="a bye"),
        pytest.param(FixtureEnd.VOID, ResultTally(voids=1), id="a void match"),
        pytest.param(FixtureEnd.UNPLAYED, ResultTally(unplayed=1), id="an unplayed match"),
    ],
)
def test_what_was_not_played_is_only_counted(kind: FixtureEnd, tally: ResultTally) -> None:
    assert tally_results([TableResult((1, 2), kind=kind)], Scoring()) == {1: tally, 2: tally}


@pytest.mark.parametrize(
    ("points", "message"),
    [
        pytest.param((1,), "two or three", id="one place"),
        pytest.param((2, 0.3, 0), "multiples of one half", id="odd fractions"),
        pytest.param((0, 1, 2), "worth less", id="upside down"),
    ],
)
def test_senseless_points_are_refused(points: tuple[float, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Scoring(points)


def test_points_must_fit_the_table() -> None:
    with pytest.raises(ValueError, match="3 sides"):
        tally_results([played((1, 2, 3), (1, 2, 3))], Scoring((1, 0)))


weak_orders = st.sampled_from([(1, 2, 3), (3, 1, 2), (1, 1, 3), (1, 2, 2), (2, 1, 2), (1, 1, 1)])
results_strategy = st.lists(
    st.builds(
        TableResult,
        entrants=st.permutations(range(8)).map(lambda order: tuple(order[:3])),
        places=weak_orders,
        nuggets=st.tuples(*[st.integers(0, 2)] * 3),
        totals=st.tuples(*[st.integers(0, 40)] * 3),
        exact_bids=st.tuples(*[st.integers(0, 3)] * 3),
        forfeits=st.sets(st.integers(0, 2), max_size=2).map(lambda seats: tuple(sorted(seats))),
    ),
    max_size=12,
)


def recount(results: list[TableResult], points: tuple[float, ...]) -> dict[int, tuple[Fraction, Fraction, int, int]]:
    """Points, wins, total score and forfeits of each entrant, seat by seat in fractions."""
    counted: dict[int, tuple[Fraction, Fraction, int, int]] = {}
    for result in results:
        staying = [seat for seat in range(3) if seat not in result.forfeits]
        for seat, entrant in enumerate(result.entrants):
            earned, won, score, forfeit = Fraction(points[-1]), Fraction(0), 0, 1
            if seat in staying:
                ahead = sum(result.places[other] < result.places[seat] for other in staying)
                level = sum(result.places[other] == result.places[seat] for other in staying)
                earned = Fraction(sum(points[ahead : ahead + level])) / level
                won, score, forfeit = Fraction(int(ahead == 0), level), result.totals[seat], 0
            before = counted.get(entrant, (Fraction(0), Fraction(0), 0, 0))
            counted[entrant] = (before[0] + earned, before[1] + won, before[2] + score, before[3] + forfeit)
    return counted


@given(results_strategy, st.sampled_from([(2, 1, 0), (3, 1, 0), (1, 0, 0), (1, 0.5, 0)]))
def test_sums_are_those_of_a_plain_recount(results: list[TableResult], points: tuple[float, ...]) -> None:
    tallies = tally_results(results, Scoring(points))
    found = {
        entrant: (Fraction(tally.points, UNITS), Fraction(tally.wins, UNITS), tally.total_score, tally.forfeits)
        for entrant, tally in tallies.items()
    }
    assert found == recount(results, points)
    assert sum(tally.difference for tally in tallies.values()) <= 0


@given(results_strategy, st.integers(0, 12), st.randoms(use_true_random=False))
def test_sums_may_be_kept_match_by_match_and_taken_back(
    results: list[TableResult], cut: int, rng: random.Random
) -> None:
    whole = tally_results(results, Scoring())
    shuffled = rng.sample(results, len(results))
    kept: dict[int, ResultTally] = {}
    for result in shuffled:
        kept = add_tallies(kept, tally_results([result], Scoring()))
    assert kept == whole
    rest = add_tallies(whole, tally_results(results[cut:], Scoring()), times=-1)
    expected = tally_results(results[:cut], Scoring())
    assert {entrant: tally for entrant, tally in rest.items() if tally != ResultTally()} == expected
