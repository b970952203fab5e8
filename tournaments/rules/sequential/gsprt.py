"""The generalised sequential probability ratio test on unit scores.

The likelihood ratio of "better by `effect`" to "no better" is taken with the variance seen so far, as fishtest does for
pairs of games.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from math import log
from typing import NamedTuple

VARIANCE_FLOOR = 1e-4
"""Units of two alike deterministic bots may not vary at all; a variance of nothing would decide on nothing."""


class Verdict(StrEnum):
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

    verdict: Verdict
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

    def _decide(self, scores: UnitScores, ratio: float) -> Verdict:
        if self.can_look(scores):
            if ratio >= self.upper:
                return Verdict.ACCEPTED
            if ratio <= self.lower:
                return Verdict.REJECTED
        is_out_of_units = self.last_look is not None and scores.units >= self.last_look
        return Verdict.UNDECIDED if is_out_of_units else Verdict.CONTINUES
