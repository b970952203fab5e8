"""The values of the rating rules: a rating, a table to be rated, and one step of a rating."""

from math import inf
from typing import NamedTuple

INITIAL_MU = 25.0
INITIAL_SIGMA = INITIAL_MU / 3
PEOPLE_TAU = INITIAL_MU / 300


class LiveRating(NamedTuple):
    """A live skill estimate: a normal belief with mean mu and deviation sigma."""

    mu: float = INITIAL_MU
    sigma: float = INITIAL_SIGMA


class RatedTable(NamedTuple):
    """One settled match as ratings see it; every player is named by an id and sits once.

    `sides` holds three sides of one, or two sides of one (fixed teams) or two players. `places` is by side, 1 is
    best, a shared place is a tie. `forfeits` are players: their side is last, whatever was played after they failed.
    `people` are the players whose skill drifts, and so whose sigma grows a little before every match.
    """

    sides: tuple[tuple[int, ...], ...]
    places: tuple[int, ...]
    forfeits: frozenset[int] = frozenset()
    people: frozenset[int] = frozenset()
    block: int | None = None


class RatingStep(NamedTuple):
    """What one match did to one player's live rating."""

    player: int
    before: LiveRating
    after: LiveRating
    place: int
    is_forfeit: bool


class Estimate(NamedTuple):
    """A number and its standard error, on whatever scale the caller is.

    `freedom` is the number of observations beyond the first that the error itself was found from.
    """

    value: float
    se: float
    freedom: float = inf
