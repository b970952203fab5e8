"""The values of the rating rules: from strengths to the numbers people read, and in which pool a match is rated."""

from collections.abc import Iterator, Sequence
from math import inf, log, sqrt
from typing import NamedTuple

INITIAL_MU = 25.0
INITIAL_SIGMA = INITIAL_MU / 3
PEOPLE_TAU = INITIAL_MU / 300
BETA = INITIAL_MU / 6


class LiveRating(NamedTuple):
    """A live skill estimate: a normal belief with mean mu and deviation sigma."""

    mu: float = INITIAL_MU
    sigma: float = INITIAL_SIGMA


class RatedTable(NamedTuple):
    """One settled match as ratings see it; every player is named by an id and sits once.

    `sides` holds three sides of one, or two sides of one (fixed teams) or two players. `places` is by side, 1 is
    best, a shared place is a tie. `forfeits` are players: their side is last, whatever was played after they failed.
    `people` are the players whose skill drifts, and so whose sigma grows a little before every match.
    `share` is how much of the match counts: repeats of the same people count less. `early` are those of the forfeits
    that came before the first round had ended: they cost whoever forfeited, and give the others nothing. `scores` are
    by side, where nobody forfeited; the live rating knows nothing of them.
    """

    sides: tuple[tuple[int, ...], ...]
    places: tuple[int, ...]
    forfeits: frozenset[int] = frozenset()
    people: frozenset[int] = frozenset()
    block: int | None = None
    share: float = 1.0
    early: frozenset[int] = frozenset()
    scores: tuple[float, ...] | None = None


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


class Strength(NamedTuple):
    """A fitted strength with its 95 % interval, which need not lie even around it, and the error of the player's own
    results against the mean of the pool."""

    value: float
    low: float
    high: float
    own_se: float


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


def show_strength(strength: Strength) -> ShownRating:
    """A strength against the anchor as it is shown. Ordered by value - 2 own se.

    Who is sure and how the list is ordered depends on a player's own matches, not on the anchor's.
    """
    number, low, high = (ANCHOR_NUMBER + POINTS_PER_UNIT * one for one in strength[:3])
    lower_bound = number - 2 * POINTS_PER_UNIT * strength.own_se
    return ShownRating(number, low, high, lower_bound, strength.own_se > PROVISIONAL_SE)


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


class PoolKey(NamedTuple):
    """What a pool is known by; `entry_kind` is bots, people or mixed."""

    players: int
    is_teams: bool
    entry_kind: str


class RatedMatch(NamedTuple):
    """A settled match as far as ratings care: players and persons by seat, places by side, forfeits by seat.

    `teams` holds by side the player that the side is rated as, 0 where its two players only met for this table.
    `share` is how much of the match counts, and `early` the seats forfeited before its first round had ended.
    """

    id: int
    players: tuple[int, ...]
    is_person: tuple[bool, ...]
    places: tuple[int, ...]
    forfeits: tuple[int, ...] = ()
    teams: tuple[int, int] = (0, 0)
    share: float = 1.0
    early: tuple[int, ...] = ()


def pool_tables(match: RatedMatch) -> Iterator[tuple[PoolKey, RatedTable]]:
    """The tables to be rated, each with its pool; none where a player held seats that cannot be told apart."""
    kind = _entry_kind(match.is_person)
    seats = len(match.players)
    if len(set(match.players)) == seats:
        yield PoolKey(seats, False, kind), _table_of(match, _individual_sides(match.players, len(match.places)))
    if seats == 4:
        units = _side_units(match)
        if all(units) and units[0] != units[1]:
            yield PoolKey(seats, True, kind), _table_of(match, tuple((unit,) for unit in units))


def _entry_kind(is_person: Sequence[bool]) -> str:
    if all(is_person):
        return "people"
    return "mixed" if any(is_person) else "bots"


def _individual_sides(players: Sequence[int], sides: int) -> tuple[tuple[int, ...], ...]:
    """Seats `i` and `i + sides` are partners."""
    if sides == len(players):
        return tuple(zip(players, strict=True))
    return tuple(zip(*(players[start : start + sides] for start in range(0, len(players), sides)), strict=False))


def _side_units(match: RatedMatch) -> list[int]:
    """By side: its team, or the one player who held both its seats, or 0."""
    return [
        team or (match.players[side] if match.players[side] == match.players[side + 2] else 0)
        for side, team in enumerate(match.teams)
    ]


def _table_of(match: RatedMatch, sides: tuple[tuple[int, ...], ...]) -> RatedTable:
    """Seat `i` is of side `i % sides`. A unit of two counts as a person, or forfeits, if one of its seats does."""
    count = len(sides)
    if not match.forfeits and not any(match.is_person):
        return RatedTable(sides, match.places, share=match.share)
    holders = [
        side[seat // count] if len(side) > 1 else side[0]
        for seat, side in ((seat, sides[seat % count]) for seat in range(len(match.players)))
    ]
    return RatedTable(
        sides,
        match.places,
        frozenset(holders[seat] for seat in match.forfeits),
        frozenset(holder for holder, is_person in zip(holders, match.is_person, strict=True) if is_person),
        share=match.share,
        early=frozenset(holders[seat] for seat in match.early if any(match.is_person)),
    )
