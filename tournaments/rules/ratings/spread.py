"""How far the strengths of a pool lie apart: learnt from the same results, with the doubt that is left about it.

The strengths are fitted under several spreads. How well each spread explains the results is the height of the
posterior's peak times its volume (Laplace); between them it is interpolated, and the fits are averaged with those
weights. The belief about the spread itself is half normal, which is flat near nothing (Gelman 2006).
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import scipy

from tournaments.rules.ratings.rankings import FloatArray

SPREADS = np.geomspace(0.05, 3.5, 9)
"""What a pool's standard deviation of strength may be, as far apart as interpolation between them is good."""

LIKELY_SPREAD = 1.3
"""Before its results a pool's spread is believed to be half normal of this scale; small pools need as much."""

SHAPE_SEED, SHAPE_STEPS = 1, 8

FINE = np.geomspace(SPREADS[0], SPREADS[-1], 161)


class SpreadFit(NamedTuple):
    """A fit under one spread: the strengths, their covariance, and the log of how well it explains the results."""

    theta: FloatArray
    covariance: FloatArray
    evidence: float


class Averaged(NamedTuple):
    """Strengths and their covariance, with the spread and the doubt about it averaged over."""

    theta: FloatArray
    covariance: FloatArray
    sd: float


def average_spreads(fit_under: Callable[[float], SpreadFit], spreads: FloatArray) -> Averaged:
    """From fits under every spread of a grid from the least to the largest."""
    fits = [fit_under(float(sd)) for sd in spreads]
    evidence = np.array([fit.evidence for fit in fits])
    curve = scipy.interpolate.PchipInterpolator(np.log(spreads), evidence - evidence.max())(np.log(FINE))
    chances = FINE * np.exp(curve - 0.5 * (FINE / LIKELY_SPREAD) ** 2)
    chances /= chances.sum()
    weights = _share_nodes(chances, spreads)
    theta = weights @ np.array([fit.theta for fit in fits])
    covariance = np.zeros_like(fits[0].covariance)
    for weight, fit in zip(weights, fits, strict=True):
        offset = fit.theta - theta
        covariance += weight * (fit.covariance + np.outer(offset, offset))
    return Averaged(theta, covariance, float(chances @ FINE))


def measure_shape(log_height: Callable[[FloatArray], float], size: int) -> float:
    """The log of how much larger the volume under a peak is than that of the normal curve fitted to its top.

    `log_height` takes steps in standard errors. Its distance to the normal curve is taken at steps drawn from that
    curve, always the same and each both ways, and averaged as an exponential: few matches a player make the peak so
    much unlike a normal curve that a Swiss would seem to have no spread at all. (Taken to its second cumulant alone,
    the average let some sparse pools run to the widest spread.)
    """
    steps = np.random.default_rng(SHAPE_SEED).normal(size=(SHAPE_STEPS, size))
    steps = np.concatenate([steps, -steps])
    top = log_height(np.zeros(size))
    excess = np.array([log_height(step) - top + 0.5 * float(step @ step) for step in steps])
    return float(scipy.special.logsumexp(excess) - np.log(len(excess)))


def _share_nodes(chances: FloatArray, spreads: FloatArray) -> FloatArray:
    """Each fine spread's chance, shared between the two nodes of the grid around it."""
    size = len(spreads)
    position = np.interp(np.log(FINE), np.log(spreads), np.arange(size))
    lower = np.minimum(position.astype(int), size - 2)
    above = position - lower
    shares: FloatArray = np.zeros(size)
    np.add.at(shares, lower, chances * (1 - above))
    np.add.at(shares, lower + 1, chances * above)
    return shares
