"""What a pool teaches beside its strengths: spread, how alike shared deals are, what seconds say, one's own doubt.

Spread: the strengths are fitted under several spreads. How well each spread explains the results is the height of the
posterior's peak times its volume (Laplace); between them it is interpolated, and the fits are averaged with those
weights. The belief about the spread itself is half normal for the best guess, which is flat near nothing (Gelman 2006);
for intervals it is flat in the logarithm, so that they hold where the spread cannot be told.

Seconds: fitted beside the strengths their weight would be near 1 in every pool of few matches a player: strengths bend
to second places that are lots, and then explain them. Winning is fitted without them, so its strengths, with their
doubt, foretell them honestly; the part of a strength that counts for second place is the one that foretells best.

Own intervals: a strength that is drawn towards the mean of the pool is the best guess, but an interval around it holds
nearly always where players are equal and too seldom for whoever is not like the rest. So the belief about just the
player in question (and the anchor) is taken away again, its scores with it, before the interval is read off: what is
left are the player's own results against opponents who are known as well as the pool tells (the cavity of expectation
propagation, Opper and Winther 2000). Such an interval holds with the same chance for every true strength, as confidence
intervals do. Taking the belief away from one of many is an update of rank one of the covariance, from two an inverse of
two by two.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import scipy

from tournaments.rules.ratings.likelihood import (
    FloatArray,
    IntArray,
    Point,
    PoolTables,
    Wins,
    side_information,
    side_scores,
)
from tournaments.rules.ratings.scores import Prior

SPREADS = np.geomspace(0.0173, 3.5, 11)
"""What a pool's standard deviation of strength may be, as far apart as interpolation between them is good."""

LIKELY_SPREAD = 1.3
"""For the best guess a pool's spread is believed to be half normal of this scale before its results."""

WIDEST_SPREAD = 2.0
"""For intervals the logarithm of the spread is believed to be anything alike, but for a bound of this scale.

What results say little of (a Swiss hardly shows whether its spread is 0.05 or 0.5) is then taken to be small rather
than large: a guess at it that is too large makes intervals too narrow for those whom luck brought together (92.2 % held
in a Swiss of equals); one that is too small makes them wider than they need be.
"""

RULED_OUT = 30.0
"""A spread whose evidence, as a logarithm, lies so far below the best is as good as impossible, and those beyond it."""

LEAST_CHANCE = 1e-3
"""A spread less likely than this is not kept for the intervals."""

SHAPE_SEED, SHAPE_STEPS = 1, 8

FINE = np.geomspace(SPREADS[0], SPREADS[-1], 161)


class SpreadFit(NamedTuple):
    """A fit under one spread: the strengths, their covariance, the log of how well it explains the results, and what
    was believed of each strength before."""

    theta: FloatArray
    covariance: FloatArray
    evidence: float
    prior: Prior

    @property
    def sd(self) -> float:
        """The spread; newcomers, who need not be like the rest, are believed to lie at least as far apart."""
        return float(self.prior.precision.max()) ** -0.5


class Averaged(NamedTuple):
    """Strengths and their covariance, with the spread and the doubt about it averaged over.

    `fits` are those under every spread that is not all but ruled out, `weights` their chances for intervals.
    """

    theta: FloatArray
    covariance: FloatArray
    sd: float
    weights: FloatArray
    fits: tuple[SpreadFit, ...]

    @property
    def careful_sd(self) -> float:
        """The spread as intervals believe it: rather too small than too large."""
        return float(np.exp(self.weights @ np.log([fit.sd for fit in self.fits])))


def average_spreads(fit_under: Callable[[float], SpreadFit], spreads: FloatArray) -> Averaged:
    """From fits under every spread of a grid from the least to the largest."""
    fits, spreads = _fit_likely(fit_under, spreads)
    evidence = np.array([fit.evidence for fit in fits])
    curve = scipy.interpolate.PchipInterpolator(np.log(spreads), evidence - evidence.max(), extrapolate=False)
    heights = np.nan_to_num(curve(np.log(FINE)), nan=-np.inf)
    chances = FINE * np.exp(heights - 0.5 * (FINE / LIKELY_SPREAD) ** 2)
    chances /= chances.sum()
    weights = _share_nodes(chances, spreads)
    theta = weights @ np.array([fit.theta for fit in fits])
    covariance = np.zeros_like(fits[0].covariance)
    for weight, fit in zip(weights, fits, strict=True):
        offset = fit.theta - theta
        covariance += weight * (fit.covariance + np.outer(offset, offset))
    careful = np.exp(heights - 0.5 * (FINE / WIDEST_SPREAD) ** 2)
    shares = _share_nodes(careful / careful.sum(), spreads)
    kept = np.flatnonzero(shares > LEAST_CHANCE).tolist()
    shares = shares[kept] / shares[kept].sum()
    return Averaged(theta, covariance, float(chances @ FINE), shares, tuple(fits[row] for row in kept))


