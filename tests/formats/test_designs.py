"""Every stored schedule up to 64 entrants and the formulas beyond, checked against what arithmetic allows."""

from collections.abc import Callable
from itertools import combinations
from random import Random

import pytest

from tournaments.rules.certificate import Certificate, certify
from tournaments.rules.designs import _cycle, load_starters, look_up, plan_matchdays
from tournaments.rules.designs.formulas import (
    Matchday,
    circle,
    kirkman3q,
    longest_shift3,
    longest_shift4,
    shift3,
    shift4,
    triple_kirkman,
    whist9,
)
from tournaments.rules.designs.levelling import count_arrows
from tournaments.rules.designs.search import Shape, double_shape, search_starter, single_shape, whist_shape
from tournaments.rules.pairing import TableKind

EXACT_WHIST = {n for n in range(4, 45) if n % 4 in (0, 1)} | {49, 53, 61}


def certify_lap(family: str, n: int, kind: TableKind) -> Certificate:
    for day in look_up(family, n):
        seated = [entrant for table in day for entrant in table]
        assert len(seated) == len(set(seated))
    tables = [[kind.seat(table) for table in day] for day in look_up(family, n)]
    return certify(tables, kind, range(1, n + 1))


@pytest.mark.parametrize("n", range(8, 65))
def test_single_meets_no_pair_twice_and_keeps_seats_level_always(n: int) -> None:
    certificate = certify_lap("single", n, TableKind.SOLO3)
    assert certificate["meetings"].most == 1
    assert certificate["matches"].spread <= 1
    assert certificate["byes"].spread <= 1
    assert certificate["seats_always"].most <= 1
    assert len(look_up("single", n)) >= (n - 1) // 2 - 1


@pytest.mark.parametrize("n", range(9, 64, 6))
def test_single_meets_every_pair_exactly_once_where_a_kirkman_system_exists(n: int) -> None:
    meetings = certify_lap("single", n, TableKind.SOLO3)["meetings"]
    assert (meetings.least, meetings.most) == (1, 1)


@pytest.mark.parametrize("n", range(3, 65))
def test_double_is_at_the_bound(n: int) -> None:
    certificate = certify_lap("double", n, TableKind.SOLO3)
    assert certificate["meetings"].spread == (1 if n % 3 == 2 else 0)
    assert certificate["matches"].spread == 0
    assert certificate["byes"].spread == 0
    assert certificate["seats"].most <= (2 if n == 3 else 1)


EXACT_DIRECTIONS = [n for n in range(3, 65) if n % 6 == 3 or n in (4, 6, 7, 13, 19, 25, 31, 37, 43, 61)]


@pytest.mark.parametrize("n", EXACT_DIRECTIONS)
def test_double_seats_everybody_before_and_after_everybody_equally_often(n: int) -> None:
    assert certify_lap("double", n, TableKind.SOLO3)["left_against_right"].most == 0


@pytest.mark.parametrize("n", [8, 20, 32])
def test_double_seats_nobody_on_one_side_where_only_odd_meetings_are_left(n: int) -> None:
    assert certify_lap("double", n, TableKind.SOLO3)["left_against_right"].most <= 1


@pytest.mark.parametrize("n", [n for n in range(5, 65) if n not in EXACT_DIRECTIONS])
def test_double_leaves_few_pairs_one_sided_elsewhere(n: int) -> None:
    arrows = count_arrows(look_up("double", n))
    pairs = list(combinations(range(1, n + 1), 2))
    assert max(abs(arrows[a, b] - arrows[b, a]) for a, b in pairs) <= 2
    assert sum(abs(arrows[a, b] - arrows[b, a]) > 1 for a, b in pairs) <= (0.5 if n == 5 else 0.25) * len(pairs)


@pytest.mark.parametrize("family", ["single", "double"])
@pytest.mark.parametrize("n", [3, 4, 6, 7, 9, 12, 15, 18, 27])
def test_a_return_lap_takes_the_directions_back(family: str, n: int) -> None:
    days = plan_matchdays(family, n, 2 * len(_cycle(family, n)))
    certificate = certify([list(day) for day in days], TableKind.SOLO3, range(1, n + 1))
    assert certificate["left_against_right"].most == 0
    assert certificate["matches"].spread == 0
    assert certificate["seats"].most <= 2


