"""Means with intervals and tests, taken over blocks: matches on the same deals are one observation, not several."""

from math import sqrt
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


class MeanInterval(NamedTuple):
    """A mean, its 95 % interval by Student's t, and the chance of such a mean if the truth were zero.

    With fewer than two observations, or none that differ, the bounds and the chance are None.
    """

    mean: float
    low: float | None
    high: float | None
    p_value: float | None
    observations: int


def block_means(values: ArrayLike, blocks: ArrayLike) -> FloatArray:
    """The mean of each block, in rising order of the blocks."""
    _, index = np.unique(blocks, return_inverse=True)
    sizes = np.bincount(index)
    sums: FloatArray = np.zeros(len(sizes))
    np.add.at(sums, index, np.asarray(values, dtype=float))
    return sums / sizes


def interval_of_mean(values: ArrayLike, blocks: ArrayLike | None = None) -> MeanInterval:
    """The mean of the block means, or of the values where no blocks are given. Raises ValueError if there are none."""
    observed = np.asarray(values, dtype=float) if blocks is None else block_means(values, blocks)
    if not len(observed):
        raise ValueError("there is no mean of nothing")
    mean, count = float(observed.mean()), len(observed)
    error = float(observed.std(ddof=1)) / sqrt(count) if count > 1 else 0.0
    if error == 0.0:
        return MeanInterval(mean, None, None, None, count)
    reach = float(student_reach(count - 1)) * error
    p_value = float(student_chance(mean / error, count - 1))
    return MeanInterval(mean, mean - reach, mean + reach, p_value, count)


def student_reach(freedom: ArrayLike) -> FloatArray:
    """How many standard errors a 95 % interval reaches to each side."""
    reach: FloatArray = scipy.special.stdtrit(freedom, 0.975)
    return reach


def student_chance(distance: ArrayLike, freedom: ArrayLike) -> FloatArray:
    """The chance to lie this many standard errors from the truth, to either side."""
    chance: FloatArray = 2 * scipy.special.stdtr(freedom, -np.abs(distance))
    return chance


def share_interval(successes: float, trials: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share; (0, 1) where nothing was tried."""
    if not trials:
        return 0.0, 1.0
    z, share = 1.959964, successes / trials
    centre = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    reach = z / (1 + z * z / trials) * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    return max(0.0, centre - reach), min(1.0, centre + reach)
