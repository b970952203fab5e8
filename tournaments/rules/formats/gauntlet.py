"""Gauntlet: one entrant, the first entry, against a given field, everybody in it equally often."""

from dataclasses import dataclass
from random import Random
from typing import ClassVar

from aurum_league.common.errors import N_, Sentence
from tournaments.rules.designs.direct import circle
from tournaments.rules.formats.apart import describe_clashes, find_apart_pairs
from tournaments.rules.formats.situation import Situation
from tournaments.rules.formats.sizes import find_size_problems
from tournaments.rules.pairing import Draw, EntrantId, Finished, Pairing, Problem, Reason, TableKind, Waiting


@dataclass(frozen=True, slots=True)
class Gauntlet:
    """One table a matchday. A lap lets the challenger meet each of the field once; at tables of three or four the
    field sits in groups that change from lap to lap. The field is as it stands each matchday: who left is passed over,
    who came later is in the laps from then on. If the challenger leaves, it is over."""

    kind: TableKind = TableKind.SOLO3
    laps: int = 1

    name: ClassVar[str] = "gauntlet"
    needs_results: ClassVar[bool] = False

    def find_problems(self, situation: Situation) -> tuple[Problem, ...]:
        if problems := find_size_problems(self.kind, len(situation.start.entries)):
            return problems
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
        seated = [challenger, *self._group(active, lap, table)]
        turn = (situation.matchday - 1) % len(seated)
        pairing = Pairing(1, self.kind.seat(seated[turn:] + seated[:turn]), (Reason("gauntlet", (lap + 1,)),))
        resting = tuple(entrant for entrant in active if entrant not in seated)
        return Draw(situation.matchday, (pairing,), resting)

    def _tables_a_lap(self, field: int) -> int:
        return max(1, field // (self.kind.entrants - 1))

    def _group(self, field: list[EntrantId], lap: int, table: int) -> tuple[EntrantId, ...]:
        """Whom the challenger meets at a table of a lap; with pairs, everybody sits beside everybody in turn."""
        size = self.kind.entrants - 1
        if size == 2:
            days = circle(len(field))
            return tuple(field[point] for point in days[lap % len(days)][table])
        turned = field[lap % len(field) :] + field[: lap % len(field)]
        return tuple(turned[table * size : (table + 1) * size])
