"""Intervals from a player's own results: the spread of the pool is believed of everybody else, not of the player.

A strength that is drawn towards the mean of the pool is the best guess, but an interval around it holds nearly always
where players are equal and too seldom for whoever is not like the rest. So the belief about just the player in question
(and the anchor) is taken away again, as far as OWN_SD, before the interval is read off: what is left are the player's
own results against opponents who are known as well as the pool tells (the cavity of expectation propagation, Opper and
Winther 2000). Such an interval holds with the same chance for every true strength, as confidence intervals do.

Taking the belief away from one of many is an update of rank one of the covariance, from two an inverse of two by two.
"""

from typing import NamedTuple

import numpy as np

from tournaments.rules.ratings.rankings import FloatArray, IntArray
from tournaments.rules.ratings.traits import Averaged, SpreadFit

OWN_SD = 5.0
"""What is believed of a strength whose own interval is sought: next to nothing, but it is not without bounds."""


class OwnResults(NamedTuple):
    """By player: the middle of the interval and its standard error."""

    value: FloatArray
    se: FloatArray


def own_against_mean(found: Averaged, islands: IntArray) -> OwnResults:
    """Of each strength against the mean of its island."""
    return _average(found, [_free_one(fit, islands) for fit in found.fits])


def own_against(found: Averaged, anchor: int) -> OwnResults:
    """Of each strength against that in row `anchor`; what it says of other islands is without meaning."""
    return _average(found, [_free_two(fit, anchor) for fit in found.fits])


def _average(found: Averaged, parts: list[OwnResults]) -> OwnResults:
    """With the doubt about the spread: the variance within the parts, and between them."""
    values, variances = np.array([part.value for part in parts]), np.array([part.se**2 for part in parts])
    value = found.weights @ values
    return OwnResults(value, np.sqrt(found.weights @ (variances + (values - value) ** 2)))


def _excess(fit: SpreadFit) -> FloatArray:
    """How much of the belief about each is taken away."""
    return np.maximum(fit.precision - OWN_SD**-2.0, 0.0)


def _free_one(fit: SpreadFit, islands: IntArray) -> OwnResults:
    value, variance = np.empty(len(fit.theta)), np.empty(len(fit.theta))
    excess, drawn = _excess(fit), fit.theta - fit.belief
    own = fit.covariance if fit.covariance.ndim == 1 else np.diag(fit.covariance)
    pull = excess / (1 - excess * own)
    for island in range(int(islands.max()) + 1):
        rows = np.flatnonzero(islands == island)
        reach = spread = own[rows]
        if fit.covariance.ndim == 2:
            shared = fit.covariance[np.ix_(rows, rows)].mean(axis=0)
            reach, spread = own[rows] - shared, own[rows] - 2 * shared + shared.mean()
        value[rows] = fit.theta[rows] - fit.theta[rows].mean() + pull[rows] * drawn[rows] * reach
        variance[rows] = spread + pull[rows] * reach**2
    return OwnResults(value, np.sqrt(np.maximum(variance, 0.0)))


def _free_two(fit: SpreadFit, anchor: int) -> OwnResults:
    excess, drawn = _excess(fit), fit.theta - fit.belief
    if fit.covariance.ndim == 1:
        own, shared = fit.covariance, np.zeros(len(fit.theta))
    else:
        own, shared = np.diag(fit.covariance), fit.covariance[anchor].copy()
    shared[anchor] = 0.0
    # The inverse of each pair's covariance, less what is taken away; then the difference and variance it leaves.
    room = own * own[anchor] - shared**2
    first, second, both = own[anchor] / room, own / room, -shared / room
    lift, anchor_lift = first * drawn + both * drawn[anchor], second * drawn[anchor] + both * drawn
    first, second = first - excess, second - excess[anchor]
    room = first * second - both**2
    value = ((second + both) * lift - (first + both) * anchor_lift) / room
    variance = (first + second + 2 * both) / room
    value, variance = value + fit.belief - fit.belief[anchor], np.maximum(variance, 0.0)
    value[anchor], variance[anchor] = 0.0, 0.0
    return OwnResults(value, np.sqrt(variance))
