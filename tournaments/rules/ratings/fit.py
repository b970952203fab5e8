"""The official bot rating: strengths that say who wins, fitted to all results of a pool at once, with their doubt."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np
import scipy
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from tournaments.rules.ratings.likelihood import (
    FloatArray,
    IntArray,
    Point,
    PoolTables,
    Wins,
    centre_islands,
    derive_twice,
    find_islands,
    information_diagonal,
    information_matrix,
    log_likelihood,
    log_values,
    read_wins,
)
from tournaments.rules.ratings.scores import OWN_SD, Prior, find_score_strengths
from tournaments.rules.ratings.traits import (
    SECOND_MEAN,
    SPREADS,
    Averaged,
    SpreadFit,
    average_spreads,
    group_matches,
    learn_second,
    measure_shape,
    own_against,
    own_against_mean,
    weigh_matches,
)
from tournaments.rules.ratings.values import Estimate, Strength

FIRST_SD = 0.7
"""The spread of a pool that is supposed before its own is learnt."""

NEWCOMER_SD = 1.5
NEWCOMER_SHARE = 0.25
"""Who has played less than this share of the median, or is a new version, need not be like the rest of the pool."""

LUMPY_OWN_SD, LUMPY_OWN_SPREADS = 1.7, 2.0
"""Between two sides a match has but two ends, so that few of them have lumpy sums: of equals with 8 matches each one in
twelve differs by two errors. Their own intervals held in 91.8 to 92.7 % of cases with next to no belief about oneself,
and in 95.4 % with one so wide, plus so many spreads of the pool."""

TIE_MEAN, TIE_SD = -2.0, 3.0
"""What is believed of the logarithm of the factor of shared wins: next to nothing."""

WEIGH_ROUNDS = 2
"""So often the likeness of results on shared deals and the spread are found from each other."""

DENSE_LIMIT = 1500
"""Pools up to this size know how the doubts about any two players hang together; larger ones take them as apart."""

ROUGH_INFORMATION = 0.1
"""What a match says of the factor of shared wins, to an order of magnitude."""

GRADIENT_TOLERANCE = 1e-5
"""In standard errors: the peak is found to a hundred thousandth of the doubt there is about it."""

NEWTON_LIMIT, NEWTON_STEPS, HEIGHT_NOISE = 100, 60, 1e-12
"""Up to so many players Newton's steps are the quickest; a height is known to so many of its digits."""


@dataclass(frozen=True, slots=True)
class PoolFit:
    """Fitted strengths, each island's centred on its mean.

    `found` has the strengths before that, with the covariance in full, or its diagonal in a pool above DENSE_LIMIT,
    and the learnt spread. `second` is how much of a win's say a second place has.
    """

    players: IntArray
    found: Averaged
    matches: IntArray
    islands: IntArray
    second: float
    is_converged: bool

    @property
    def theta(self) -> FloatArray:
        """The best guess: drawn towards the mean as far as the pool is close."""
        return centre_islands(self.found.theta, self.islands)

    @property
    def covariance(self) -> FloatArray:
        """Of the best guesses."""
        return self.found.covariance

    @property
    def sd(self) -> float:
        """The spread that the pool teaches."""
        return self.found.sd

    @property
    def se(self) -> FloatArray:
        """The standard error of each strength against the mean of its island; of one alone, what is believed of it."""
        if self.covariance.ndim == 1:
            return np.sqrt(self.covariance)
        variance = np.empty(len(self.theta))
        for island in range(int(self.islands.max(initial=-1)) + 1):
            rows = np.flatnonzero(self.islands == island)
            own = self.covariance[np.ix_(rows, rows)]
            shared = own.mean(axis=0) if len(rows) > 1 else np.zeros(1)
            variance[rows] = np.diag(own) - 2 * shared + shared.mean()
        return np.sqrt(np.maximum(variance, 0.0))

    def find_row(self, player: int) -> int:
        """Where a player stands in the columns; raises KeyError for a player without a result in the pool."""
        index = int(np.searchsorted(self.players, player))
        if index == len(self.players) or self.players[index] != player:
            raise KeyError(player)
        return index

    def estimate(self, player: int) -> Estimate:
        """One player's strength against the mean; raises KeyError for a player without a result in the pool."""
        return self.estimates()[self.players.tolist()[self.find_row(player)]]

    def estimates(self, anchor: int | None = None) -> dict[int, Estimate]:
        """Every player's strength, with the standard error of just that number.

        Against the anchor for those of its island, against the mean of their own island for all others.
        """
        value, error = self.theta.copy(), self.se
        if anchor is not None:
            row = self.find_row(anchor)
            island = self.islands == self.islands[row]
            value[island] -= self.theta[row]
            error[island] = np.sqrt(self.difference_variances(np.array([row]))[0])[island]
        rows = zip(self.players.tolist(), value.tolist(), error.tolist(), strict=True)
        return {player: Estimate(strength, se) for player, strength, se in rows}

    def strengths(self, anchor: int | None = None) -> dict[int, Strength]:
        """Every player's best guess with its 95 % interval, and the error of the own results against the mean.

        Against the anchor for those of its island, against the mean of their own island for all others.
        """
        value, against_mean = self.theta, own_against_mean(self.found, self.islands)
        low, high = against_mean.interval()
        if anchor is not None:
            row = self.find_row(anchor)
            island = self.islands == self.islands[row]
            against = own_against(self.found, row).interval()
            value = np.where(island, value - value[row], value)
            low, high = (np.where(island, *ends) for ends in zip(against, (low, high), strict=True))
        columns = (self.players, value, np.minimum(low, value), np.maximum(high, value), against_mean.se)
        return {player: Strength(*numbers) for player, *numbers in zip(*(one.tolist() for one in columns), strict=True)}

    def difference_variances(self, rows: IntArray) -> FloatArray:
        """The variance of the difference between each of these rows and every player."""
        if self.covariance.ndim == 1:
            variances = self.covariance[rows, None] + self.covariance[None, :]
            variances[np.arange(len(rows)), rows] = 0.0
            return variances
        own = np.diag(self.covariance)
        return np.maximum(own[rows, None] + own[None, :] - 2 * self.covariance[rows], 0.0)


