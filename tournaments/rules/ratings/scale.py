"""From strengths to the numbers people read: an Elo-like scale on which the anchor bot is 1500."""

from math import log, sqrt
from typing import NamedTuple

from tournaments.rules.ratings.live import BETA
from tournaments.rules.ratings.values import INITIAL_MU, Estimate, LiveRating

ANCHOR_NUMBER = 1500.0
POINTS_PER_UNIT = 400 / log(10)
"""173.7: odds of ten to one between two strengths are 400 points, as with Elo."""

INTERVAL_WIDTH = 1.96
PROVISIONAL_SE = 0.20
PROVISIONAL_SIGMA = 2.9
"""The sigma of a live rating after the 80 matches that bring a fitted strength to PROVISIONAL_SE."""

LIVE_UNIT = BETA * sqrt(3)
"""How much of mu is one unit of strength at a table of three whose players are well known."""


class ShownRating(NamedTuple):
    """A rating as it is shown: the number, its 95 % interval, the bound it is ordered by, and whether it is sure."""

    number: float
    low: float
    high: float
    lower_bound: float
    is_provisional: bool


def show_strength(strength: Estimate, anchor: float = 0.0) -> ShownRating:
    """A fitted strength as it is shown; `anchor` is the anchor bot's fitted value. Ordered by value - 2 se."""
    number = ANCHOR_NUMBER + POINTS_PER_UNIT * (strength.value - anchor)
    error = POINTS_PER_UNIT * strength.se
    return ShownRating(
        number,
        number - INTERVAL_WIDTH * error,
        number + INTERVAL_WIDTH * error,
        number - 2 * error,
        strength.se > PROVISIONAL_SE,
    )


def show_live(rating: LiveRating) -> ShownRating:
    """A live rating as it is shown; a new player has 1500. Ordered by mu - 3 sigma."""
    unit = POINTS_PER_UNIT / LIVE_UNIT
    number = ANCHOR_NUMBER + unit * (rating.mu - INITIAL_MU)
    error = unit * rating.sigma
    return ShownRating(
        number,
        number - INTERVAL_WIDTH * error,
        number + INTERVAL_WIDTH * error,
        number - 3 * error,
        rating.sigma > PROVISIONAL_SIGMA,
    )
