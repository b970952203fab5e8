"""How much better, once a sequential test has stopped: an estimate without the flattery of having stopped there.

A test stops when luck helps, so the plain mean exaggerates. The median-unbiased estimate is the effect under which a
result at least as extreme has chance one half, where crossing a bound earlier is more extreme (stagewise ordering). The
log ratio is taken as Brownian motion between two bounds, each moved out by 0.583 steps for looking only after whole
units (Siegmund 1985); the chance to cross in time is the classical series for the exit from an interval.
"""

from collections.abc import Callable
from math import exp, expm1, pi, sqrt
from typing import NamedTuple

import numpy as np
import scipy

from tournaments.rules.sequential.gsprt import Progress, SequentialTest, UnitScores, Verdict

OVERSHOOT = 0.583
SERIES_TERMS = np.arange(1, 400)
SERIES_SIGNS = np.where(SERIES_TERMS % 2 == 1, 1.0, -1.0)


class StoppedEstimate(NamedTuple):
    """The effect with its 95 % interval; `is_corrected` says whether stopping was accounted for."""

    value: float
    low: float
    high: float
    is_corrected: bool


def estimate_effect(test: SequentialTest, scores: UnitScores) -> StoppedEstimate:
    """The estimate at the point where `scores` stand.

    Corrected once a bound was crossed after the first look; before that, and at the first look itself, which luck with
    the score did not choose, the plain mean with its normal interval is given.
    """
    progress = test.assess(scores)
    is_first_look = scores.units <= test.first_look or scores.different <= test.least_different
    if progress.verdict not in (Verdict.ACCEPTED, Verdict.REJECTED) or is_first_look:
        error = sqrt(scores.variance / max(scores.units, 1))
        return StoppedEstimate(scores.mean, scores.mean - 1.96 * error, scores.mean + 1.96 * error, False)
    chance = _chance_at_least(test, scores, progress)
    low, value, high = (_solve(chance, level, scores) for level in (0.025, 0.5, 0.975))
    return StoppedEstimate(value, low, high, True)


def _chance_at_least(test: SequentialTest, scores: UnitScores, progress: Progress) -> Callable[[float], float]:
    """The chance, rising with the effect, of a result at least as good for the new version as the one seen."""
    step = test.effect / sqrt(scores.variance)
    below = -test.lower + OVERSHOOT * step
    above = test.upper + OVERSHOOT * step

    def chance(effect: float) -> float:
        drift = test.effect * (2 * effect - test.effect) / (2 * scores.variance)
        if progress.verdict is Verdict.ACCEPTED:
            return crossing_chance(drift, step, above, below, scores.units)
        return 1 - crossing_chance(-drift, step, below, above, scores.units)

    return chance


def crossing_chance(drift: float, step: float, above: float, below: float, units: float) -> float:
    """The chance that a Brownian motion from 0 reaches `above` within `units`, and before it reaches `-below`."""
    width = above + below
    rate = drift / step**2
    decay = drift * rate / 2 + (SERIES_TERMS * pi * step / width) ** 2 / 2
    waves = SERIES_TERMS * SERIES_SIGNS * np.sin(SERIES_TERMS * pi * below / width)
    later = pi * (step / width) ** 2 * float((waves * np.exp(rate * above - decay * units) / decay).sum())
    return min(max(_chance_ever(rate, below, width) - later, 0.0), 1.0)


def _chance_ever(rate: float, below: float, width: float) -> float:
    """The chance to leave an interval of `width` at its top, from `below` above its bottom."""
    if abs(rate) * width < 1e-9:
        return below / width
    tilt = min(2 * rate * (width - below), 0.0)
    return exp(tilt) * expm1(-2 * abs(rate) * below) / expm1(-2 * abs(rate) * width)


def _solve(chance: Callable[[float], float], level: float, scores: UnitScores) -> float:
    reach = 12 * sqrt(scores.variance / scores.units)
    low, high = scores.mean - reach, scores.mean + reach
    return float(scipy.optimize.brentq(lambda effect: chance(effect) - level, low, high, xtol=1e-9))