@dataclass(frozen=True, slots=True)
class _Belief:
    """What is believed of each strength before wins are looked at: a mean, what scores say, and who need not be like
    the rest of the pool; in the lumpy results of two sides more is believed of one whose own interval is sought."""

    mean: FloatArray
    scores: FloatArray
    is_newcomer: NDArray[np.bool_]
    is_lumpy: bool

    def under(self, sd: float) -> Prior:
        """The belief where strengths lie apart by so much, beyond what their scores say."""
        precision = np.where(self.is_newcomer, max(sd, NEWCOMER_SD), sd) ** -2.0
        own_sd = LUMPY_OWN_SD + LUMPY_OWN_SPREADS * sd if self.is_lumpy else OWN_SD
        return Prior(self.mean, precision, self.scores, own_sd**-2.0)


def fit_pool(tables: PoolTables, forerunners: Mapping[int, int] | None = None) -> PoolFit:
    """Strengths from all tables, whatever order they came in.

    `forerunners` maps a bot version to the one before it: a successor is looked for around its forerunner, but its own
    results soon speak alone, and the forerunner's strength comes from a fit in which the two have nothing to do with
    each other.
    """
    # On matrices of a few hundred rows the threads of BLAS wait for each other, for 13 to 70 times the CPU.
    with _find_threads().limit(limits=1, user_api="blas"):
        return _fit_tables(tables, forerunners or {})


@cache
def _find_threads() -> ThreadpoolController:
    """Found once: looking through all libraries of the process takes longer than a small fit."""
    return ThreadpoolController()


def _fit_tables(tables: PoolTables, forerunners: Mapping[int, int]) -> PoolFit:
    wins, players = read_wins(tables), len(tables.players)
    matches = np.bincount(tables.sides.ravel(), minlength=players).astype(np.int64)
    if not players:
        empty = Averaged(np.zeros(0), np.zeros((0, 0)), FIRST_SD, np.zeros(0), ())
        return PoolFit(tables.players, empty, matches, matches, SECOND_MEAN, True)
    is_newcomer = matches < NEWCOMER_SHARE * np.median(matches)
    belief = _Belief(np.zeros(players), find_score_strengths(tables), is_newcomer, is_lumpy=len(wins.order) == 2)
    start = Point(np.zeros(players), TIE_MEAN, second=0.0)
    groups = group_matches(tables)
    if groups is not None:
        wins, start = _weigh_groups(wins, belief, groups, start)
    point, _ = _maximise(wins, belief.under(FIRST_SD), start)
    belief = _follow_forerunners(belief, tables, point.theta, forerunners)
    learn = _learn_at_large if players > DENSE_LIMIT else _learn_in_full
    found, second, is_converged = learn(wins, belief, point)
    islands = find_islands(tables)
    return PoolFit(tables.players, found, matches, islands, second, is_converged)


