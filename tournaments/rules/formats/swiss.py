"""Swiss: equals meet equals, nobody meets anybody twice until it is forced, seats stay level, byes go round."""

from dataclasses import dataclass
from math import ceil, log
from random import Random
from typing import ClassVar

import numpy as np

from aurum_league.common.errors import N_
from tournaments.rules.formats.format import (
    HOUSE_FILLS,
    MATCHDAYS,
    Format,
    Option,
    Situation,
    find_length_problems,
    find_size_problems,
)
from tournaments.rules.formats.search_draw import search_draw
from tournaments.rules.pairing import Draw, Finished, Problem, TableKind, Waiting
from tournaments.rules.playout import NOBODY, Ints, Playout
from tournaments.rules.standings.results import ByeCredit


@dataclass(frozen=True, slots=True)
class Swiss(Format):
    """Entries' points decide who is near. A late entry joins with what points it has; who leaves is no longer drawn."""

    kind: TableKind = TableKind.SOLO3
    matchdays: int | None = None
    """None: enough to part the field, log of its size in table size, and three more (two sides: one more)."""
    house_fills: bool = False
    """A house bot takes the one seat that is missing, where one is, so that nobody rests."""

    code: ClassVar[str] = "swiss"
    title: ClassVar[str] = N_("Swiss")
    help: ClassVar[str] = N_("Equals meet equals: fair for large fields in few matchdays.")
    options: ClassVar[tuple[Option, ...]] = (MATCHDAYS, HOUSE_FILLS)
    bye: ClassVar[ByeCredit] = ByeCredit.WIN

    def find_problems(self, situation: Situation) -> tuple[Problem, ...]:
        entrants = len(situation.active)
        if self.matchdays is not None and self.matchdays < 1:
            return (Problem("bad_length", N_("A stage needs at least one matchday.")),)
        if problems := find_size_problems(self.kind, entrants):
            return problems
        is_filled = self.house_fills and (entrants + 1) % self.kind.entrants == 0
        return () if is_filled else find_length_problems(self.kind, entrants, self.plan_length(entrants))

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

    def play_out(self, playout: Playout) -> list[Ints]:
        """Tables are cut from the order by points, as a draw would if nobody had met before."""
        size, n = self.kind.entrants, playout.entrants
        points, wins, byes = (np.zeros(playout.strengths.shape) for _number in range(3))
        is_filled = self.house_fills and n % size == size - 1
        for _day in range(self.plan_length(n)):
            resting = playout.rank(-byes, -points)[:, : n % size]
            is_out = np.zeros(points.shape)
            np.put_along_axis(is_out, resting, 1.0, axis=1)
            playing = playout.rank(-is_out, points)[:, : n - n % size]
            tables = playing.reshape(playout.worlds, -1, size)
            playout.score(points, wins, tables, playout.meet(tables))
            if is_filled:
                filled = np.concatenate([resting, np.full((playout.worlds, 1), NOBODY)], axis=1)[:, None]
                playout.score(points, wins, filled, playout.meet(filled))
            elif n % size:
                byes += is_out
                points += is_out * playout.points[0] * playout.matches
                wins += is_out * playout.matches
        return [playout.rank(points, wins)]
