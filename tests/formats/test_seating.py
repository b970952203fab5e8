"""Seats stay level whatever the tables are, and blocks let everybody hold every hand."""

from collections import Counter
from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.rules.designs.levelling import count_arrows
from tournaments.rules.pairing import (
    HOUSE,
    block_rotations,
    count_block_matches,
    level_direction,
    seat_evenly,
    seat_matches,
)


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
        pytest.param((7, 8, 9), 1, 6, id="three seats, one deal"),
        pytest.param((7, 8, 9), 2, 6, id="three seats, two deals"),
        pytest.param((7, 8, 9), 3, 12, id="three seats, three deals"),
        pytest.param((7, 8, 9), 4, 12, id="three seats, four deals"),
        pytest.param((7, 8, 7, 8), 1, 2, id="two sides, one deal"),
        pytest.param((7, 8, 7, 8), 2, 4, id="two sides, two deals"),
        pytest.param((6, 7, 8, 9), 1, 4, id="four individuals, one deal"),
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


@pytest.mark.parametrize("seats", [(1, 2, 3), (1, 2, 3, 4)])
@pytest.mark.parametrize("deals", range(1, 8))
def test_in_a_block_everybody_sits_before_and_after_everybody_equally_often(seats: tuple[int, ...], deals: int) -> None:
    block = block_rotations(seats, deals)
    arrows = count_arrows(block)
    assert {arrows[a, b] - arrows[b, a] for a, b in permutations(seats, 2)} == {0}
    assert count_block_matches(seats, deals) == sum(map(len, block)) <= len(seats[:3]) * (deals + 1)


@pytest.mark.parametrize("seats", [(1, 2, 3), (1, 2, 3, 4)])
def test_several_matches_of_a_table_change_direction_and_seats(seats: tuple[int, ...]) -> None:
    for matches in range(1, 17):
        seatings = seat_matches(seats, matches)
        arrows = count_arrows([seatings])
        assert max(abs(arrows[a, b] - arrows[b, a]) for a, b in permutations(seats, 2)) == matches % 2
    seatings = seat_matches(seats, 2 * len(seats))
    assert {Counter(seating.index(who) for seating in seatings)[seat] for who in seats for seat in range(3)} == {2}


def test_two_sides_change_places_from_match_to_match() -> None:
    assert seat_matches((1, 2, 1, 2), 3) == [(1, 2, 1, 2), (2, 1, 2, 1), (1, 2, 1, 2)]


def test_a_table_is_mirrored_if_it_sat_this_way_round_before() -> None:
    assert level_direction((1, 2, 3), []) == (1, 2, 3)
    assert level_direction((1, 2, 3), [(2, 3, 1)]) == (3, 2, 1)
    assert level_direction((1, 2, 3), [(2, 3, 1), (3, 2, 1), (4, 5, 6)]) == (1, 2, 3)
