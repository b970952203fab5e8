"""Swiss: equals meet equals, no repeats while they can be avoided, seats level, owners and conflicts apart."""

from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from tests.formats.playing import draw_matchday, make_field, play
from tournaments.rules.certificate import certify_draws
from tournaments.rules.formats.format import Entry, PastMatchday, Situation
from tournaments.rules.formats.swiss import Swiss
from tournaments.rules.pairing import HOUSE, ImpossibleDraw, TableKind, Waiting


@pytest.mark.parametrize(
    ("kind", "n", "matchdays"),
    [
        pytest.param("solo3", 24, 6, id="24 at threes"),
        pytest.param("solo3", 45, 11, id="45 at threes"),
        pytest.param("solo3", 100, 12, id="100 at threes"),
        pytest.param("teams4", 16, 6, id="16 sides"),
        pytest.param("teams4", 101, 8, id="101 sides"),
        pytest.param("solo4", 64, 6, id="64 with partners"),
    ],
)
def test_nobody_meets_twice(kind: str, n: int, matchdays: int) -> None:
    _, draws, _ = play(Swiss(TableKind(kind), matchdays), make_field(n), Random(1))
    met = [frozenset(pair) for d in draws for p in d.pairings for pair in combinations(p.entrants, 2)]
    assert len(met) == len(set(met))
    certificate = certify_draws(draws, TableKind(kind), range(1, n + 1))
    assert certificate["byes"].spread <= 1
    assert certificate["seats_always"].most <= 2


def test_equals_meet_equals() -> None:
    _, draws, _ = play(Swiss(matchdays=3), make_field(81), Random(4))
    last = draws[1]
    spread = [max(p.why[0].numbers) - min(p.why[0].numbers) for p in last.pairings]
    assert sum(spread) <= 2


@pytest.mark.parametrize(("n", "expected"), [(9, 5), (27, 6), (28, 7), (243, 8)])
def test_length_parts_the_field(n: int, expected: int) -> None:
    assert Swiss(TableKind.SOLO3).plan_length(n) == expected


def test_one_owner_never_twice_at_a_rated_table() -> None:
    entries = tuple(Entry(i, owners=frozenset({i // 5})) for i in range(1, 41))
    _, draws, _ = play(Swiss(matchdays=6), Situation(entries), Random(3))
    for draw in draws:
        for pairing in draw.pairings:
            assert len({entrant // 5 for entrant in pairing.seats}) == 3


def test_one_owner_may_hold_one_side_of_a_table_of_four() -> None:
    entries = tuple(Entry(i, owners=frozenset({i % 2})) for i in range(1, 9))
    drawn = draw_matchday(Swiss(TableKind.SOLO4), Situation(entries), Random(3))
    for pairing in drawn.pairings:
        a, b, c, d = (entrant % 2 for entrant in pairing.seats)
        assert a == c != b == d


def test_named_conflicts_are_kept_apart() -> None:
    conflicts = frozenset(frozenset((1, other)) for other in range(2, 12))
    situation = replace(make_field(15), conflicts=conflicts)
    drawn = draw_matchday(Swiss(), situation, Random(1))
    assert all(pair & set(p.seats) != pair for p in drawn.pairings for pair in conflicts)


def test_a_conflict_with_all_who_are_near_is_resolved_far_away() -> None:
    entries = tuple(Entry(i, points=float(91 - i)) for i in range(1, 91))
    near = range(2, 79)
    situation = Situation(entries, conflicts=frozenset(frozenset((1, other)) for other in near), is_rated=False)
    drawn = draw_matchday(Swiss(), situation, Random(1))
    (opponents,) = (set(p.seats) - {1} for p in drawn.pairings if 1 in p.seats)
    assert opponents.isdisjoint(near)


def test_an_impossible_wish_says_which() -> None:
    situation = replace(make_field(3), conflicts=frozenset({frozenset((1, 3))}))
    with pytest.raises(ImpossibleDraw) as refused:
        Swiss().draw(situation, Random(1))
    assert refused.value.problem.code == "cannot_keep_apart"
    assert refused.value.problem.entrants == (1, 3)
    assert "1 and 3" in refused.value.problem.sentence


@pytest.mark.parametrize(("n", "before"), [(3, 2), (5, 3), (6, 3), (8, 4), (13, 2), (15, 2)])
def test_who_meet_again_sit_the_other_way_round(n: int, before: int) -> None:
    """A table turns round as a whole, so a pair that meets with other thirds may be two apart, never more."""
    _, draws, _ = play(Swiss(TableKind.SOLO3, house_fills=True), make_field(n), Random(1))
    apart = certify_draws(draws, TableKind.SOLO3, range(1, n + 1))["left_against_right"]
    assert apart.most <= (2 if n in (5, 8) else apart.lower_bound) < before


def test_waits_for_the_last_table() -> None:
    situation = make_field(6)
    drawn = draw_matchday(Swiss(), situation, Random(1))
    waiting = Swiss().draw(replace(situation, history=(PastMatchday.from_draw(drawn),)), Random(1))
    assert waiting == Waiting(((1, 1), (1, 2)))


def test_a_house_bot_fills_the_one_missing_seat() -> None:
    drawn = draw_matchday(Swiss(house_fills=True), make_field(8), Random(1))
    assert drawn.byes == ()
    assert HOUSE in drawn.pairings[-1].seats
    assert draw_matchday(Swiss(house_fills=True), make_field(7), Random(1)).byes != ()


def test_ten_thousand_entrants_meet_the_figures() -> None:
    n, days = 10_000, 3
    _, draws, _ = play(Swiss(matchdays=days), make_field(n), Random(1))
    met = {frozenset(pair) for d in draws for p in d.pairings for pair in combinations(p.entrants, 2)}
    assert len(met) == 3 * days * (n // 3)
    seats = {i: [0, 0, 0] for i in range(1, n + 1)}
    for draw in draws:
        for pairing in draw.pairings:
            for seat, entrant in enumerate(pairing.seats):
                seats[entrant][seat] += 1
    spread = [max(row) - min(row) for row in seats.values()]
    assert max(spread) <= 2
    assert sum(value <= 1 for value in spread) >= 0.94 * n
