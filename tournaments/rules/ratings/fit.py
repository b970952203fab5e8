"""The official bot rating: strengths that fit all results of a pool at once, with standard errors."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import scipy

from tournaments.rules.ratings.likelihood import information_diagonal, log_likelihood
from tournaments.rules.ratings.rankings import FloatArray, IntArray, PoolTables, Rankings, strict_orders
from tournaments.rules.ratings.uncertainty import standard_errors
from tournaments.rules.ratings.values import Estimate

SUCCESSOR_SD = 0.5
"""How far a new version may lie from its forerunner: half the spread of the whole pool."""

GRADIENT_TOLERANCE = 1e-5
"""In standard errors: the peak is found to a hundred thousandth of the doubt there is about it."""


class Prior(NamedTuple):
    """What is believed of a player's strength before any result: a normal belief."""

    mean: float = 0.0
    sd: float = 1.0


@dataclass(frozen=True, slots=True)
class PoolFit:
    """Fitted strengths. `theta` is centred by the prior, `se` is the standard error against the pool's mean."""

    players: IntArray
    theta: FloatArray
    se: FloatArray
    matches: IntArray
    is_converged: bool

    def estimate(self, player: int) -> Estimate:
        """One player's strength; raises KeyError for a player without a result in the pool."""
        index = int(np.searchsorted(self.players, player))
        if index == len(self.players) or self.players[index] != player:
            raise KeyError(player)
        return Estimate(float(self.theta[index]), float(self.se[index]))

    def estimates(self) -> dict[int, Estimate]:
        """Every player's strength."""
        rows = zip(self.players.tolist(), self.theta.tolist(), self.se.tolist(), strict=True)
        return {player: Estimate(theta, se) for player, theta, se in rows}


def fit_pool(tables: PoolTables, forerunners: Mapping[int, int] | None = None) -> PoolFit:
    """The maximum a posteriori Plackett-Luce fit of all tables, whatever order they came in.

    `forerunners` maps a bot version to the one before it. A first fit without it gives every forerunner's strength
    from its own results; the second starts each successor there, and what it then does leaves the forerunner alone.
    """
    rankings = strict_orders(tables)
    fit = _fit_with_priors(tables, rankings, {}, start=None)
    priors = succession_priors(fit, forerunners or {})
    return _fit_with_priors(tables, rankings, priors, start=fit.theta) if priors else fit


def succession_priors(fit: PoolFit, forerunners: Mapping[int, int]) -> dict[int, Prior]:
    """Where each successor with a rated forerunner starts: at its strength, with more doubt than it has."""
    known = fit.estimates()
    priors = {}
    for player, forerunner in forerunners.items():
        if forerunner in known:
            value, se = known[forerunner]
            priors[player] = Prior(value, min(1.0, float(np.hypot(se, SUCCESSOR_SD))))
    return priors


def _fit_with_priors(
    tables: PoolTables, rankings: Rankings, priors: Mapping[int, Prior], start: FloatArray | None
) -> PoolFit:
    beliefs = [priors.get(player, Prior()) for player in tables.players.tolist()]
    mean = np.array([belief.mean for belief in beliefs])
    precision = np.array([belief.sd**-2 for belief in beliefs])
    theta, is_converged = _maximise(rankings, mean, precision, mean if start is None else start)
    matches = np.bincount(tables.sides.ravel(), minlength=len(mean))
    return PoolFit(
        tables.players, theta, standard_errors(theta, rankings, precision), matches.astype(np.int64), is_converged
    )


def _maximise(
    rankings: Rankings, mean: FloatArray, precision: FloatArray, start: FloatArray
) -> tuple[FloatArray, bool]:
    """The peak of the posterior, by L-BFGS in units of each player's own uncertainty, which takes few steps."""
    if not len(mean):
        return mean, True
    scale = 1 / np.sqrt(information_diagonal(start, rankings) + precision)

    def cost(scaled: FloatArray) -> tuple[float, FloatArray]:
        theta = scaled * scale
        value, gradient = log_likelihood(theta, rankings)
        offset = theta - mean
        return 0.5 * float(precision @ offset**2) - value, (precision * offset - gradient) * scale

    options = {"gtol": GRADIENT_TOLERANCE, "ftol": 0.0, "maxiter": 500}
    found = scipy.optimize.minimize(cost, start / scale, jac=True, method="L-BFGS-B", options=options)
    is_converged = bool(np.abs(found.jac).max() < 100 * GRADIENT_TOLERANCE)
    return found.x * scale, is_converged
