"""Means with intervals over blocks, computed without numpy, so that a light install has them."""

from collections import defaultdict
from collections.abc import Hashable, Iterable
from functools import cache
from math import exp, fabs, lgamma, log, sqrt
from statistics import fmean, stdev
from typing import NamedTuple

CERTAINTY = 0.95
CLOSE = 1e-15
MOST_STEPS = 10_000


class MeanInterval(NamedTuple):
    """A mean, its 95 % interval by Student's t, and the chance of such a mean if the truth were zero.

    With fewer than two observations, or none that differ, the bounds and the chance are None.
    """

    mean: float
    low: float | None
    high: float | None
    p_value: float | None
    observations: int


def interval_of_mean(values: Iterable[float], blocks: Iterable[Hashable] | None = None) -> MeanInterval:
    """The mean of the block means, or of the values where no blocks are given. Raises ValueError if there are none."""
    observed = [float(value) for value in values]
    if blocks is not None:
        by_block: dict[Hashable, list[float]] = defaultdict(list)
        for value, block in zip(observed, blocks, strict=True):
            by_block[block].append(value)
        observed = [fmean(block) for block in by_block.values()]
    if not observed:
        raise ValueError("there is no mean of nothing")
    mean, count = fmean(observed), len(observed)
    error = stdev(observed) / sqrt(count) if count > 1 else 0.0
    if error == 0.0:
        return MeanInterval(mean, None, None, None, count)
    reach = student_reach(count - 1) * error
    return MeanInterval(mean, mean - reach, mean + reach, student_chance(mean / error, count - 1), count)


def student_chance(distance: float, freedom: int) -> float:
    """The chance to lie this many standard errors from the truth, to either side."""
    return _beta_share(freedom / 2, 0.5, freedom / (freedom + distance * distance))


@cache
def student_reach(freedom: int) -> float:
    """How many standard errors a 95 % interval reaches to each side: by halving, to the last figures."""
    low, high = 0.0, 20.0
    while high - low > 1e-13 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if student_chance(middle, freedom) > 1 - CERTAINTY else (low, middle)
    return high


def _beta_share(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function, by its continued fraction (DLMF 8.17.22, Lentz's method)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta_share(b, a, 1 - x)
    front = exp(a * log(x) + b * log(1 - x) + lgamma(a + b) - lgamma(a) - lgamma(b)) / a
    fraction, above, below = 1.0, 1.0, 0.0
    for step in range(MOST_STEPS):
        half = step // 2
        if step == 0:
            term = 1.0
        elif step % 2:
            term = -(a + half) * (a + b + half) * x / ((a + 2 * half) * (a + 2 * half + 1))
        else:
            term = half * (b - half) * x / ((a + 2 * half - 1) * (a + 2 * half))
        below = 1 / (1 + term * below)
        above = 1 + term / above
        fraction *= above * below
        if step and fabs(above * below - 1) < CLOSE * 10:
            break
    return front * (fraction - 1)
