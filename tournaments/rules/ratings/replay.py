"""Rating all matches again from the results alone, and saying where the stored ratings differ."""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

from tournaments.rules.ratings.live import rate_match, rate_sides, rated_places
from tournaments.rules.ratings.values import LiveRating, RatedTable, RatingStep


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


def audit_ratings(
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
