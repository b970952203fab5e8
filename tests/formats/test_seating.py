"""Seats stay level whatever the tables are, and blocks let everybody hold every hand."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.rules.pairing import HOUSE
from tournaments.rules.seating import block_rotations, seat_evenly


@given(n=st.integers(3, 40), days=st.integers(1, 25), seats=st.sampled_from([2, 3, 4]), rng=st.randoms())
def test_seats_differ_by_at_most_one_after_every_matchday(n: int, days: int, seats: int, rng: Random) -> None:
    drawn = []
    for _ in range(days):
        order = list(range(1, n + 1))
        rng.shuffle(order)
        drawn.append([tuple(order[k : k + seats]) for k in range(0, n - seats + 1, seats)])
    count = {entrant: [0] * seats for entrant in range(1, n + 1)}
    for before, after in zip(drawn, seat_evenly(drawn, seats), strict=True):
        assert [sorted(table) for table in before] == [sorted(table) for table in after]
        for table in after:
            for seat, entrant in enumerate(table):
                count[entrant][seat] += 1
        assert all(max(row) - min(row) <= 1 for row in count.values())


def test_a_house_bot_takes_the_seat_left_over() -> None:
    days = [[(1, 2, HOUSE)], [(1, 2, 3)], [(1, 2, HOUSE)]]
    seated = seat_evenly(days)
    assert [sorted(day[0]) for day in seated] == [[0, 1, 2], [1, 2, 3], [0, 1, 2]]
    assert {table[0].index(1) for table in seated} == {0, 1, 2}


@pytest.mark.parametrize(
    ("seats", "deals", "matches"),
    [
        pytest.param((7, 8, 9), 1, 3, id="three seats, one deal"),
        pytest.param((7, 8, 9), 3, 9, id="three seats, three deals"),
        pytest.param((7, 8, 7, 8), 2, 4, id="two sides, two deals"),
        pytest.param((6, 7, 8, 9), 2, 4, id="four individuals, two deals"),
    ],
)
def test_a_block_gives_everybody_every_hand_of_a_deal(seats: tuple[int, ...], deals: int, matches: int) -> None:
    block = block_rotations(seats, deals)
    assert sum(map(len, block)) == matches
    for seatings in block:
        sides = 3 if len(seats) == 3 else 2
        held = Counter((entrant, seat % sides) for seating in seatings for seat, entrant in enumerate(seating))
        assert set(held.values()) == {len(seatings) * len(seats) // len(held)}


def test_the_direction_alternates_from_deal_to_deal() -> None:
    first, second, third = block_rotations((1, 2, 3), 3)
    assert third == first
    assert {seating[(seating.index(1) + 1) % 3] for seating in first} == {2}
    assert {seating[(seating.index(1) + 1) % 3] for seating in second} == {3}
