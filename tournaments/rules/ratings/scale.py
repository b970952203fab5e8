"""From strengths to the numbers people read: an Elo-like scale on which the anchor bot is 1500."""

from math import log, sqrt
from typing import NamedTuple

from tournaments.rules.ratings.live import BETA
from tournaments.rules.ratings.values import INITIAL_MU, Estimate, LiveRating

ANCHOR_NUMBER = 1500.0
POINTS_PER_UNIT = 400 / log(10)
"""173.7: of two sides at a table, the one 400 points above wins it alone ten times as often as the other."""

INTERVAL_WIDTH = 1.96
PROVISIONAL_SE = 0.24
PROVISIONAL_SIGMA = 2.9
"""The sigma of a live rating after 80 matches, about as many as bring a fitted strength to PROVISIONAL_SE."""

LIVE_UNIT = BETA * sqrt(3)
"""How much of mu is one unit of strength at a table of three whose players are well known."""


class ShownRating(NamedTuple):
    """A rating as it is shown: the number, its 95 % interval, the bound it is ordered by, and whether it is sure."""

    number: float
    low: float
    high: float
    lower_bound: float
    is_provisional: bool


def show_strength(strength: Estimate, own_se: float | None = None) -> ShownRating:
    """A strength against the anchor, with the error of that difference, as it is shown. Ordered by value - 2 se.

    `own_se` is the error against the mean of the pool: who is sure and how the list is ordered depends on a player's
    own matches, not on the anchor's; without it the strength is one against the mean.
    """
    own_se = strength.se if own_se is None else own_se
    number = ANCHOR_NUMBER + POINTS_PER_UNIT * strength.value
    reach = POINTS_PER_UNIT * INTERVAL_WIDTH * strength.se
    lower_bound = number - 2 * POINTS_PER_UNIT * own_se
    return ShownRating(number, number - reach, number + reach, lower_bound, own_se > PROVISIONAL_SE)


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
