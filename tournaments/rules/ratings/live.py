"""The live rating: one match moves the ratings of those who played it, by openskill's Plackett-Luce update.

The formula is written out here, in the library's own order of operations, so that online rating and a rebuild of
millions of matches share one function; the tests hold it to the library bit for bit. Source: Weng and Lin, "A Bayesian
Approximation Method for Online Ranking", JMLR 12 (2011), algorithm 4, as in openskill 6.2.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from math import exp, sqrt
from typing import NamedTuple

from tournaments.rules.ratings.values import (
    BETA,
    PEOPLE_TAU,
    PROVISIONAL_SIGMA,
    LiveRating,
    RatedTable,
    RatingStep,
)

SMALLEST_SHRINK = 0.0001
TRUST_POWER = 3
"""By which power of its sigma a newcomer's effect on others is smaller: brand new, a 24th."""

UNRATED = LiveRating()

SideRatings = list[list[tuple[float, float]]]


def rate_match(ratings: Mapping[int, LiveRating], table: RatedTable) -> tuple[RatingStep, ...]:
    """The step of every player at the table, in the order of its sides; none if every side forfeited, or for no share.

    A player without a rating yet starts from the initial one. Raises ValueError for a table that is not Aurum's.
    """
    places = rated_places(table)
    if places is None:
        return ()
    changed = rate_sides(ratings, table, places)
    return tuple(
        RatingStep(player, ratings.get(player, UNRATED), after, place, player in table.forfeits)
        for side, place, side_changed in zip(table.sides, places, changed, strict=True)
        for player, after in zip(side, side_changed, strict=True)
    )


def rated_places(table: RatedTable) -> tuple[int, ...] | None:
    """The place of each side for ratings: a side with a forfeit is last; None where the match does not count."""
    if len(table.sides) not in (2, 3) or len(table.places) != len(table.sides):
        raise ValueError(f"ratings know tables of two or three sides, each with a place: {table.sides} {table.places}")
    if not table.share:
        return None
    if not table.forfeits:
        return table.places
    has_forfeit = [not table.forfeits.isdisjoint(side) for side in table.sides]
    if all(has_forfeit):
        return None
    last = max(table.places) + 1
    return tuple(last if out else place for out, place in zip(has_forfeit, table.places, strict=True))


def rate_sides(
    ratings: Mapping[int, LiveRating], table: RatedTable, places: Sequence[int]
) -> list[list[LiveRating]]:
    """New ratings by side. Equal places are taken in order of strength, so that seats change no bit of the answer."""
    people = table.people
    sides: SideRatings = []
    strengths = []
    for side, place in zip(table.sides, places, strict=True):
        members = []
        mu_sum = variance = 0.0
        for player in side:
            mu, sigma = ratings.get(player, UNRATED)
            if player in people:
                sigma = sqrt(sigma * sigma + PEOPLE_TAU * PEOPLE_TAU)
            members.append((mu, sigma))
            mu_sum += mu
            variance += sigma**2
        sides.append(members)
        strengths.append((place, mu_sum, variance))
    order = sorted(range(len(sides)), key=strengths.__getitem__)
    moves = _side_moves([strengths[index] for index in order])
    changed: list[list[LiveRating]] = [[] for _ in sides]
    for index, (omega, delta) in zip(order, moves, strict=True):
        variance = strengths[index][2]
        changed[index] = [_move_player(mu, sigma, variance, omega, delta) for mu, sigma in sides[index]]
    return _weigh(ratings, table, changed) if people or table.share != 1.0 else changed


def _weigh(
    ratings: Mapping[int, LiveRating], table: RatedTable, changed: list[list[LiveRating]]
) -> list[list[LiveRating]]:
    """Each step as far as it counts: by the table's share, by how sure the others are; early forfeits cost alone."""
    before = [[ratings.get(player, UNRATED) for player in side] for side in table.sides]
    weighed = []
    for number, side in enumerate(table.sides):
        others = [other for index, members in enumerate(before) if index != number for other in members]
        steps = []
        for player, own, after in zip(side, before[number], changed[number], strict=True):
            counts = not table.early or player in table.early
            steps.append(_go_part(own, after, table.share * _trust(own, others) if counts else 0.0))
        weighed.append(steps)
    return weighed


def _trust(own: LiveRating, others: Sequence[LiveRating]) -> float:
    """What a result against these is worth to a rating: less where one of them is less sure than it is itself.

    Two who are both new move each other in full, or a new pool would never find its order.
    """
    sure = max(own.sigma, PROVISIONAL_SIGMA)
    least = max(other.sigma for other in others)
    return 1.0 if least <= sure else (sure / least) ** TRUST_POWER