def _fit_likely(fit_under: Callable[[float], SpreadFit], spreads: FloatArray) -> tuple[list[SpreadFit], FloatArray]:
    """Fits from the middle of the grid outwards, either way until a spread explains the results far worse."""
    middle = len(spreads) // 2
    found = {middle: fit_under(float(spreads[middle]))}
    for way in (range(middle - 1, -1, -1), range(middle + 1, len(spreads))):
        for row in way:
            found[row] = fit_under(float(spreads[row]))
            if found[row].evidence < max(fit.evidence for fit in found.values()) - RULED_OUT:
                break
    rows = sorted(found)
    return [found[row] for row in rows], spreads[rows]


def measure_shape(log_heights: Callable[[FloatArray], FloatArray], size: int) -> float:
    """The log of how much larger the volume under a peak is than that of the normal curve fitted to its top.

    `log_heights` takes rows of steps in standard errors. Its distance to the normal curve is taken at steps drawn from
    that curve, always the same and each both ways, and averaged as an exponential: few matches a player make the peak
    so much unlike a normal curve that a Swiss would seem to have no spread at all. (Taken to its second cumulant
    alone, the average let some sparse pools run to the widest spread.)
    """
    steps = np.random.default_rng(SHAPE_SEED).normal(size=(SHAPE_STEPS, size))
    heights = log_heights(np.concatenate([np.zeros((1, size)), steps, -steps]))
    excess = heights[1:] - heights[0] + np.tile(0.5 * (steps**2).sum(axis=1), 2)
    most = excess.max()
    return float(most + np.log(np.exp(excess - most).mean()))


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


PRIOR_LIKENESS, PRIOR_BLOCKS = 0.1, 4.0
"""Results on shared deals are believed to be a little alike, as strongly as if so many blocks had shown it."""

LEAST_VARIANCE = 0.5
"""A block is never taken to be worth more than twice its matches."""


def group_matches(tables: PoolTables) -> IntArray | None:
    """A number for each match: the same for the same sides on the same deals; None where no two are."""
    if len(np.unique(tables.blocks)) == len(tables.blocks):
        return None
    sides = np.sort(tables.sides, axis=2)
    sides = np.take_along_axis(sides, np.argsort(sides[:, :, :1], axis=1), axis=1)
    keys = tables.blocks.astype(np.uint64)
    for column in sides.reshape(len(sides), -1).T.astype(np.uint64):
        # A multiplicative hash (Knuth's constant for 64 bits): two groups fall together once in 2**64.
        keys = (keys ^ (column + np.uint64(1))) * np.uint64(0x9E3779B97F4A7C15)
        keys ^= keys >> np.uint64(29)
    groups = np.unique(keys, return_inverse=True)[1]
    return groups if groups.max() + 1 < len(groups) else None


def weigh_matches(point: Point, wins: Wins, groups: IntArray, covariance: FloatArray) -> FloatArray:
    """What each match is worth: 1 / (1 + (m - 1) r) in a group of m, where r is how alike results in a group are.

    Weighted so, the information of the likelihood is the inverse of the variance of its peak, with blocks as without.
    `r` is found from how far the sums of the groups' scores vary beyond what the model gives each match by itself; the
    part that fitting took away from them (the leverage) is added again. `point` and `covariance` (a matrix, or the
    diagonal of a large pool) are of a fit with the weights found before.
    """
    sizes = np.bincount(groups)
    seen, told, absorbed = _compare_groups(point, wins, groups, covariance)
    excess, room = float((seen - told + absorbed).sum()), float(((sizes - 1) * told).sum())
    prior = PRIOR_BLOCKS * room / max(int(np.count_nonzero(sizes > 1)), 1)
    likeness = (excess + prior * PRIOR_LIKENESS) / (room + prior)
    likeness = min(max(likeness, (LEAST_VARIANCE - 1) / (int(sizes.max()) - 1)), 1.0)
    weights: FloatArray = 1 / (1 + (sizes[groups] - 1) * likeness)
    return weights


