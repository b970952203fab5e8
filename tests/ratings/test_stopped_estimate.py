"""The estimate after a sequential test has stopped, and the chance it rests on, each computed in another way."""

from math import exp, pi, sqrt

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from tournaments.rules.sequential import (
    VARIANCE_FLOOR,
    SequentialTest,
    TrialVerdict,
    UnitScores,
    crossing_chance,
    estimate_effect,
)


def crossing_by_images(drift: float, step: float, above: float, below: float, units: float) -> float:
    """The same chance by mirrored starts instead of waves: the density of the time of leaving at the top, summed up."""
    starts = above + 2 * (above + below) * np.arange(-60, 61)

    def density(time: float) -> float:
        spread = step**2 * time
        tilt = exp((drift * above - drift**2 * time / 2) / step**2)
        return tilt * float((starts * np.exp(-(starts**2) / (2 * spread))).sum()) / (time * sqrt(2 * pi * spread))

    return float(quad(density, 0, units, epsabs=1e-11, limit=200)[0])


@pytest.mark.parametrize(
    ("drift", "step", "above", "below", "units"),
    [
        pytest.param(0.01, 0.1, 2.0, 1.0, 200, id="up, the lower bound nearer"),
        pytest.param(-0.01, 0.1, 2.0, 1.0, 200, id="down"),
        pytest.param(0.0, 0.1, 2.0, 1.0, 400, id="no drift"),
        pytest.param(0.0, 0.3, 1.5, 4.0, 30, id="no drift, the upper bound nearer"),
        pytest.param(0.05, 0.3, 3.0, 3.0, 60, id="bounds alike"),
    ],
)
def test_the_chance_to_cross_in_time(drift: float, step: float, above: float, below: float, units: float) -> None:
    expected = crossing_by_images(drift, step, above, below, units)
    assert 0.01 < expected < 0.99
    assert crossing_chance(drift, step, above, below, units) == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("drift", [0.02, -0.02, 0.0])
def test_with_the_other_bound_far_away_it_is_the_chance_of_a_single_bound(drift: float) -> None:
    """The classical formula for the greatest value of a Brownian motion with drift."""
    time, above, reach = 100, 1.5, 0.1 * sqrt(100)
    expected = norm.cdf((drift * time - above) / reach)
    expected += exp(2 * drift * above / 0.1**2) * norm.cdf((-above - drift * time) / reach)
    assert crossing_chance(drift, 0.1, above, 20.0, time) == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize(
    ("drift", "below", "chance"),
    [
        pytest.param(0.0, 1.0, 1 / 3, id="no drift: as far as the bounds are"),
        pytest.param(1e-13, 1.0, 1 / 3, id="next to none"),
        pytest.param(0.01, 1.0, (1 - exp(-2)) / (1 - exp(-6)), id="up"),
        pytest.param(-0.01, 1.0, (exp(2) - 1) / (exp(6) - 1), id="down"),
        pytest.param(10.0, 1.0, 1.0, id="up for sure"),
        pytest.param(-10.0, 1.0, 0.0, id="down for sure"),
    ],
)
def test_with_all_the_time_there_is_it_is_the_gamblers_ruin(drift: float, below: float, chance: float) -> None:
    assert crossing_chance(drift, 0.1, 2.0, below, 1e6) == pytest.approx(chance, abs=1e-9)


def test_no_time_is_no_chance() -> None:
    assert crossing_chance(0.0, 0.1, 2.0, 1.0, 1) == pytest.approx(0.0, abs=1e-9)


STOPPED = [
    pytest.param(SequentialTest(0.1), [1.0, -0.8] * 240, TrialVerdict.ACCEPTED, id="accepted"),
    pytest.param(SequentialTest(0.1), [0.9, -0.9] * 240, TrialVerdict.REJECTED, id="rejected, no better"),
    pytest.param(SequentialTest(0.2), [0.5, -0.9, 0.2] * 12, TrialVerdict.REJECTED, id="rejected, worse"),
    pytest.param(SequentialTest(0.1, 0.01, 0.2), [1.0, -0.8] * 356, TrialVerdict.ACCEPTED, id="uneven, accepted"),
    pytest.param(SequentialTest(0.1, 0.01, 0.2), [0.9, -0.9] * 131, TrialVerdict.REJECTED, id="uneven, rejected"),
]


@pytest.mark.parametrize(("test", "units", "verdict"), STOPPED)
def test_under_the_estimate_a_better_result_has_an_even_chance(
    test: SequentialTest, units: list[float], verdict: TrialVerdict
) -> None:
    """And under the ends of the interval one of 2.5 and of 97.5 in a hundred; better is to be accepted sooner."""
    scores = UnitScores().plus(units)
    assert test.assess(scores).verdict is verdict
    variance, moved = float(np.var(units, ddof=1)), 0.583 * test.effect / np.std(units, ddof=1)
    above = np.log((1 - test.false_reject) / test.false_accept) + moved
    below = -np.log(test.false_reject / (1 - test.false_accept)) + moved

    def chance_at_least(effect: float) -> float:
        drift = test.effect * (effect - test.effect / 2) / variance
        step = test.effect / sqrt(variance)
        if verdict is TrialVerdict.ACCEPTED:
            return crossing_by_images(drift, step, above, below, len(units))
        return 1 - crossing_by_images(-drift, step, below, above, len(units))

    estimate = estimate_effect(test, scores)
    assert estimate.is_corrected
    chances = [chance_at_least(effect) for effect in (estimate.low, estimate.value, estimate.high)]
    assert chances == pytest.approx([0.025, 0.5, 0.975], abs=1e-5)


@pytest.mark.parametrize(
    ("units", "is_corrected"),
    [
        pytest.param([0.6, 0.0] * 8, False, id="at the first look, for which it was fixed"),
        pytest.param([0.5, -0.1] * 8 + [0.5], True, id="one unit later"),
    ],
)
def test_only_stopping_by_luck_is_corrected(units: list[float], is_corrected: bool) -> None:
    test = SequentialTest(0.1)
    scores = UnitScores().plus(units)
    assert test.assess(scores).verdict is TrialVerdict.ACCEPTED
    estimate = estimate_effect(test, scores)
    assert estimate.is_corrected is is_corrected
    if not is_corrected:
        reach = 1.96 * np.std(units, ddof=1) / sqrt(len(units))
        assert estimate[:3] == pytest.approx((0.3, 0.3 - reach, 0.3 + reach))


def test_before_anything_was_played_only_the_floor_is_known() -> None:
    estimate = estimate_effect(SequentialTest(0.1), UnitScores())
    assert estimate == pytest.approx((0.0, -1.96 * VARIANCE_FLOOR**0.5, 1.96 * VARIANCE_FLOOR**0.5, False))
