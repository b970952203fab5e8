"""The sequential test by hand: its ratio, its bounds, when it looks, and what it refuses."""

from math import log

import pytest

from tournaments.rules.sequential import (
    VARIANCE_FLOOR,
    Progress,
    SequentialTest,
    TrialRole,
    TrialVerdict,
    UnitScores,
    duel_seatings,
    score_unit,
)

C, B = TrialRole.CANDIDATE, TrialRole.BASELINE


def test_progress_tells_the_ratio_and_the_bounds() -> None:
    """Four units, mean 0.5 and variance 1/3: the ratio is 4 * 0.2 * (1 - 0.2) / (2 / 3)."""
    test = SequentialTest(0.2, false_accept=0.1, false_reject=0.2, first_look=4)
    progress = test.assess(UnitScores().plus([1, 0, 1, 0]))
    assert progress == pytest.approx(Progress(TrialVerdict.CONTINUES, 4, 0.5, 0.96, log(0.2 / 0.9), log(0.8 / 0.1)))


@pytest.mark.parametrize(
    ("units", "verdict"),
    [
        pytest.param([1.0], TrialVerdict.CONTINUES, id="one unit, no look yet"),
        pytest.param([1.0, 0.9], TrialVerdict.ACCEPTED, id="two units, better"),
        pytest.param([-1.0, -0.9], TrialVerdict.REJECTED, id="two units, worse"),
        pytest.param([1.0, -0.9], TrialVerdict.CONTINUES, id="two units, not parted"),
        pytest.param([1.0, -0.9, 0.0], TrialVerdict.UNDECIDED, id="three units, the last look"),
    ],
)
def test_a_first_look_after_two_units(units: list[float], verdict: TrialVerdict) -> None:
    test = SequentialTest(0.1, first_look=2, last_look=3, least_different=2)
    assert test.assess(UnitScores().plus(units)).verdict is verdict


@pytest.mark.parametrize(
    ("units", "verdict"),
    [
        pytest.param([0.0] * 16, TrialVerdict.CONTINUES, id="sixteen level units say nothing"),
        pytest.param([0.0] * 200 + [-0.5] * 4, TrialVerdict.CONTINUES, id="four that differ"),
        pytest.param([0.0] * 200 + [-0.5] * 5, TrialVerdict.REJECTED, id="five that differ"),
        pytest.param([0.0] * 400, TrialVerdict.UNDECIDED, id="alike to the last look"),
    ],
)
def test_no_look_before_enough_units_differ(units: list[float], verdict: TrialVerdict) -> None:
    assert SequentialTest(0.02, last_look=400).assess(UnitScores().plus(units)).verdict is verdict


@pytest.mark.parametrize(
    ("units", "variance"),
    [
        pytest.param([], VARIANCE_FLOOR, id="nothing"),
        pytest.param([0.7], VARIANCE_FLOOR, id="one unit"),
        pytest.param([0.7, 0.7], VARIANCE_FLOOR, id="two alike"),
        pytest.param([0.5, -0.5], 0.5, id="two"),
    ],
)
def test_variance(units: list[float], variance: float) -> None:
    assert UnitScores().plus(units).variance == pytest.approx(variance)


ALLOWED = [
    {"effect": 0.01}, {"effect": 1.5}, {"effect": 0.1, "first_look": 2}, {"effect": 0.1, "last_look": 16},
    {"effect": 0.1, "false_accept": 0.49, "false_reject": 0.01}, {"effect": 0.1, "false_reject": 0.49},
]
REFUSED = [
    ("the effect", {"effect": 0.0}), ("the effect", {"effect": -0.1}),
    ("the chances of error", {"effect": 0.1, "false_accept": 0.5}),
    ("the chances of error", {"effect": 0.1, "false_accept": 0.0}),
    ("the chances of error", {"effect": 0.1, "false_reject": 0.5}),
    ("the chances of error", {"effect": 0.1, "false_reject": 0.0}),
    ("the number of units", {"effect": 0.1, "least_different": -1}),
    ("the first look", {"effect": 0.1, "first_look": 1}), ("the first look", {"effect": 0.1, "last_look": 15}),
]


@pytest.mark.parametrize("settings", ALLOWED, ids=str)
def test_what_is_just_sensible_is_allowed(settings: dict[str, float]) -> None:
    SequentialTest(**settings)  # type: ignore[arg-type]


@pytest.mark.parametrize(("named", "settings"), REFUSED, ids=str)
def test_what_is_just_senseless_is_refused(named: str, settings: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=f"^{named}"):
        SequentialTest(**settings)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("players", "seatings"),
    [
        pytest.param(3, {(C, B, B), (B, C, B), (B, B, C), (B, C, C), (C, B, C), (C, C, B)}, id="three"),
        pytest.param(4, {(C, B, C, B), (B, C, B, C)}, id="four, as two sides"),
    ],
)
def test_a_unit_has_every_seating_once(players: int, seatings: set[tuple[TrialRole, ...]]) -> None:
    assert len(duel_seatings(players)) == len(seatings)
    assert set(duel_seatings(players)) == seatings


def test_a_unit_is_scored_by_means_over_seats_not_matches() -> None:
    """The candidate has 3, 5 and 1 in its three seats, the baseline 2, 1 and 0."""
    assert score_unit([(C, B, B), (B, C, C)], [[3, 2, 1], [0, 5, 1]]) == pytest.approx(3 - 1)
    assert score_unit([(C, B, B)], [[4, 1, 2]]) == pytest.approx(4 - 1.5)


@pytest.mark.parametrize("points", [[[1.0, 2.0]], [[1.0, 2.0, 3.0, 4.0]]], ids=["a seat too few", "a seat too many"])
def test_a_match_of_another_size_is_refused(points: list[list[float]]) -> None:
    with pytest.raises(ValueError):
        score_unit([(C, B, B)], points)