def _compare_groups(
    point: Point, wins: Wins, groups: IntArray, covariance: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """For each group: the square of its summed score, in units of the fit's uncertainty; what is expected of it where
    each match is by itself and the strengths are known; and how much less it is because they were fitted to it.

    Sides sit in other seats from match to match of a group, so each group's sides are brought into one order first.
    """
    names = wins.order.min(axis=1)
    ranked = np.argsort(names, axis=0)
    scores = np.take_along_axis(side_scores(point, wins), ranked, axis=0)
    information = side_information(point, wins)
    information = np.take_along_axis(information, ranked[:, None], axis=0)
    information = np.take_along_axis(information, ranked[None, :], axis=1)
    count = int(groups.max()) + 1
    first = np.unique(groups, return_index=True)[1]
    members = np.take_along_axis(wins.order, ranked[:, None], axis=0)[:, :, first]
    score = np.stack([np.bincount(groups, weights=row, minlength=count) for row in scores])
    curve = np.stack([[np.bincount(groups, weights=cell, minlength=count) for cell in row] for row in information])
    local = side_covariance(members, covariance)
    pulled = np.einsum("stg,tug->sug", local, curve)
    seen = np.einsum("sg,stg,tg->g", score, local, score)
    return seen, np.einsum("ssg->g", pulled), np.einsum("stg,tsg->g", pulled, pulled)


def side_covariance(members: np.ndarray, covariance: FloatArray) -> FloatArray:
    """The covariance of the sides' strengths, by side, side and column of `members`: sums over their members."""
    if covariance.ndim == 2:
        return covariance[members[:, None, :, None], members[None, :, None, :]].sum(axis=(2, 3))
    sides = len(members)
    return np.eye(sides)[:, :, None] * covariance[members].sum(axis=1)[:, None, :]


SECOND_MEAN, SECOND_SD = 0.3, 0.7
"""What is believed of how much second places say: anything between nothing and as much as wins."""

LEAST_SECOND = 0.25
"""Below it second places are left out: they would say a sixteenth of what a win does, and lead astray: with the real
engine, where they say 0.2, held-out winners were foretold worse with them than without."""

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
    return float(found.x) if found.x >= LEAST_SECOND else 0.0


def _find_leads(theta: FloatArray, covariance: FloatArray, wins: Wins) -> tuple[FloatArray, FloatArray]:
    """By match: how far the second side is above the third in strength, and the variance of that; 0 where none is."""
    lead, variance = np.empty(len(wins.outcomes)), np.empty(len(wins.outcomes))
    for start in range(0, len(lead), CHUNK_ROWS):
        rows = slice(start, start + CHUNK_ROWS)
        order, seconds = wins.order[:, :, rows], wins.seconds[:, rows].astype(float)
        lead[rows] = (theta.take(order).sum(axis=1) * seconds).sum(axis=0)
        variance[rows] = np.einsum("sm,stm,tm->m", seconds, side_covariance(order, covariance), seconds)
    return lead, np.maximum(variance, 0.0)


TAIL, TAIL_REACH, NEAR_ENOUGH = 0.025, 6.0, 1e-6
"""Ends are sought within so many errors of the middle, and found to a millionth of an error."""

MOST_STEPS, TINY, SQRT_2_PI = 60, 1e-300, (2 * np.pi) ** 0.5


class OwnResults(NamedTuple):
    """By player: the middle of what is believed of each and its standard error.

    `values` and `variances` are those under each spread, `weights` the chances of the spreads.
    """

    value: FloatArray
    se: FloatArray
    values: FloatArray
    variances: FloatArray
    weights: FloatArray

    def interval(self) -> tuple[FloatArray, FloatArray]:
        """The ends that leave 2.5 % on either side, every spread by its chance.

        The error alone would not do: what is averaged over spreads has long tails and a narrow middle, so that 1.96
        errors held 98 % of the time in pools of few matches.
        """
        return self._find_quantile(TAIL), self._find_quantile(1 - TAIL)

    def _find_quantile(self, share: float) -> FloatArray:
        """By Newton's steps, and where one leads out of the bracket by halving it."""
        low, high = self.value - TAIL_REACH * self.se, self.value + TAIL_REACH * self.se
        errors = np.sqrt(np.maximum(self.variances, TINY))
        found = self.value + scipy.special.ndtri(share) * self.se
        for _ in range(MOST_STEPS):
            away = (found - self.values) / errors
            excess = self.weights @ scipy.special.ndtr(away) - share
            low, high = np.where(excess < 0, found, low), np.where(excess < 0, high, found)
            slope = self.weights @ (np.exp(-0.5 * away**2) / errors) / SQRT_2_PI
            step = found - excess / np.maximum(slope, TINY)
            step = np.where((step > low) & (step < high), step, (low + high) / 2)
            moved, found = np.abs(step - found), step
            if (moved <= NEAR_ENOUGH * self.se).all():
                break
        return found


def own_against_mean(found: Averaged, islands: IntArray) -> OwnResults:
    """Of each strength against the mean of its island."""
    return _average(found, [_free_one(fit, islands) for fit in found.fits])


def own_against(found: Averaged, anchor: int) -> OwnResults:
    """Of each strength against that in row `anchor`; what it says of other islands is without meaning."""
    return _average(found, [_free_two(fit, anchor) for fit in found.fits])


def _average(found: Averaged, parts: list[tuple[FloatArray, FloatArray]]) -> OwnResults:
    """With the doubt about the spread: the variance within the parts, and between them."""
    values, variances = (np.array(column) for column in zip(*parts, strict=True))
    value = found.weights @ values
    se = np.sqrt(found.weights @ (variances + (values - value) ** 2))
    return OwnResults(value, se, values, variances, found.weights)


class _Beliefs(NamedTuple):
    """What was believed of each alone, as what it is now known by: how far each lies from what was believed (its
    distance), with the variance of that, and what of the belief is taken away.

    `pull` is by player the covariance of its strength with the slope of the scores, `variance` that of the slope.
    """

    excess: FloatArray
    distance: FloatArray
    own: FloatArray
    scores: FloatArray
    pull: FloatArray
    variance: float


def _read_beliefs(fit: SpreadFit) -> _Beliefs:
    prior = fit.prior
    excess = np.maximum(prior.precision - prior.own_precision, 0.0)
    distance = prior.residuals(fit.theta)
    if fit.covariance.ndim == 1:
        # In a large pool the slope is as good as known.
        return _Beliefs(excess, distance, fit.covariance, prior.scores, np.zeros(len(distance)), 0.0)
    pull = fit.covariance @ prior.weights
    variance = float(prior.weights @ pull) + 1 / prior.slope_precision
    own = np.diag(fit.covariance) - 2 * prior.scores * pull + prior.scores**2 * variance
    return _Beliefs(excess, distance, own, prior.scores, pull, variance)


def _free_one(fit: SpreadFit, islands: IntArray) -> tuple[FloatArray, FloatArray]:
    value, variance = np.empty(len(fit.theta)), np.empty(len(fit.theta))
    found = _read_beliefs(fit)
    own = fit.covariance if fit.covariance.ndim == 1 else np.diag(fit.covariance)
    lift = found.excess / (1 - found.excess * found.own)
    for island in range(int(islands.max()) + 1):
        rows = np.flatnonzero(islands == island)
        reach = spread = own[rows]
        if fit.covariance.ndim == 2:
            shared = fit.covariance[np.ix_(rows, rows)].mean(axis=0)
            reach, spread = own[rows] - shared, own[rows] - 2 * shared + shared.mean()
        reach = reach - found.scores[rows] * (found.pull[rows] - found.pull[rows].mean())
        value[rows] = fit.theta[rows] - fit.theta[rows].mean() + lift[rows] * found.distance[rows] * reach
        variance[rows] = spread + lift[rows] * reach**2
    return value, np.maximum(variance, 0.0)


def _free_two(fit: SpreadFit, anchor: int) -> tuple[FloatArray, FloatArray]:
    """Two beliefs taken away are an update of rank two: the difference moves by what both distances say."""
    found = _read_beliefs(fit)
    if fit.covariance.ndim == 1:
        own, shared = fit.covariance, np.zeros(len(fit.theta))
    else:
        own, shared = np.diag(fit.covariance), fit.covariance[anchor].copy()
    scores, pull, score, pulled = found.scores, found.pull, found.scores[anchor], found.pull[anchor]
    # How the difference hangs together with the distance of the one and of the anchor, and these with each other.
    first = own - shared - scores * (pull - pulled)
    second = shared - own[anchor] - score * (pull - pulled)
    both = shared - scores * pulled - score * pull + scores * score * found.variance
    room, anchor_room = 1 - found.excess * found.own, 1 - found.excess[anchor] * found.own[anchor]
    gap = room * anchor_room - found.excess * found.excess[anchor] * both**2
    with np.errstate(divide="ignore", invalid="ignore"):
        lift, anchor_lift = anchor_room * found.excess / gap, room * found.excess[anchor] / gap
        cross = found.excess * found.excess[anchor] * both / gap
        moved = first * lift + second * cross, first * cross + second * anchor_lift
        value = fit.theta - fit.theta[anchor] + moved[0] * found.distance + moved[1] * found.distance[anchor]
        variance = np.maximum(own + own[anchor] - 2 * shared + moved[0] * first + moved[1] * second, 0.0)
    value[anchor], variance[anchor] = 0.0, 0.0
    return value, variance