@pytest.mark.parametrize("n", range(4, 65))
def test_whist_spreads_partners_and_opponents(n: int) -> None:
    certificate = certify_lap("whist", n, TableKind.SOLO4)
    assert certificate["partnerships"].spread <= 1
    assert certificate["oppositions"].spread <= 2
    assert certificate["matches"].spread == 0
    assert certificate["seats"].most <= (2 if n == 4 else 1)
    if n in EXACT_WHIST:
        assert certificate["partnerships"].least == certificate["partnerships"].most == 1
        assert certificate["oppositions"].least == certificate["oppositions"].most == 2


@pytest.mark.parametrize("n", [*range(3, 65), 99, 100])
def test_circle_certificate_is_at_the_bound(n: int) -> None:
    certificate = certify_lap("circle", n, TableKind.TEAMS4)
    assert certificate["meetings"].least == certificate["meetings"].most == 1
    assert all(row.is_at_bound for row in certificate.rows), certificate


@pytest.mark.parametrize("n", [250, 501, 999, 1000])
def test_circle_of_a_large_field(n: int) -> None:
    first, second = [0] * n, [0] * n
    met = set()
    for day in circle(n):
        for a, b in day:
            first[a] += 1
            second[b] += 1
            met.add((min(a, b), max(a, b)))
    assert len(met) == n * (n - 1) // 2
    assert max(abs(a - b) for a, b in zip(first, second, strict=True)) == (1 if n % 2 == 0 else 0)


@pytest.mark.parametrize("n", [9, 27, 28, 29, 30, 63, 64, 65, 100, 101, 102, 999, 1000])
@pytest.mark.parametrize(
    ("shift", "longest", "size"),
    [pytest.param(shift3, longest_shift3, 3, id="three"), pytest.param(shift4, longest_shift4, 4, id="four")],
)
def test_shift_never_repeats_a_meeting(
    n: int, shift: Callable[[int, int], list[Matchday]], longest: Callable[[int], int], size: int
) -> None:
    met: set[tuple[int, int]] = set()
    tables = [table for day in shift(n, longest(n)) for table in day]
    for table in tables:
        met.update((min(pair), max(pair)) for pair in combinations(table, 2))
    assert len(met) == len(tables) * size * (size - 1) // 2
    assert len(tables) == longest(n) * (n // size)


def test_ten_thousand_entrants_fifteen_matchdays_without_a_repeat() -> None:
    tables = [table for day in shift3(10_000, 15) for table in day]
    met = {(min(pair), max(pair)) for table in tables for pair in combinations(table, 2)}
    assert len(tables) == 15 * 3333
    assert len(met) == 3 * len(tables)


@pytest.mark.parametrize(
    "days",
    [
        pytest.param(kirkman3q(21).develop(), id="three times the field of seven"),
        pytest.param(kirkman3q(93).develop(), id="three times the field of thirty-one"),
        pytest.param(triple_kirkman(load_starters("single")[15].develop()), id="three times a system of fifteen"),
    ],
)
def test_kirkman_formulas_meet_every_pair_once(days: list[list[tuple[int, ...]]]) -> None:
    n = 3 * len(days[0])
    met = [frozenset(pair) for day in days for table in day for pair in combinations(table, 2)]
    assert len(days) == (n - 1) // 2
    assert len(met) == len(set(met)) == n * (n - 1) // 2


def test_whist_of_nine_comes_from_its_field() -> None:
    certificate = certify(whist9().develop(), TableKind.SOLO4, range(9))
    assert certificate["partnerships"].least == certificate["partnerships"].most == 1
    assert certificate["oppositions"].least == certificate["oppositions"].most == 2


@pytest.mark.parametrize(
    "shape",
    [
        pytest.param(single_shape(15), id="single 15"),
        pytest.param(single_shape(9), id="single 9 with transversals"),
        pytest.param(double_shape(10), id="double 10 with two base matchdays"),
        pytest.param(double_shape(13), id="double 13"),
        pytest.param(whist_shape(11), id="whist 11"),
    ],
)
def test_the_search_finds_a_starter_as_good_as_the_stored_one(shape: Shape) -> None:
    starter, cost = search_starter(shape, Random(3), coolings=60, steps=60_000)
    assert cost == 0
    kind = TableKind.SOLO4 if shape.size == 4 else TableKind.SOLO3
    certificate = certify(starter.develop(), kind, range(shape.entrants))
    row = certificate["oppositions" if shape.size == 4 else "meetings"]
    assert row.spread <= (1 if shape.at_most else row.lower_bound)
