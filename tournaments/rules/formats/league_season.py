"""League season: every division plays its own home and return laps; then some go up and some go down."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import ClassVar

import numpy as np

from aurum_league.common.errors import N_, Sentence
from tournaments.rules.formats.format import (
    HOUSE_FILLS,
    LAPS,
    MEETINGS,
    Entry,
    Format,
    Option,
    PastMatchday,
    Situation,
    find_size_problems,
)
from tournaments.rules.formats.round_robin import RoundRobin
from tournaments.rules.pairing import Draw, EntrantId, Finished, Pairing, Problem, Reason, TableKind, Waiting
from tournaments.rules.playout import Ints, Playout


@dataclass(frozen=True, slots=True)
class LeagueSeason(Format):
    """Divisions are cut from the seed order, the first division first; a late entry joins the last one.

    A small division is through before a large one; its entrants are then neither drawn nor resting.
    """

    divisions: tuple[int, ...]
    """The number of entrants of each division; what is left over joins the last."""
    kind: TableKind = TableKind.SOLO3
    meetings: int = 1
    laps: int = 2
    """Two: a home lap, and a return lap with the seats mirrored."""
    house_fills: bool = False

    code: ClassVar[str] = "league_season"
    title: ClassVar[str] = N_("League season")
    help: ClassVar[str] = N_("Divisions or groups, each a round robin of its own.")
    options: ClassVar[tuple[Option, ...]] = (
        Option(
            "divisions",
            N_("Sizes of the divisions"),
            N_("By seed, the strongest first, such as 9, 9, 6. Leave it empty where groups are given."),
            "sizes",
        ),
        MEETINGS,
        LAPS,
        HOUSE_FILLS,
    )
    needs_results: ClassVar[bool] = False
    has_divisions: ClassVar[bool] = True
    reasons: ClassVar[Mapping[str, str]] = {"division": N_("division %(all)s")}

    @property
    def division_format(self) -> RoundRobin:
        return RoundRobin(self.kind, self.meetings, self.laps, house_fills=self.house_fills)

    def find_problems(self, situation: Situation) -> tuple[Problem, ...]:
        problems = self._find_division_problems(sum(entry.entered_on <= 1 for entry in situation.entries))
        if problems:
            return tuple(problems)
        for number, entries in enumerate(self.split(situation.entries), start=1):
            for problem in self.division_format.find_problems(self._division(situation, entries)):
                problems.append(_of_division(number, problem))
        return tuple(problems)

    def _find_division_problems(self, entrants: int) -> list[Problem]:
        """Sizes that were hardly meant: too small for a table, or so small that a whole division is left over."""
        for number, size in enumerate(self.divisions, start=1):
            if problems := find_size_problems(self.kind, size):
                return [_of_division(number, problems[0])]
        left = entrants - sum(self.divisions[:-1])
        if left >= 2 * self.divisions[-1]:
            sentence = N_(
                "The last division is to have %(size)s entrants, but %(left)s would be left for it: "
                "give the size of every division."
            )
            return [Problem("bad_divisions", Sentence(sentence, size=self.divisions[-1], left=left))]
        return []

    def plan_length(self, entrants: int) -> int:
        sizes = [*self.divisions[:-1], entrants - sum(self.divisions[:-1])]
        return max(self.division_format.plan_length(size) for size in sizes)

    def draw(self, situation: Situation, rng: Random) -> Draw | Waiting | Finished:
        pairings: list[Pairing] = []
        byes: list[EntrantId] = []
        is_over = True
        for number, entries in enumerate(self.split(situation.entries), start=1):
            drawn = self.division_format.draw(self._division(situation, entries), rng)
            if isinstance(drawn, Draw):
                is_over = False
                byes += drawn.byes
                for pairing in drawn.pairings:
                    why = (Reason("division", (number,)), *pairing.why)
                    pairings.append(replace(pairing, table=len(pairings) + 1, slot=f"D{number}", why=why))
        return Finished() if is_over else Draw(situation.matchday, tuple(pairings), tuple(byes))

    def play_out(self, playout: Playout) -> list[Ints]:
        orders: list[Ints] = []
        start = 0
        sizes = [*self.divisions[:-1], playout.entrants - sum(self.divisions[:-1])]
        for size in sizes:
            members = np.tile(np.arange(start, start + size), (playout.worlds, 1))
            division = playout.among(members)
            orders += [start + order for order in self.division_format.play_out(division)]
            playout.played += division.played
            start += size
        return orders

    def split(self, entries: Sequence[Entry]) -> list[tuple[Entry, ...]]:
        """The entries of each division; late ones count to the last."""
        starters = [entry for entry in entries if entry.entered_on <= 1]
        late = [entry for entry in entries if entry.entered_on > 1]
        cuts = [sum(self.divisions[:number]) for number in range(len(self.divisions))]
        ends = [*cuts[1:], len(starters)]
        split = [tuple(starters[start:end]) for start, end in zip(cuts, ends, strict=True)]
        split[-1] += tuple(late)
        return split

    def _division(self, situation: Situation, entries: tuple[Entry, ...]) -> Situation:
        """The situation of one division, with the others' tables left out of the history."""
        members = {entry.id for entry in entries}
        history = tuple(
            PastMatchday(
                past.matchday,
                tuple(table for table in past.tables if members & set(table.pairing.seats)),
                tuple(entrant for entrant in past.byes if entrant in members),
            )
            for past in situation.history
        )
        return replace(situation, entries=entries, history=history)


def promote(standings: Sequence[Sequence[EntrantId]], moves: int) -> list[list[EntrantId]]:
    """Next season's divisions from this one's final orders: the first `moves` of each go up, the last `moves` down.

    Divisions keep their size. Where a division has fewer than 2 * moves, both ends give way: half of it moves each way.
    """
    divisions = [list(division) for division in standings]
    for upper in range(len(divisions) - 1):
        above, below = standings[upper], standings[upper + 1]
        count = min(
            moves, len(above) // (1 if upper == 0 else 2), len(below) // (1 if upper + 2 == len(standings) else 2)
        )
        down, up = list(above[len(above) - count :]), list(below[:count])
        divisions[upper] = [entrant for entrant in divisions[upper] if entrant not in down] + up
        divisions[upper + 1] = down + [entrant for entrant in divisions[upper + 1] if entrant not in up]
    return divisions


def _of_division(number: int, problem: Problem) -> Problem:
    told = Sentence(N_("Division %(number)s: %(problem)s"), number=number, problem=Sentence(problem.sentence))
    return replace(problem, sentence=told)
