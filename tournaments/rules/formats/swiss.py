"""Swiss: equals meet equals, nobody meets anybody twice until it is forced, seats stay level, byes go round."""

from dataclasses import dataclass
from math import ceil, log
from random import Random
from typing import ClassVar

from tournaments.rules.formats.search_draw import search_draw
from tournaments.rules.formats.situation import Situation
from tournaments.rules.formats.sizes import find_size_problems
from tournaments.rules.pairing import Draw, Finished, Problem, TableKind, Waiting


@dataclass(frozen=True, slots=True)
class Swiss:
    """Entries' points decide who is near. A late entry joins with what points it has; who leaves is no longer drawn."""

    kind: TableKind = TableKind.SOLO3
    matchdays: int | None = None
    """None: enough to part the field, log of its size in table size, and three more (two sides: one more)."""
    house_fills: bool = False
    """A house bot takes the one seat that is missing, where one is, so that nobody rests."""

    name: ClassVar[str] = "swiss"
    needs_results: ClassVar[bool] = True

    def find_problems(self, situation: Situation) -> tuple[Problem, ...]:
        return find_size_problems(self.kind, len(situation.active))

    def plan_length(self, entrants: int) -> int:
        if self.matchdays is not None:
            return self.matchdays
        extra = 1 if self.kind is TableKind.TEAMS4 else 3
        return ceil(log(max(entrants, 2), self.kind.entrants) - 1e-9) + extra

    def draw(self, situation: Situation, rng: Random) -> Draw | Waiting | Finished:
        started = sum(entry.entered_on <= 1 for entry in situation.entries)
        if situation.matchday > self.plan_length(started):
            return Finished()
        if pending := situation.pending_tables():
            return Waiting(pending)
        if find_size_problems(self.kind, len(situation.active)):
            return Finished()
        scores = {entry.id: entry.points for entry in situation.active}
        return search_draw(self.kind, situation, scores, rng, house_fills=self.house_fills)
