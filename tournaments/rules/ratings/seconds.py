"""How much second places say, learnt from what winning alone says of the strengths.

Fitted beside the strengths it would be near 1 in every pool of few matches a player: strengths bend to second places
that are lots, and then explain them. Winning is fitted without them, so its strengths, with their doubt, foretell them
honestly; the part of a strength that counts for second place is the one with which they foretell best.
"""

import numpy as np
import scipy

from tournaments.rules.ratings.blocks import side_covariance
from tournaments.rules.ratings.rankings import FloatArray, Wins

SECOND_MEAN, SECOND_SD = 0.3, 0.4
"""What is believed of how much second places say: something between nothing and as much as wins."""

CHUNK_ROWS = 1 << 16


def learn_second(theta: FloatArray, covariance: FloatArray, wins: Wins) -> float:
    """From strengths that were fitted to wins alone, and their covariance: a matrix, or its diagonal."""
    lead, variance = _find_leads(theta, covariance, wins)

    def cost(second: float) -> float:
        # The mean of a logistic curve over a normal lead is one of a lead drawn in (MacKay 1992).
        odds = second * lead / np.sqrt(1 + np.pi / 8 * second**2 * variance)
        logs = np.minimum(odds, 0.0) - np.log1p(np.exp(-np.abs(odds)))
        return 0.5 * ((second - SECOND_MEAN) / SECOND_SD) ** 2 - float(wins.weights @ logs)

    found = scipy.optimize.minimize_scalar(cost, bounds=(0.0, 1.0), method="bounded", options={"xatol": 1e-3})
    return float(found.x)


def _find_leads(theta: FloatArray, covariance: FloatArray, wins: Wins) -> tuple[FloatArray, FloatArray]:
    """By match: how far the second side is above the third in strength, and the variance of that; 0 where none is."""
    lead, variance = np.empty(len(wins.outcomes)), np.empty(len(wins.outcomes))
    for start in range(0, len(lead), CHUNK_ROWS):
        rows = slice(start, start + CHUNK_ROWS)
        order, seconds = wins.order[:, :, rows], wins.seconds[:, rows].astype(float)
        lead[rows] = (theta.take(order).sum(axis=1) * seconds).sum(axis=0)
        variance[rows] = np.einsum("sm,stm,tm->m", seconds, side_covariance(order, covariance), seconds)
    return lead, np.maximum(variance, 0.0)
