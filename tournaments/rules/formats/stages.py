"""From one stage to the next: groups, cuts and seeds; and whether a field is large enough for everybody to play."""

from collections.abc import Sequence

from aurum_league.common.errors import N_, Sentence
from tournaments.rules.pairing import EntrantId, Problem, TableKind


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


def find_size_problems(kind: TableKind, entrants: int) -> tuple[Problem, ...]:
    if entrants >= kind.entrants:
        return ()
    sentence = N_("%(number)s entrants do not fill one table, which takes %(needed)s.")
    return (Problem("too_few_entrants", Sentence(sentence, number=entrants, needed=kind.entrants)),)


def find_length_problems(kind: TableKind, entrants: int, matchdays: int) -> tuple[Problem, ...]:
    """Two matchdays let everybody play once at least, whoever rests; one does so only if nobody rests."""
    resting = entrants % kind.entrants
    if matchdays > 1 or not resting:
        return ()
    sentence = N_("In one matchday %(resting)s of %(entrants)s entrants would play no match: it takes two.")
    return (Problem("bad_length", Sentence(sentence, resting=resting, entrants=entrants)),)
