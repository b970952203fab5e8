"""Why a side has its place: named where it is not what everybody looks at first."""

from dataclasses import replace

import pytest

from games.pages.replay import explain_places
from games.play.see_table import type_finished
from games.play.table_state import FinishedState, ScoreState
from games.rules.ruleset import Ruleset
from tests.table.test_table_state import play_by_chance


def end_rounds(*rounds: tuple[list[tuple[int, int, int]], list[int]]) -> list[FinishedState]:
    """Rounds of (bid, tricks, total) by side, and who got the nugget."""
    done = type_finished(play_by_chance("en3").rounds[0])
    return [
        replace(
            done,
            scores=tuple(ScoreState(bid, tricks, 0, total, total) for bid, tricks, total in scores),
            winners=tuple(winners),
        )
        for scores, winners in rounds
    ]


WON = (7, 7, 9)


@pytest.mark.parametrize(
    ("code", "scores", "places", "why"),
    [
        pytest.param("en3", [WON, (4, 2, 3), (1, 0, 1)], [1, 2, 3], "last bid 4 to 1", id="bids"),
        pytest.param("en3", [WON, (4, 2, 3), (4, 0, 1)], [1, 2, 3], "points 3 to 1", id="points"),
        pytest.param("en3", [WON, (4, 4, 3), (4, 0, 3)], [1, 2, 3], "exact bids 1 to 0", id="exact"),
        pytest.param("en3", [WON, (4, 4, 3), (4, 4, 3)], [1, 2, 2], "", id="shared"),
        pytest.param("en3-cumulative", [WON, (4, 4, 3), (4, 4, 1)], [1, 2, 3], "", id="points alone"),
        pytest.param("en3-cumulative", [WON, (4, 4, 3), (1, 4, 3)], [1, 2, 3], "last bid 4 to 1", id="then bids"),
    ],
)
def test_what_parted_equals_is_said(code: str, scores: list[tuple[int, int, int]], places: list[int], why: str) -> None:
    """The first side has the nugget and needs no reason; the last one is parted from the second, or is not."""
    told = explain_places(Ruleset.from_code(code), places, end_rounds((scores, [0])))
    assert [place.why for place in told] == ["", "", why]


def test_of_sealed_deals_nothing_but_places_is_told() -> None:
    told = explain_places(Ruleset.from_code("en3"), [2, 1, 3], [])
    assert [(place.side, place.nuggets, place.points, place.why) for place in told] == [
        (1, None, None, ""), (0, None, None, ""), (2, None, None, "")
    ]  # fmt: skip
