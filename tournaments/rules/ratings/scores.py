"""What is believed of strengths before wins are looked at: near the others, and along the scores as far as they tell.

Scores of a match say far more than who won it, but not always of winning: who plays to win may disdain points. So each
player has a strength by scores alone, in standard deviations of a match, and a strength for winning is believed to be
a slope times that, but for a deviation of the pool's spread. Slope and spread are the pool's own: where scores foretell
winning they halve the matches it takes; where they do not, the slope is next to nothing or the spread wide, and wins
alone speak. The slope is integrated over with the strengths: a normal belief about it leaves one more term in theirs.
"""

from typing import NamedTuple

import numpy as np
import scipy

from tournaments.rules.ratings.likelihood import FloatArray, PoolTables

SLOPE_SD = 0.7
"""What is believed of the log-odds of winning that one standard deviation of a match's score is worth."""

OWN_SD = 5.0
"""What is believed of a strength whose own interval is sought: next to nothing, but it is not without bounds."""

SCORE_RIDGE = 1.0
"""A strength by scores is drawn towards the mean as by so many matches."""

CG_TOLERANCE = 1e-8


class Prior(NamedTuple):
    """Each strength is near `mean`, plus the slope times its `scores`, as surely as its `precision` says; one whose own
    interval is sought, as surely as `own_precision` says."""

    mean: FloatArray
    precision: FloatArray
    scores: FloatArray
    own_precision: float = OWN_SD**-2.0

    @property
    def slope_precision(self) -> float:
        """Of the slope, once the strengths are known."""
        return float(self.precision @ self.scores**2) + SLOPE_SD**-2.0

    @property
    def weights(self) -> FloatArray:
        """What the best guess of the slope takes from each strength's distance to its mean."""
        return self.precision * self.scores / self.slope_precision

    def pull(self, theta: FloatArray) -> FloatArray:
        """The slope of minus the log of the belief; of one row of strengths, or of several."""
        away = theta - self.mean
        slope = away @ self.weights
        return self.precision * (away - np.multiply.outer(slope, self.scores))

    def distance(self, theta: FloatArray) -> FloatArray:
        """Minus the log of the belief, but for a constant; of one row of strengths, or of several."""
        distance: FloatArray = 0.5 * ((theta - self.mean) * self.pull(theta)).sum(axis=-1)
        return distance

    def add_to(self, information: FloatArray) -> FloatArray:
        """The information of results and belief: in full, or the diagonal of a large pool, where the slope is known."""
        if information.ndim == 1:
            return information + self.precision
        pulled = self.precision * self.scores
        return information + np.diag(self.precision) - np.outer(pulled, pulled / self.slope_precision)

    @property
    def log_determinant(self) -> float:
        """Of the inverse of the covariance of the belief."""
        shared = np.log(self.slope_precision) - np.log(SLOPE_SD**-2.0)
        return float(np.log(self.precision).sum() - shared)

    def residuals(self, theta: FloatArray) -> FloatArray:
        """How far each is from what its scores say."""
        away = theta - self.mean
        residuals: FloatArray = away - float(away @ self.weights) * self.scores
        return residuals


def find_score_strengths(tables: PoolTables) -> FloatArray:
    """How many standard deviations of a match each scores above the others at a table; zeros where no scores are."""
    players = len(tables.players)
    if tables.scores is None:
        return np.zeros(players)
    rows = np.flatnonzero(np.isfinite(tables.scores).all(axis=1))
    above = tables.scores[rows] - tables.scores[rows].mean(axis=1, keepdims=True)
    unit = float(np.sqrt((above**2).mean())) if len(rows) else 0.0
    if unit == 0.0:
        return np.zeros(players)
    sides = tables.sides[rows]
    shares = np.ones(len(rows)) if tables.shares is None else tables.shares[rows]
    count, side_count, members = sides.shape
    index = (np.repeat(np.arange(count * side_count), members), sides.ravel())
    design = scipy.sparse.csr_array((np.ones(sides.size), index), shape=(count * side_count, players))
    centre = scipy.sparse.kron(scipy.sparse.eye_array(count), np.eye(side_count) - 1 / side_count, format="csr")
    design = centre @ design
    weighted = design.multiply(np.repeat(shares, side_count)[:, None]).tocsr()
    system = weighted.T @ design + SCORE_RIDGE * scipy.sparse.eye_array(players)
    strengths, _ = scipy.sparse.linalg.cg(system, weighted.T @ (above / unit).ravel(), rtol=CG_TOLERANCE)
    return np.asarray(strengths - strengths.mean())