def _weigh_groups(wins: Wins, belief: _Belief, groups: IntArray, point: Point) -> tuple[Wins, Point]:
    """Matches on shared deals with what each is worth.

    Who wins all of a group may be strong, or have had the deals: how alike results of a group are hangs on how far the
    players lie apart, and the other way round. Both are found in turn. A small pool begins with equals, so that what
    could be either is taken for luck: from a spread that is too large likeness was found too small, which made the
    spread larger yet (of a Swiss of three matchdays in blocks of three 81 to 91 % of the intervals held).
    """
    is_large = len(belief.mean) > DENSE_LIMIT
    sd, weighted = (FIRST_SD if is_large else float(SPREADS[0])), wins
    for _ in range(WEIGH_ROUNDS):
        prior = belief.under(sd)
        point, _ = _maximise(weighted, prior, point)
        covariance = _invert(_information(point, weighted), prior)
        weighted = replace(wins, weights=wins.weights * weigh_matches(point, wins, groups, covariance))
        if is_large:
            point, sd, _ = _step_at_large(weighted, belief, point, sd)
        else:
            sd = _average(weighted, belief, point, SPREADS[::2])[0].careful_sd
    return weighted, point


def _follow_forerunners(
    belief: _Belief, tables: PoolTables, theta: FloatArray, forerunners: Mapping[int, int]
) -> _Belief:
    """A successor's scores count beyond those of its forerunner, whose strength holds its own scores already."""
    mean, scores, is_newcomer = belief.mean.copy(), belief.scores.copy(), belief.is_newcomer.copy()
    rows = {player: row for row, player in enumerate(tables.players.tolist())}
    for player, forerunner in forerunners.items():
        if player in rows and forerunner in rows:
            mean[rows[player]] = theta[rows[forerunner]]
            scores[rows[player]] -= belief.scores[rows[forerunner]]
            is_newcomer[rows[player]] = True
    return replace(belief, mean=mean, scores=scores, is_newcomer=is_newcomer)


def _learn_in_full(wins: Wins, belief: _Belief, start: Point) -> tuple[Averaged, float, bool]:
    """Averaged over what the pool's spread may be, with what second places say found from wins alone before."""
    if wins.seconds.any():
        rough, _ = _average(wins, belief, start, SPREADS[::2])
        start = Point(rough.theta, start.tie, learn_second(rough.theta, rough.covariance, wins))
    found, is_converged = _average(wins, belief, start, SPREADS)
    return found, start.second, is_converged


def _average(wins: Wins, belief: _Belief, start: Point, spreads: FloatArray) -> tuple[Averaged, bool]:
    point, is_converged = start, True

    def fit_under(sd: float) -> SpreadFit:
        nonlocal point, is_converged
        prior = belief.under(sd)
        point, root, is_found = _climb(wins, prior, point)
        is_converged = is_converged and is_found
        evidence = 0.5 * prior.log_determinant - float(np.log(np.diag(root)).sum()) + _posterior(point, wins, prior)
        evidence += measure_shape(partial(_heights, point, root, wins, prior), len(root))
        return SpreadFit(point.theta, _invert_root(root), evidence, prior)

    return average_spreads(fit_under, spreads), is_converged


def _learn_at_large(wins: Wins, belief: _Belief, start: Point) -> tuple[Averaged, float, bool]:
    """In a large pool the spread is as good as known, and a few steps find it: two from wins alone, one from all."""
    point, sd, _ = _step_at_large(wins, belief, start, FIRST_SD)
    point, sd, is_converged = _step_at_large(wins, belief, point, sd)
    if wins.seconds.any():
        variance = _invert(_information(point, wins), belief.under(sd))
        point = point._replace(second=learn_second(point.theta, variance, wins))
        point, sd, is_converged = _step_at_large(wins, belief, point, sd)
    prior = belief.under(sd)
    only = SpreadFit(point.theta, _invert(_information(point, wins), prior), 0.0, prior)
    return Averaged(only.theta, only.covariance, sd, np.ones(1), (only,)), point.second, is_converged


def _step_at_large(wins: Wins, belief: _Belief, point: Point, sd: float) -> tuple[Point, float, bool]:
    """A fit under the spread that the strengths before it show, each counted as far as results speak (MacKay 1992)."""
    settled, prior = ~belief.is_newcomer, belief.under(sd)
    known = 1 - _invert(_information(point, wins), prior)[settled] / sd**2
    away = prior.residuals(point.theta)[settled]
    found = float((away**2).sum() / max(float(known.sum()), 1.0)) ** 0.5
    sd = min(max(found, float(SPREADS[0])), float(SPREADS[-1]))
    point, is_converged = _maximise(wins, belief.under(sd), point)
    return point, sd, is_converged


