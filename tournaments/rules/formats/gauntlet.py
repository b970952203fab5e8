"""Gauntlet: one entrant, the first entry, against a given field, everybody in it equally often."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from random import Random
from typing import ClassVar

from aurum_league.common.errors import N_, Sentence
from tournaments.rules.designs.formulas import Matchday, circle
from tournaments.rules.formats.format import (
    LAPS,
    Format,
    Option,
    Situation,
    describe_clashes,
    find_apart_pairs,
    find_size_problems,
)
from tournaments.rules.pairing import (
    Draw,
    EntrantId,
    Finished,
    Pairing,
    Problem,
    Reason,
    TableKind,
    Waiting,
    level_direction,
)


@dataclass(frozen=True, slots=True)
class Gauntlet(Format):
    """One table a matchday. A lap lets the challenger meet each of the field once; at tables of three or four the
    field sits in groups that change from lap to lap. The field is as it stands each matchday: who left is passed over,
    who came later is in the laps from then on. If the challenger leaves, it is over."""

    kind: TableKind = TableKind.SOLO3
    laps: int = 1

    code: ClassVar[str] = "gauntlet"
    title: ClassVar[str] = N_("Gauntlet")
    help: ClassVar[str] = N_("The first seed meets everybody else: to place a newcomer.")
    options: ClassVar[tuple[Option, ...]] = (LAPS,)
    needs_results: ClassVar[bool] = False
    has_challenger: ClassVar[bool] = True
    reasons: ClassVar[Mapping[str, str]] = {"gauntlet": N_("lap %(all)s of the gauntlet")}

    def find_problems(self, situation: Situation) -> tuple[Problem, ...]:
        if problems := find_size_problems(self.kind, len(situation.start.entries)):
            return problems
        if self.laps < 1:
            return (Problem("bad_length", N_("A stage needs at least one matchday.")),)
        challenger = situation.entries[0].id
        clashes = [pair for pair in find_apart_pairs(situation.start)[0] if challenger in pair]
        why = Sentence(N_("the challenger meets the whole field"))
        return (describe_clashes(clashes, why),) if clashes else ()

    def plan_length(self, entrants: int) -> int:
        return self.laps * self._tables_a_lap(entrants - 1)

    def draw(self, situation: Situation, rng: Random) -> Draw | Waiting | Finished:
        active = [entry.id for entry in situation.active]
        challenger = situation.entries[0].id
        planned = self.plan_length(len(situation.start.entries))
        if situation.matchday > planned or challenger not in active or find_size_problems(self.kind, len(active)):
            return Finished()
        active.remove(challenger)
        tables = self._tables_a_lap(len(active))
        lap, table = divmod(situation.matchday - 1, tables)
        seated = (challenger, *self._group(active, lap, table))
        turn = (situation.matchday - 1) % len(seated)
        earlier = (past.pairing.entrants for _day, past in situation.past_tables())
        seats = level_direction(seated[turn:] + seated[:turn], earlier)
        pairing = Pairing(1, self.kind.seat(seats), (Reason("gauntlet", (lap + 1,)),))
        resting = tuple(entrant for entrant in active if entrant not in seated)
        return Draw(situation.matchday, (pairing,), resting)

    def _tables_a_lap(self, field: int) -> int:
        return max(1, ceil(field / (self.kind.entrants - 1)))

    def _group(self, field: list[EntrantId], lap: int, table: int) -> tuple[EntrantId, ...]:
        """Whom the challenger meets at a table of a lap; with pairs, everybody sits beside everybody in turn.

        Where the field does not fill the last table of a lap, the next in turn sit there a second time.
        """
        size = self.kind.entrants - 1
        if size == 2:
            days = circle(len(field))
            pairs = days[lap % len(days)]
            points = pairs[table] if table < len(pairs) else (_resting(days, lap), _resting(days, lap + 1))
            return tuple(field[point] for point in points)
        again = -len(field) % size
        start = lap * (again or 1) + table * size
        return tuple(field[(start + number) % len(field)] for number in range(size))


def _resting(days: list[Matchday], lap: int) -> int:
    """Who is at no table of a circle of odd length."""
    day = days[lap % len(days)]
    return (set(range(len(days))) - {point for pair in day for point in pair}).pop()
