"""Knockout: single or double elimination, of two sides or at tables of three where one or two go on."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import ClassVar

import numpy as np

from aurum_league.common.errors import N_
from tournaments.rules.formats.bracket import (
    FINAL,
    SECOND_FINAL,
    BracketState,
    BracketTable,
    From,
    ReadyTable,
    Seed,
    build_double,
    build_single,
)
from tournaments.rules.formats.format import (
    Format,
    Option,
    Situation,
    find_apart_pairs,
    find_clashes,
    find_size_problems,
)
from tournaments.rules.pairing import HOUSE, Draw, EntrantId, Finished, Pairing, Problem, Reason, TableKind, Waiting
from tournaments.rules.playout import NOBODY, Ints, Playout


@dataclass(frozen=True, slots=True)
class Knockout(Format):
    """Entries in seed order. A table is drawn as soon as those who feed it are through, so waves may overlap.

    Who leaves before a table is drawn gives it up: the other side goes on, or a house bot fills a table of three.
    There is no late entry; a table that does not part those at the cut is played again.
    """

    kind: TableKind = TableKind.SOLO3
    is_double: bool = False
    advance: int = 1
    """How many of three go on; 2 only in single elimination."""
    has_third_place: bool = False

    code: ClassVar[str] = "knockout"
    title: ClassVar[str] = N_("Knockout")
    help: ClassVar[str] = N_("Lose and you are out. Exciting and short; the draw decides much.")
    options: ClassVar[tuple[Option, ...]] = (
        Option(
            "is_double",
            N_("Double elimination"),
            N_("Who loses once goes on among the losers; twice, and it is over."),
            "check",
        ),
        Option(
            "advance",
            N_("How many of three go on"),
            N_("At tables of three; two only in single elimination."),
            most=2,
        ),
        Option(
            "has_third_place",
            N_("Play for the third place"),
            N_("Those who fail just before the final meet."),
            "check",
        ),
    )
    kinds: ClassVar[frozenset[TableKind]] = frozenset((TableKind.SOLO3, TableKind.TEAMS4))
    takes_late_entries: ClassVar[bool] = False
    has_bracket: ClassVar[bool] = True

    def find_problems(self, situation: Situation) -> tuple[Problem, ...]:
        if self.kind not in self.kinds:
            return (Problem("no_such_knockout", N_("A knockout has no tables of individuals with rotating partners.")),)
        if self.advance not in (1, 2) or (self.advance == 2 and (self.kind is not TableKind.SOLO3 or self.is_double)):
            return (Problem("bad_advance", N_("Two can go on only from tables of three in single elimination.")),)
        if late := tuple(entry.id for entry in situation.entries if entry.entered_on > 1):
            return (Problem("no_late_entry", N_("A knockout takes no entry once it is drawn."), late),)
        return find_size_problems(self.kind, len(situation.start.entries))

    def plan_length(self, entrants: int) -> int | None:
        return max(table.wave for table in self.bracket(entrants))

    def bracket(self, entrants: int) -> tuple[BracketTable, ...]:
        """The whole bracket, for pages that draw it; slots name its tables in pairings and history."""
        return build_bracket(self.kind.entrants, self.is_double, self.advance, self.has_third_place, entrants)

    def draw(self, situation: Situation, rng: Random) -> Draw | Waiting | Finished:
        seeds = self.seed_order(situation)
        state = BracketState(self.bracket(len(seeds)), seeds, situation)
        if state.is_over:
            return Finished(state.places())
        if not state.ready:
            return Waiting(situation.pending_tables())
        pairings = [self._pair(number, ready, seeds, rng) for number, ready in enumerate(state.ready, start=1)]
        clashing = {entrant for pair in find_clashes(situation, self.kind, pairings) for entrant in pair}
        for number, pairing in enumerate(pairings):
            if len(clashing.intersection(pairing.seats)) > 1:
                why = (*pairing.why, Reason("unrated"))
                pairings[number] = Pairing(pairing.table, pairing.seats, why, pairing.slot)
        playing = {entrant for ready in state.ready for entrant in ready.entrants}
        resting = tuple(e.id for e in situation.active if e.id not in playing) if situation.matchday == 1 else ()
        return Draw(situation.matchday, tuple(pairings), resting)

    def play_out(self, playout: Playout) -> list[Ints]:
        """The bracket with seeds in order; only who wins it is told, the others follow by how far they came."""
        came: dict[str, Ints] = {}
        wave = np.zeros(playout.strengths.shape)
        unbeaten = np.full(playout.worlds, NOBODY)
        for table in self.bracket(playout.entrants):
            seated = np.full((playout.worlds, self.kind.entrants), NOBODY)
            for seat, source in enumerate(table.sources):
                if isinstance(source, Seed):
                    seated[:, seat] = source.number - 1
                elif isinstance(source, From):
                    seated[:, seat] = came[source.slot][:, source.rank - 1]
            points, wins = playout.meet(seated[:, None])
            order = playout.rank((seated[:, None] >= 0).astype(float)[:, 0], points[:, 0], wins[:, 0])
            if table.slot == FINAL:
                unbeaten = seated[:, 0]
            if table.slot == SECOND_FINAL:
                # Only played if the unbeaten one, who sits first in the first final, lost it.
                order[came[FINAL][:, 0] == unbeaten] = np.arange(order.shape[1])
            came[table.slot] = np.take_along_axis(seated, order, axis=1)
            for seat in range(seated.shape[1]):
                playing = np.flatnonzero(seated[:, seat] >= 0)
                wave[playing, seated[playing, seat]] = table.wave
        last = came[SECOND_FINAL if SECOND_FINAL in came else FINAL][:, 0]
        wave[np.arange(playout.worlds), last] += 1
        return [playout.rank(wave)]

    def seed_order(self, situation: Situation) -> tuple[EntrantId, ...]:
        """The entries' order, with as few trades as it takes to keep pairs apart in the first wave."""
        start = situation.start
        seeds = tuple(entry.id for entry in start.entries)
        opposed, _named = find_apart_pairs(start)
        if not opposed:
            return seeds
        tables = [
            [source.number - 1 for source in table.sources if isinstance(source, Seed)]
            for table in self.bracket(len(seeds))
            if table.wave == 1
        ]
        return keep_apart_at_first(seeds, tables, frozenset(opposed))

    def _pair(self, number: int, ready: ReadyTable, seeds: tuple[EntrantId, ...], rng: Random) -> Pairing:
        seated = list(ready.entrants)
        rng.shuffle(seated)
        places = {entrant: place for place, entrant in enumerate(seeds, start=1)}
        why = [Reason("seeds", tuple(places[entrant] for entrant in seated if entrant != HOUSE))]
        why += [Reason("wave", (ready.table.wave,))]
        why += [Reason("replay")] if ready.is_replay else []
        why += [Reason("house_fills")] if HOUSE in seated else []
        return Pairing(number, self.kind.seat(seated), tuple(why), ready.table.slot)


@lru_cache(maxsize=64)
def build_bracket(
    size: int, is_double: bool, advance: int, has_third_place: bool, entrants: int
) -> tuple[BracketTable, ...]:
    if is_double:
        return build_double(entrants, size)
    return build_single(entrants, size, advance, has_third_place=has_third_place)


def keep_apart_at_first(
    seeds: tuple[EntrantId, ...], tables: list[list[int]], opposed: frozenset[frozenset[EntrantId]]
) -> tuple[EntrantId, ...]:
    """Trade the lower seed of each clash in the first wave with the nearest seed that leaves fewer clashes."""
    order = list(seeds)

    def find_lower_seeds() -> list[int]:
        pairs = [pair for table in tables for pair in combinations(sorted(table), 2)]
        return [low for high, low in pairs if frozenset((order[high], order[low])) in opposed]

    for moved in find_lower_seeds():
        left = len(find_lower_seeds())
        for other in sorted(range(len(order)), key=lambda place: abs(place - moved)):
            order[moved], order[other] = order[other], order[moved]
            if len(find_lower_seeds()) < left:
                break
            order[moved], order[other] = order[other], order[moved]
    return tuple(order)