def _information(point: Point, wins: Wins) -> FloatArray:
    derive = information_matrix if len(point.theta) <= DENSE_LIMIT else information_diagonal
    return derive(point, wins)


def _invert(information: FloatArray, prior: Prior) -> FloatArray:
    known = prior.add_to(information)
    inverse: FloatArray = 1 / known if known.ndim == 1 else scipy.linalg.inv(known)
    return inverse


def _invert_root(root: FloatArray) -> FloatArray:
    """The inverse of the matrix whose lower Cholesky factor this is."""
    inverse: FloatArray = scipy.linalg.lapack.dpotri(root, lower=1)[0]
    return np.tril(inverse) + np.tril(inverse, -1).T


def _posterior(point: Point, wins: Wins, prior: Prior) -> float:
    """The log of the posterior, but for a constant."""
    return log_likelihood(point, wins).value - _distance(point, prior)


def _heights(point: Point, root: FloatArray, wins: Wins, prior: Prior, steps: FloatArray) -> FloatArray:
    """The log of the posterior after each of these steps in standard errors, but for a constant."""
    thetas = point.theta + scipy.linalg.solve_triangular(root, steps.T, lower=True, trans="T").T
    return log_values(thetas, point, wins) - prior.distance(thetas)


def _distance(point: Point, prior: Prior) -> float:
    """Minus the log of the prior, but for a constant."""
    return float(prior.distance(point.theta)) + 0.5 * ((point.tie - TIE_MEAN) / TIE_SD) ** 2


def _climb(wins: Wins, prior: Prior, point: Point) -> tuple[Point, FloatArray, bool]:
    """The peak of the posterior with the lower Cholesky factor of its information in the strengths.

    In small pools by Newton's steps, halved while they lead down; from a peak nearby two or three will do. A step
    costs the cube of the number of players, so larger pools go another way.
    """
    players = len(prior.mean)
    root: FloatArray = np.zeros((0, 0))
    if players > NEWTON_LIMIT:
        point, is_found = _maximise(wins, prior, point)
        root = scipy.linalg.cholesky(prior.add_to(_information(point, wins)), lower=True)
        return point, root, is_found
    found, step, reach, height = point, np.zeros(players + 1), 1.0, -np.inf
    for _ in range(NEWTON_STEPS):
        slope, curve = derive_twice(found, wins)
        now = slope.value - _distance(found, prior)
        if now < height - HEIGHT_NOISE * (1 + abs(height)):
            reach /= 2
        else:
            point, height, reach = found, now, 1.0
            curve[:players, :players] = prior.add_to(curve[:players, :players])
            curve[players, players] += TIE_SD**-2
            root = scipy.linalg.cholesky(curve, lower=True)
            gradient = np.append(slope.theta - prior.pull(point.theta), slope.tie - (point.tie - TIE_MEAN) / TIE_SD**2)
            step = scipy.linalg.cho_solve((root, True), gradient)
            if float(gradient @ step) < GRADIENT_TOLERANCE**2:
                return point, root[:players, :players], True
        found = Point(point.theta + reach * step[:players], point.tie + reach * float(step[players]), point.second)
    return point, root[:players, :players], False


def _maximise(wins: Wins, prior: Prior, start: Point) -> tuple[Point, bool]:
    """The peak of the posterior, second places as `start` has them: L-BFGS in units of everything's own doubt."""
    players = len(prior.mean)
    scale = 1 / np.sqrt(information_diagonal(start, wins) + prior.precision)
    rough = 1 / np.sqrt(ROUGH_INFORMATION * float(wins.weights.sum()) + 1)

    def read_point(scaled: FloatArray) -> Point:
        return Point(scaled[:players] * scale, float(scaled[players]) * rough, start.second)

    def cost(scaled: FloatArray) -> tuple[float, FloatArray]:
        point = read_point(scaled)
        slope = log_likelihood(point, wins)
        theta = (prior.pull(point.theta) - slope.theta) * scale
        tie = (point.tie - TIE_MEAN) / TIE_SD**2 - slope.tie
        return _distance(point, prior) - slope.value, np.append(theta, tie * rough)

    options = {"gtol": GRADIENT_TOLERANCE, "ftol": 0.0, "maxiter": 500}
    begin = np.append(start.theta / scale, start.tie / rough)
    found = scipy.optimize.minimize(cost, begin, jac=True, method="L-BFGS-B", options=options)
    return read_point(found.x), bool(np.abs(found.jac).max() < 100 * GRADIENT_TOLERANCE)
