"""The certificate counts plain seats right, on schedules small enough to count by hand."""

import pytest

from tournaments.rules.certificate import certify
from tournaments.rules.pairing import HOUSE, TableKind

TWICE_THE_SAME = [[(1, 2, 3)], [(1, 2, 3)]]
TURNED = [[(1, 2, 3)], [(2, 3, 1)], [(3, 1, 2)]]
MIRRORED = [[(1, 2, 3)], [(3, 2, 1)]]
ONE_RESTS = [[(1, 2, 3)], [(2, 3, 4)]]
WHIST4 = [[(1, 2, 3, 4)], [(1, 3, 4, 2)], [(1, 4, 2, 3)]]
SIDES = [[(1, 2, 1, 2)], [(3, 1, 3, 1)], [(2, 3, 2, 3)]]
UNFAIR_SIDES = [[(1, 2, 1, 2)], [(1, 3, 1, 3)], [(2, 3, 2, 3)]]
WITH_HOUSE = [[(1, 2, HOUSE)]]


@pytest.mark.parametrize(
    ("days", "kind", "n", "row", "least", "most", "bound"),
    [
        pytest.param(TWICE_THE_SAME, "solo3", 3, "seats", 0, 2, 1, id="nobody ever moves"),
        pytest.param(TURNED, "solo3", 3, "seats", 0, 0, 0, id="everybody once on every seat"),
        pytest.param(TURNED, "solo3", 3, "seats_always", 0, 1, 1, id="within one on the way"),
        pytest.param(TURNED, "solo3", 3, "first_turns", 1, 1, 0, id="everybody first once"),
        pytest.param(TURNED, "solo3", 3, "left_against_right", 0, 3, 1, id="always the same neighbour to the left"),
        pytest.param(MIRRORED, "solo3", 3, "left_against_right", 0, 0, 0, id="mirrored neighbours"),
        pytest.param(MIRRORED, "solo3", 3, "left_neighbours", 1, 1, 0, id="each left of each once"),
        pytest.param(ONE_RESTS, "solo3", 4, "byes", 0, 1, 1, id="two of four rest once"),
        pytest.param(ONE_RESTS, "solo3", 4, "meetings", 0, 2, 0, id="2 and 3 met twice, 1 and 4 never"),
        pytest.param(ONE_RESTS, "solo3", 4, "matches", 1, 2, 1, id="one or two matches"),
        pytest.param(WHIST4, "solo4", 4, "partnerships", 1, 1, 0, id="every partner once"),
        pytest.param(WHIST4, "solo4", 4, "oppositions", 2, 2, 0, id="every opponent twice"),
        pytest.param(SIDES, "teams4", 3, "seats", 0, 0, 0, id="each side first and second"),
        pytest.param(UNFAIR_SIDES, "teams4", 3, "first_turns", 0, 2, 0, id="one side always first"),
        pytest.param(WITH_HOUSE, "solo3", 3, "byes", 0, 1, 1, id="a house bot is nobody"),
        pytest.param([], "solo3", 3, "meetings", 0, 0, 0, id="nothing drawn"),
    ],
)
def test_row(days: list[list[tuple[int, ...]]], kind: str, n: int, row: str, least: int, most: int, bound: int) -> None:
    found = certify(days, TableKind(kind), range(1, n + 1))[row]
    assert (found.least, found.most, found.lower_bound) == (least, most, bound)
    assert found.is_at_bound == (most - least <= bound)
