"""Quick pairing: of those who wait for a table, who sits down together now; and which rating limits go by."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

WIDENS_BY = 5.0
"""Points of rating a second by which somebody who waits takes opponents further away."""

FIRST_REACH = 100.0


class WaitingPlayer(NamedTuple):
    """Somebody who waits: what for, their rating, the bounds they set, for how long, and whom they will not meet.

    `best` is what others' bounds go by: the best rating of the last months, 0 for the present one.
    """

    id: int
    table: str
    seats: int
    rating: float
    low: float
    high: float
    waited: float
    blocked: frozenset[int] = frozenset()
    best: float = 0.0

    @property
    def reach(self) -> float:
        return FIRST_REACH + WIDENS_BY * self.waited


def pair_waiting(waiting: Iterable[WaitingPlayer]) -> list[tuple[int, ...]]:
    """Groups that fill a table, the ids of each by rising rating; who is in none waits on.

    Those who wait longest choose first, each the group of neighbours by rating that is closest together. Everybody in
    a group is within everybody's bounds, and the group within the reach of whoever waited longest in it, so that
    nobody is sat down far away just because they came last.
    """
    by_table: defaultdict[str, list[WaitingPlayer]] = defaultdict(list)
    for one in waiting:
        by_table[one.table].append(one)
    groups: list[tuple[int, ...]] = []
    for table in sorted(by_table):
        groups += _pair_table(by_table[table])
    return groups


def _pair_table(waiting: list[WaitingPlayer]) -> list[tuple[int, ...]]:
    line = sorted(waiting, key=lambda one: (one.rating, one.id))
    place = {one.id: index for index, one in enumerate(line)}
    before = list(range(-1, len(line) - 1))
    after = list(range(1, len(line) + 1))
    taken = [False] * len(line)
    groups = []
    for one in sorted(waiting, key=lambda one: (-one.waited, one.id)):
        if taken[place[one.id]]:
            continue
        found = _find_group(line, before, after, place[one.id])
        if found is None:
            continue
        groups.append(tuple(line[index].id for index in found))
        for index in found:
            taken[index] = True
            left, right = before[index], after[index]
            if left >= 0:
                after[left] = right
            if right < len(line):
                before[right] = left
    return groups


def _find_group(
    line: Sequence[WaitingPlayer], before: Sequence[int], after: Sequence[int], own: int
) -> list[int] | None:
    """The closest group of neighbours around one who waits, as places in the line; None where none fits."""
    seats = line[own].seats
    near = [own]
    for _ in range(seats - 1):
        if before[near[0]] >= 0:
            near.insert(0, before[near[0]])
    index = own
    for _ in range(seats - 1):
        if after[index] < len(line):
            index = after[index]
            near.append(index)
    windows = [near[start : start + seats] for start in range(len(near) - seats + 1)]
    windows.sort(key=lambda window: line[window[-1]].rating - line[window[0]].rating)
    return next((window for window in windows if _fits([line[index] for index in window])), None)


def _fits(group: Sequence[WaitingPlayer]) -> bool:
    lowest, highest = group[0].rating, group[-1].rating
    if highest - lowest > max(one.reach for one in group):
        return False
    return all(
        one is other or (one.low <= other.rating and max(other.rating, other.best) <= one.high)
        for one in group
        for other in group
    ) and all(one.blocked.isdisjoint([other.id for other in group]) for one in group if one.blocked)


LIMIT_DAYS = 90
"""Bounds on ratings go by the best number of so many days: nobody loses on purpose to play among the weak."""


def best_for_limits(numbers: Sequence[float]) -> float:
    """What an upper bound on ratings takes for a player's rating: the best of those of the last LIMIT_DAYS."""
    return max(numbers)
