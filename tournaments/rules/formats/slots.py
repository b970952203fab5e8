"""Slots of a schedule made ahead: who holds each now, and an order of entrants that keeps pairs apart."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from random import Random

from tournaments.rules.designs.library import Schedule
from tournaments.rules.formats.situation import Entry, Situation
from tournaments.rules.pairing import EntrantId

TRIES = 8
STEPS = 4000

Pair = frozenset[EntrantId]


@dataclass(frozen=True, slots=True)
class Occupants:
    """Who holds each slot (numbered from 1) on the matchday to be drawn, and active entrants who found none."""

    by_slot: dict[int, EntrantId]
    unplaced: tuple[EntrantId, ...]


def occupy_slots(situation: Situation, starters: tuple[EntrantId, ...]) -> Occupants:
    """Slots in the starters' order; a late entry takes the one left longest ago, if one is free by then."""
    entries = {entry.id: entry for entry in situation.entries}
    holders: list[Entry] = [entries[entrant] for entrant in starters]
    late = sorted((e for e in situation.entries if 1 < e.entered_on <= situation.matchday), key=lambda e: e.entered_on)
    unplaced = []
    for entry in late:
        left = [(h.left_on, slot) for slot, h in enumerate(holders) if h.left_on and h.left_on <= entry.entered_on]
        if left:
            holders[min(left)[1]] = entry
        else:
            unplaced.append(entry)
    day = situation.matchday
    by_slot = {slot: holder.id for slot, holder in enumerate(holders, start=1) if holder.is_active(day)}
    return Occupants(by_slot, tuple(entry.id for entry in unplaced if entry.is_active(day)))


@lru_cache(maxsize=16)
def find_slot_order(
    starters: tuple[EntrantId, ...], schedule: Schedule, apart: frozenset[Pair]
) -> tuple[tuple[EntrantId, ...], frozenset[Pair]]:
    """An order of the starters over the slots that keeps pairs of `apart` from meeting, and the pairs it fails.

    The field's own order is kept if it will do. The search is the same every time it is asked.
    """
    meeting = {frozenset(pair) for day in schedule for table in day for pair in combinations(table, 2)}
    slots = len(starters)
    clashes = _find_clashing(starters, meeting, apart)
    if not clashes or len(meeting) == slots * (slots - 1) // 2:
        return starters, frozenset(clashes)
    best = starters
    for attempt in range(TRIES):
        order, left = _swap_apart(list(starters), meeting, apart, Random(attempt))
        if len(left) < len(clashes):
            best, clashes = order, left
        if not clashes:
            break
    return best, frozenset(clashes)


def _find_clashing(order: tuple[EntrantId, ...], meeting: set[frozenset[int]], apart: frozenset[Pair]) -> set[Pair]:
    slot = {entrant: number for number, entrant in enumerate(order, start=1)}
    return {pair for pair in apart if frozenset(slot[entrant] for entrant in pair) in meeting}


def _swap_apart(
    order: list[EntrantId], meeting: set[frozenset[int]], apart: frozenset[Pair], rng: Random
) -> tuple[tuple[EntrantId, ...], set[Pair]]:
    """Swap one of a clashing pair with anybody as long as that leaves no more clashes than before."""
    clashes = _find_clashing(tuple(order), meeting, apart)
    for _ in range(STEPS // max(1, len(apart) // 8)):
        if not clashes:
            break
        moved = order.index(rng.choice(sorted(rng.choice(sorted(map(sorted, clashes))))))
        other = rng.randrange(len(order))
        order[moved], order[other] = order[other], order[moved]
        after = _find_clashing(tuple(order), meeting, apart)
        if len(after) <= len(clashes):
            clashes = after
        else:
            order[moved], order[other] = order[other], order[moved]
    return tuple(order), clashes
