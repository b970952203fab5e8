"""Shown ratings: the anchor at 1500, 400 points for ten to one, provisional until sure."""

from math import log, sqrt

import pytest

from tournaments.rules.ratings.values import (
    PROVISIONAL_SE,
    PROVISIONAL_SIGMA,
    LiveRating,
    Strength,
    show_live,
    show_strength,
)

NEW_ERROR = 800 / (log(10) * sqrt(3))
"""A new player's sigma is twice beta, a unit of strength is beta times the root of 3 and 400 / log(10) points."""


def make_strength(value: float, se: float) -> Strength:
    """With an interval that lies even around it."""
    return Strength(value, value - 1.96 * se, value + 1.96 * se, se)


@pytest.mark.parametrize(
    ("strength", "anchor", "number"),
    [
        pytest.param(0.7, 0.7, 1500, id="the anchor itself"),
        pytest.param(0.7 + log(10), 0.7, 1900, id="ten to one against the anchor"),
        pytest.param(-1.0, 0.0, 1500 - 173.7178, id="one unit below"),
    ],
)
def test_numbers(strength: float, anchor: float, number: float) -> None:
    assert show_strength(make_strength(strength - anchor, 0.1)).number == pytest.approx(number, abs=1e-3)


def test_interval_and_lower_bound() -> None:
    shown = show_strength(make_strength(0.0, 0.1))
    assert (shown.low, shown.high) == pytest.approx((1500 - 34.05, 1500 + 34.05), abs=0.01)
    assert shown.lower_bound == pytest.approx(1500 - 34.74, abs=0.01)


def test_the_anchors_doubt_widens_the_interval_and_not_the_order() -> None:
    """Against an anchor that hardly played: a player's own matches say how sure its place in the list is."""
    shown = show_strength(make_strength(0.0, 0.5)._replace(own_se=0.1))
    assert (shown.low, shown.high) == pytest.approx((1500 - 170.24, 1500 + 170.24), abs=0.01)
    assert shown.lower_bound == pytest.approx(1500 - 34.74, abs=0.01)
    assert not shown.is_provisional


@pytest.mark.parametrize(
    ("rating", "is_provisional"),
    [
        pytest.param(make_strength(1, PROVISIONAL_SE), False, id="a fit that is just sure enough"),
        pytest.param(make_strength(1, PROVISIONAL_SE + 0.001), True, id="a fit that is not"),
        pytest.param(LiveRating(30, PROVISIONAL_SIGMA), False, id="a live rating that is"),
        pytest.param(LiveRating(30, PROVISIONAL_SIGMA + 0.001), True, id="a live rating that is not"),
        pytest.param(LiveRating(), True, id="a new player"),
    ],
)
def test_provisional(rating: Strength | LiveRating, is_provisional: bool) -> None:
    shown = show_strength(rating) if isinstance(rating, Strength) else show_live(rating)
    assert shown.is_provisional is is_provisional


@pytest.mark.parametrize(
    ("rating", "number", "error"),
    [
        pytest.param(LiveRating(), 1500, NEW_ERROR, id="a new player"),
        pytest.param(LiveRating(25 + 25 / 3, 25 / 12), 1500 + NEW_ERROR, NEW_ERROR / 4, id="better and surer"),
        pytest.param(LiveRating(25 - 25 / 6, 2.5), 1500 - NEW_ERROR / 2, 0.3 * NEW_ERROR, id="worse"),
    ],
)
def test_live_ratings_are_shown_on_the_same_scale(rating: LiveRating, number: float, error: float) -> None:
    expected = (number, number - 1.96 * error, number + 1.96 * error, number - 3 * error)
    assert show_live(rating)[:4] == pytest.approx(expected)
