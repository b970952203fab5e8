"""From one stage to the next: split a field into groups, cut each group's standings, and seed those who go on."""

from collections.abc import Sequence

from tournaments.rules.pairing import EntrantId


def split_groups(seeded: Sequence[EntrantId], groups: int) -> list[list[EntrantId]]:
    """Groups of nearly equal size and strength: seeds are dealt to and fro (1 2 3, 3 2 1, 1 2 3, ...)."""
    split: list[list[EntrantId]] = [[] for _ in range(groups)]
    for number, entrant in enumerate(seeded):
        lap, column = divmod(number, groups)
        split[column if lap % 2 == 0 else groups - 1 - column].append(entrant)
    return split


def cut_groups(standings: Sequence[Sequence[EntrantId]], per_group: int) -> list[EntrantId]:
    """The first so many of each group as the next stage's seeds: all the winners first, then all the seconds.

    Every other row is turned round, so that the winner of a group and its second do not stand at the same end.
    """
    seeds: list[EntrantId] = []
    for place in range(per_group):
        row = [group[place] for group in standings if place < len(group)]
        seeds += row if place % 2 == 0 else row[::-1]
    return seeds