def _go_part(before: LiveRating, after: LiveRating, part: float) -> LiveRating:
    if part == 1.0:
        return after
    return LiveRating(
        before.mu + part * (after.mu - before.mu), before.sigma + part * (after.sigma - before.sigma)
    )


def _side_moves(strengths: list[tuple[int, float, float]]) -> list[tuple[float, float]]:
    """For each side, best first: how far its mean moves, and by which share its variance shrinks.

    Sides that are alike in everything move alike; the library's last bit would depend on which of them comes first.
    """
    collective = 0.0
    for _, _, variance in strengths:
        collective += variance + BETA**2
    c = sqrt(collective)
    powers = [exp(mu / c) for _, mu, _ in strengths]
    sums, shares = [], []
    for place, _, _ in strengths:
        total, tied = 0.0, 0
        for (other_place, _, _), power in zip(strengths, powers, strict=True):
            if other_place >= place:
                total += power
                tied += other_place == place
        sums.append(total)
        shares.append(tied)
    moves: list[tuple[float, float]] = []
    for i, (place, _, variance) in enumerate(strengths):
        if i and strengths[i] == strengths[i - 1]:
            moves.append(moves[-1])
            continue
        omega = delta = 0.0
        for q, (other_place, _, _) in enumerate(strengths):
            if other_place > place:
                break
            chance = powers[i] / sums[q]
            delta += chance * (1 - chance) / shares[q]
            if q == i:
                omega += (1 - chance) / shares[q]
            else:
                omega -= chance / shares[q]
        moves.append((omega * (variance / c), delta * (variance / c**2) * (sqrt(variance) / c)))
    return moves


def _move_player(mu: float, sigma: float, variance: float, omega: float, delta: float) -> LiveRating:
    part = sigma**2 / variance
    return LiveRating(mu + part * omega, sigma * sqrt(max(1 - part * delta, SMALLEST_SHRINK)))


class DifferenceKind(StrEnum):
    """What about a stored rating is not what the results give."""

    STEP = "step"
    MISSING = "missing"
    UNEXPECTED = "unexpected"
    CURRENT = "current"


class RatingDifference(NamedTuple):
    """One stored value that differs; `match` is None where the player's present rating does."""

    kind: DifferenceKind
    match: int | None
    player: int
    stored: RatingStep | LiveRating | None
    replayed: RatingStep | LiveRating | None


class RecordedMatch(NamedTuple):
    """A match with the steps that were stored when it was rated."""

    match: int
    table: RatedTable
    steps: tuple[RatingStep, ...]


def replay_ratings(tables: Iterable[RatedTable]) -> dict[int, LiveRating]:
    """The ratings after all tables, taken in the order given: that in which the matches were settled."""
    ratings: dict[int, LiveRating] = {}
    for table in tables:
        places = rated_places(table)
        if places is None:
            continue
        for side, changed in zip(table.sides, rate_sides(ratings, table, places), strict=True):
            for player, after in zip(side, changed, strict=True):
                ratings[player] = after
    return ratings


def find_rating_differences(
    matches: Iterable[RecordedMatch], current: Mapping[int, LiveRating]
) -> Iterator[RatingDifference]:
    """Every stored step and every present rating that is not, bit for bit, what a replay gives.

    The replay goes on from its own values, so one wrong step is reported once and not at every match after it.
    """
    ratings: dict[int, LiveRating] = {}
    for match, table, stored_steps in matches:
        replayed_steps = {step.player: step for step in rate_match(ratings, table)}
        stored = {step.player: step for step in stored_steps}
        yield from _compare_steps(match, stored, replayed_steps)
        for player, step in replayed_steps.items():
            ratings[player] = step.after
    for player in sorted(ratings.keys() | current.keys()):
        if ratings.get(player) != current.get(player):
            yield RatingDifference(
                DifferenceKind.CURRENT, None, player, current.get(player), ratings.get(player)
            )


def _compare_steps(
    match: int, stored: Mapping[int, RatingStep], replayed: Mapping[int, RatingStep]
) -> Iterator[RatingDifference]:
    for player in sorted(stored.keys() | replayed.keys()):
        before, after = stored.get(player), replayed.get(player)
        if before == after:
            continue
        kind = DifferenceKind.STEP
        if before is None:
            kind = DifferenceKind.MISSING
        elif after is None:
            kind = DifferenceKind.UNEXPECTED
        yield RatingDifference(kind, match, player, before, after)
