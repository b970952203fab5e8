"""Round robin: a balanced design laid over the field, whole laps of it or a number of matchdays."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import ClassVar

import numpy as np

from aurum_league.common.errors import N_, Sentence
from tournaments.rules.designs import Schedule, lap_family, lap_length, plan_matchdays
from tournaments.rules.formats.format import (
    HOUSE_FILLS,
    LAPS,
    MATCHDAYS,
    MEETINGS,
    Entry,
    Format,
    Option,
    Situation,
    describe_clashes,
    find_apart_pairs,
    find_length_problems,
    find_size_problems,
)
from tournaments.rules.formats.search_draw import search_draw
from tournaments.rules.pairing import (
    HOUSE,
    Draw,
    EntrantId,
    Finished,
    ImpossibleDraw,
    Pairing,
    Problem,
    Reason,
    TableKind,
    Waiting,
)
from tournaments.rules.playout import Ints, Playout

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


@dataclass(frozen=True, slots=True)
class RoundRobin(Format):
    """Slots of a design are filled in seed order. Who leaves leaves a slot behind; a late entry takes one left behind,
    and where there is none the matchdays from then on are drawn by search, with no repeat until it is forced."""

    kind: TableKind = TableKind.SOLO3
    meetings: int = 2
    """Three players: whether a lap lets pairs meet once or twice; each pair meets once a lap at two-sided tables."""
    laps: int = 1
    matchdays: int | None = None
    """A given number of matchdays instead of whole laps."""
    house_fills: bool = False
    """A house bot takes the seat of one who left; else those at that table rest."""

    code: ClassVar[str] = "round_robin"
    title: ClassVar[str] = N_("Round robin")
    help: ClassVar[str] = N_("Everybody meets everybody as evenly as arithmetic allows, seats and byes too.")
    options: ClassVar[tuple[Option, ...]] = (MEETINGS, LAPS, MATCHDAYS, HOUSE_FILLS)
    needs_results: ClassVar[bool] = False

    def find_problems(self, situation: Situation) -> tuple[Problem, ...]:
        starters = [entry for entry in situation.entries if entry.entered_on <= 1]
        if problems := find_size_problems(self.kind, len(starters)):
            return problems
        if self.meetings not in (1, 2) or self.laps < 1 or (self.matchdays is not None and self.matchdays < 1):
            return (Problem("bad_length", N_("A round robin needs 1 or 2 meetings a lap and at least one matchday.")),)
        if problems := find_length_problems(self.kind, len(starters), self.plan_length(len(starters))):
            return problems
        try:
            self._slots(situation)
        except ImpossibleDraw as impossible:
            return (impossible.problem,)
        return ()

    def plan_length(self, entrants: int) -> int:
        return self.matchdays or self.laps * lap_length(lap_family(self.kind, self.meetings), entrants)

    def draw(self, situation: Situation, rng: Random) -> Draw | Waiting | Finished:
        size = sum(entry.entered_on <= 1 for entry in situation.entries)
        day = situation.matchday
        if day > self.plan_length(size) or find_size_problems(self.kind, len(situation.active)):
            return Finished()
        occupants = self._slots(situation)
        if occupants.unplaced:
            level = {entry.id: 0.0 for entry in situation.active}
            return search_draw(self.kind, situation, level, rng, house_fills=self.house_fills)
        tables = plan_schedule(self.kind, self.meetings, size, self.plan_length(size))[day - 1]
        lap, number = divmod(day - 1, lap_length(lap_family(self.kind, self.meetings), size))
        why = (Reason("lap", (lap + 1, number + 1)),)
        return self._name_tables(situation, tables, occupants, why)

    def play_out(self, playout: Playout) -> list[Ints]:
        n = playout.entrants
        days = plan_schedule(self.kind, self.meetings, n, self.plan_length(n))
        points, wins = playout.add_up([np.array(day) - 1 for day in days])
        played = np.bincount(np.array([who - 1 for day in days for table in day for who in table]), minlength=n)
        return [playout.rank(points / played, wins / played)]

    def _slots(self, situation: Situation) -> Occupants:
        starters = tuple(entry.id for entry in situation.entries if entry.entered_on <= 1)
        opposed, named = find_apart_pairs(situation.start)
        if opposed:
            schedule = plan_schedule(self.kind, self.meetings, len(starters), self.plan_length(len(starters)))
            apart = frozenset(named if self.kind is TableKind.SOLO4 else opposed)
            order, clashes = find_slot_order(starters, schedule, apart)
            if clashes:
                raise ImpossibleDraw(describe_clashes(clashes, Sentence(N_("in this round robin they meet"))))
            starters = order
        return occupy_slots(situation, starters)

    def _name_tables(
        self,
        situation: Situation,
        tables: tuple[tuple[int, ...], ...],
        occupants: Occupants,
        why: tuple[Reason, ...],
    ) -> Draw:
        """Put entrants on the slots of a matchday, and deal with tables where somebody is gone."""
        pairings: list[Pairing] = []
        for slots in tables:
            seated = [occupants.by_slot.get(slot, HOUSE) for slot in slots]
            missing = seated.count(HOUSE)
            if missing > 1 or (missing and not self.house_fills):
                continue
            reasons = (*why, Reason("house_fills")) if missing else why
            pairings.append(Pairing(len(pairings) + 1, self.kind.seat(seated), reasons))
        playing = {entrant for pairing in pairings for entrant in pairing.seats}
        resting = tuple(entry.id for entry in situation.active if entry.id not in playing)
        return Draw(situation.matchday, tuple(pairings), resting)


def plan_schedule(kind: TableKind, meetings: int, entrants: int, matchdays: int) -> Schedule:
    """So many matchdays for slots 1 to n, seated."""
    return plan_matchdays(lap_family(kind, meetings), entrants, matchdays)
