"""Units of a sequential test: the matches on one deal that give one score, so that the deal's luck cancels."""

from collections.abc import Sequence
from enum import StrEnum

Seating = tuple["Role", ...]


class Role(StrEnum):
    """Who takes a seat in a unit: the new version or the old one."""

    CANDIDATE = "candidate"
    BASELINE = "baseline"


def duel_seatings(players: int) -> tuple[Seating, ...]:
    """The matches of a unit between two versions alone, all on one deal.

    Three players: each version once against two of the other, through all three seats. Four: the sides, then swapped.
    """
    candidate, baseline = Role.CANDIDATE, Role.BASELINE
    if players == 4:
        return ((candidate, baseline) * 2, (baseline, candidate) * 2)
    return rotate_seats((candidate, baseline, baseline)) + rotate_seats((baseline, candidate, candidate))


def rotate_seats(seating: Seating) -> tuple[Seating, ...]:
    """The seating and its cyclic rotations."""
    return tuple(seating[-turn:] + seating[:-turn] if turn else seating for turn in range(len(seating)))


def score_unit(seatings: Sequence[Seating], points: Sequence[Sequence[float]]) -> float:
    """The candidate's mean points less the baseline's; `points` is by match and seat."""
    earned: dict[Role, list[float]] = {Role.CANDIDATE: [], Role.BASELINE: []}
    for seating, match_points in zip(seatings, points, strict=True):
        for role, point in zip(seating, match_points, strict=True):
            earned[role].append(point)
    means = [sum(earned[role]) / len(earned[role]) for role in (Role.CANDIDATE, Role.BASELINE)]
    return means[0] - means[1]
