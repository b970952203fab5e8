"""Units of a sequential test: the matches on one deal that give one score, so that the deal's luck cancels."""

from collections.abc import Sequence
from enum import StrEnum

Seating = tuple["Role", ...]


class Role(StrEnum):
    """Who takes a seat in a unit: the new version, the old one, or a bot of the fixed panel."""

    CANDIDATE = "candidate"
    BASELINE = "baseline"
    FIRST_PANEL = "panel_1"
    SECOND_PANEL = "panel_2"


def duel_seatings(players: int) -> tuple[Seating, ...]:
    """The matches of a unit between two versions alone, all on one deal.

    Three players: each version once against two of the other, through all three seats. Four: the sides, then swapped.
    """
    candidate, baseline = Role.CANDIDATE, Role.BASELINE
    if players == 4:
        return ((candidate, baseline) * 2, (baseline, candidate) * 2)
    return rotate_seats((candidate, baseline, baseline)) + rotate_seats((baseline, candidate, candidate))


def replacement_seatings(players: int) -> tuple[Seating, ...]:
    """The matches of a paired replacement, all on one deal: each version in each seat against the same panel."""
    seatings: tuple[Seating, ...] = ()
    for version in (Role.CANDIDATE, Role.BASELINE):
        if players == 4:
            panel = Role.FIRST_PANEL
            seatings += ((version, panel) * 2, (panel, version) * 2)
        else:
            seatings += rotate_seats((version, Role.FIRST_PANEL, Role.SECOND_PANEL))
    return seatings


def rotate_seats(seating: Seating) -> tuple[Seating, ...]:
    """The seating and its cyclic rotations."""
    return tuple(seating[-turn:] + seating[:-turn] if turn else seating for turn in range(len(seating)))


def score_unit(seatings: Sequence[Seating], points: Sequence[Sequence[float]]) -> float:
    """The candidate's mean points less the baseline's; `points` is by match and seat, the panel's do not count."""
    earned: dict[Role, list[float]] = {Role.CANDIDATE: [], Role.BASELINE: []}
    for seating, match_points in zip(seatings, points, strict=True):
        for role, point in zip(seating, match_points, strict=True):
            if role in earned:
                earned[role].append(point)
    means = [sum(earned[role]) / len(earned[role]) for role in (Role.CANDIDATE, Role.BASELINE)]
    return means[0] - means[1]
