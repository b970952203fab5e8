"""Sequential tests: is a bot's new version better, asked after every unit of matches, answered as early as can be.

The likelihood ratio of "better by `effect`" to "no better" is taken with the variance seen so far, as fishtest does for
pairs of games.

A test stops when luck helps, so the plain mean exaggerates. The median-unbiased estimate is the effect under which a
result at least as extreme has chance one half, where crossing a bound earlier is more extreme (stagewise ordering). The
log ratio is taken as Brownian motion between two bounds, each moved out by 0.583 steps for looking only after whole
units (Siegmund 1985); the chance to cross in time is the classical series for the exit from an interval.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import exp, expm1, log, pi, sqrt
from typing import NamedTuple

import numpy as np
import scipy

VARIANCE_FLOOR = 1e-4
"""Units of two alike deterministic bots may not vary at all; a variance of nothing would decide on nothing."""


class TrialVerdict(StrEnum):
    """Where a test stands: the new version is better, it is not, or more units are needed."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    CONTINUES = "continues"
    UNDECIDED = "undecided"


class UnitScores(NamedTuple):
    """The unit scores seen so far, as the sums the test needs: to be stored and added to.

    `different` counts the units in which the versions did not come out level.
    """

    units: int = 0
    total: float = 0.0
    squares: float = 0.0
    different: int = 0

    def plus(self, scores: Iterable[float]) -> "UnitScores":
        """These scores and those."""
        units, total, squares, different = self
        for score in scores:
            units, total, squares = units + 1, total + score, squares + score * score
            different += score != 0
        return UnitScores(units, total, squares, different)

    @property
    def mean(self) -> float:
        """Mean unit score, 0 before the first."""
        return self.total / self.units if self.units else 0.0

    @property
    def variance(self) -> float:
        """Variance of a unit score, never below the floor."""
        if self.units < 2:
            return VARIANCE_FLOOR
        return max((self.squares - self.units * self.mean**2) / (self.units - 1), VARIANCE_FLOOR)


class Progress(NamedTuple):
    """What is shown of a test: the log likelihood ratio between its bounds, and the verdict."""

    verdict: TrialVerdict
    units: int
    mean: float
    log_ratio: float
    lower: float
    upper: float


@dataclass(frozen=True, slots=True)
class SequentialTest:
    """A test of "the unit score is 0" against "it is `effect`", with the errors it may make.

    `first_look` units are played, and `least_different` of them must have parted the versions, before the variance is
    trusted: sixteen level units of versions that differ in one deal of twenty have none. After `last_look` units the
    test ends undecided.
    """

    effect: float
    false_accept: float = 0.05
    false_reject: float = 0.05
    first_look: int = 16
    last_look: int | None = None
    least_different: int = 5

    def __post_init__(self) -> None:
        if self.effect <= 0:
            raise ValueError(f"the effect to be found must be above zero, not {self.effect}")
        if not (0 < self.false_accept < 0.5 and 0 < self.false_reject < 0.5):
            raise ValueError("the chances of error must lie between 0 and one half")
        if self.least_different < 0:
            raise ValueError("the number of units that must differ is not below zero")
        if self.first_look < 2 or (self.last_look is not None and self.last_look < self.first_look):
            raise ValueError("the first look needs two units, and the last may not come before it")

    @property
    def lower(self) -> float:
        """At or below it the new version is not better."""
        return log(self.false_reject / (1 - self.false_accept))

    @property
    def upper(self) -> float:
        """At or above it the new version is better."""
        return log((1 - self.false_reject) / self.false_accept)

    def log_ratio(self, scores: UnitScores) -> float:
        """The log likelihood ratio of "better by effect" to "no better"."""
        return scores.units * self.effect * (2 * scores.mean - self.effect) / (2 * scores.variance)

    def assess(self, scores: UnitScores) -> Progress:
        """Where the test stands. Ask after every unit, in the order in which the units were drawn."""
        ratio = self.log_ratio(scores)
        return Progress(self._decide(scores, ratio), scores.units, scores.mean, ratio, self.lower, self.upper)

    def can_look(self, scores: UnitScores) -> bool:
        """Whether enough was seen to decide by."""
        return scores.units >= self.first_look and scores.different >= self.least_different

    def _decide(self, scores: UnitScores, ratio: float) -> TrialVerdict:
        if self.can_look(scores):
            if ratio >= self.upper:
                return TrialVerdict.ACCEPTED
            if ratio <= self.lower:
                return TrialVerdict.REJECTED
        is_out_of_units = self.last_look is not None and scores.units >= self.last_look
        return TrialVerdict.UNDECIDED if is_out_of_units else TrialVerdict.CONTINUES


Seating = tuple["TrialRole", ...]


class TrialRole(StrEnum):
    """Who takes a seat in a unit: the new version or the old one."""

    CANDIDATE = "candidate"
    BASELINE = "baseline"


def duel_seatings(players: int) -> tuple[Seating, ...]:
    """The matches of a unit between two versions alone, all on one deal.

    Three players: each version once against two of the other, through all three seats. Four: the sides, then swapped.
    """
    candidate, baseline = TrialRole.CANDIDATE, TrialRole.BASELINE
    if players == 4:
        return ((candidate, baseline) * 2, (baseline, candidate) * 2)
    return rotate_seats((candidate, baseline, baseline)) + rotate_seats((baseline, candidate, candidate))


def rotate_seats(seating: Seating) -> tuple[Seating, ...]:
    """The seating and its cyclic rotations."""
    return tuple(seating[-turn:] + seating[:-turn] if turn else seating for turn in range(len(seating)))


def score_unit(seatings: Sequence[Seating], points: Sequence[Sequence[float]]) -> float:
    """The candidate's mean points less the baseline's; `points` is by match and seat."""
    earned: dict[TrialRole, list[float]] = {TrialRole.CANDIDATE: [], TrialRole.BASELINE: []}
    for seating, match_points in zip(seatings, points, strict=True):
        for role, point in zip(seating, match_points, strict=True):
            earned[role].append(point)
    means = [sum(earned[role]) / len(earned[role]) for role in (TrialRole.CANDIDATE, TrialRole.BASELINE)]
    return means[0] - means[1]


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
    if progress.verdict not in (TrialVerdict.ACCEPTED, TrialVerdict.REJECTED) or is_first_look:
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
        if progress.verdict is TrialVerdict.ACCEPTED:
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
