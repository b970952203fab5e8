"""Shown ratings: the anchor at 1500, 400 points for ten to one, provisional until sure."""

from math import log

import pytest

from tournaments.rules.ratings.scale import PROVISIONAL_SE, PROVISIONAL_SIGMA, ShownRating, show_live, show_strength
from tournaments.rules.ratings.values import Estimate, LiveRating


@pytest.mark.parametrize(
    ("strength", "anchor", "number"),
    [
        pytest.param(0.7, 0.7, 1500, id="the anchor itself"),
        pytest.param(0.7 + log(10), 0.7, 1900, id="ten to one against the anchor"),
        pytest.param(-1.0, 0.0, 1500 - 173.7178, id="one unit below"),
    ],
)
def test_numbers(strength: float, anchor: float, number: float) -> None:
    assert show_strength(Estimate(strength, 0.1), anchor).number == pytest.approx(number, abs=1e-3)


def test_interval_and_lower_bound() -> None:
    shown = show_strength(Estimate(0.0, 0.1))
    assert (shown.low, shown.high) == pytest.approx((1500 - 34.05, 1500 + 34.05), abs=0.01)
    assert shown.lower_bound == pytest.approx(1500 - 34.74, abs=0.01)


@pytest.mark.parametrize(
    ("shown", "is_provisional"),
    [
        pytest.param(show_strength(Estimate(1, PROVISIONAL_SE)), False, id="a fit that is just sure enough"),
        pytest.param(show_strength(Estimate(1, PROVISIONAL_SE + 0.001)), True, id="a fit that is not"),
        pytest.param(show_live(LiveRating(30, PROVISIONAL_SIGMA)), False, id="a live rating that is"),
        pytest.param(show_live(LiveRating()), True, id="a new player"),
    ],
)
def test_provisional(shown: ShownRating, is_provisional: bool) -> None:
    assert shown.is_provisional is is_provisional


def test_a_new_player_is_shown_at_1500() -> None:
    assert show_live(LiveRating()).number == 1500
