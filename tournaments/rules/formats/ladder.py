"""Ladder: runs on for ever, and gives tables to those whose rating is least certain against those rated near them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from aurum_league.common.errors import N_
from tournaments.rules.formats.format import (
    Entry,
    Format,
    Option,
    Pair,
    PastState,
    Situation,
    find_apart_pairs,
    find_size_problems,
)
from tournaments.rules.pairing import Draw, Finished, Pairing, Problem, Reason, TableKind, Waiting, level_direction

NEAREST = 8
"""Opponents are drawn by lot from so many of the nearest in mu, so that the same few do not always meet."""
RECENT = 4
"""Matchdays for which a meeting counts against meeting again."""


@dataclass(frozen=True, slots=True)
class Ladder(Format):
    """Entries are whoever has qualified; those at a table that is still pending wait. Never finishes.

    The first seat of each table is chosen with probability proportional to sigma squared, over those who have played
    least; opponents near it in mu, not in mu - 3 sigma, which would waste a newcomer's matches.
    """

    kind: TableKind = TableKind.SOLO3
    tables: int | None = None
    """Most tables of one draw; None as many as the free entrants fill."""
    most_ahead: int = 10
    """Nobody is drawn who has played this many matches more than the one who has played least."""

    code: ClassVar[str] = "ladder"
    title: ClassVar[str] = N_("Ladder")
    help: ClassVar[str] = N_("Runs on until you finish it; whoever's rating is least certain plays next.")
    options: ClassVar[tuple[Option, ...]] = (
        Option("tables", N_("Tables at a time"), N_("Empty: as many as those who are free can fill.")),
        Option("most_ahead", N_("Most matches ahead"), N_("Nobody is drawn who has played so many more than another.")),
    )
    needs_results: ClassVar[bool] = False
    runs_on: ClassVar[bool] = True
    reasons: ClassVar[Mapping[str, str]] = {
        "least_certain": N_("one of them had the least certain rating (sigma %(second)s)"),
        "near": N_("their ratings lie at most %(all)s apart"),
    }

    def find_problems(self, situation: Situation) -> tuple[Problem, ...]:
        return find_size_problems(self.kind, len(situation.active))

    def plan_length(self, entrants: int) -> None:
        return None

    def draw(self, situation: Situation, rng: Random) -> Draw | Waiting | Finished:
        free = self._find_free(situation)
        if len(free) < self.kind.entrants:
            return Waiting(situation.pending_tables())
        apart, _named = find_apart_pairs(situation)
        met = count_recent_meetings(situation)
        pairings: list[Pairing] = []
        while len(free) >= self.kind.entrants and (self.tables is None or len(pairings) < self.tables):
            first = rng.choices(free, [entry.sigma**2 for entry in free])[0]
            free.remove(first)
            chosen = choose_near(first, free, self.kind.entrants - 1, apart, met, rng)
            if len(chosen) < self.kind.entrants:
                continue
            for entry in chosen[1:]:
                free.remove(entry)
            pairings.append(self._pair(len(pairings) + 1, chosen, situation, rng))
        resting = tuple(entry.id for entry in free)
        return Draw(situation.matchday, tuple(pairings), resting)

    def _find_free(self, situation: Situation) -> list[Entry]:
        """Those at no pending table who are not too far ahead in matches."""
        busy = {
            entrant
            for _day, table in situation.past_tables()
            if table.state is PastState.PENDING
            for entrant in table.pairing.seats
        }
        free = [entry for entry in situation.active if entry.id not in busy]
        played = sorted(entry.matches for entry in free)
        if len(played) < self.kind.entrants:
            return free
        # Whoever rested must find company, however close all are to be kept.
        most = max(played[0] + self.most_ahead - 1, played[self.kind.entrants - 1])
        return [entry for entry in free if entry.matches <= most]

    def _pair(self, number: int, chosen: list[Entry], situation: Situation, rng: Random) -> Pairing:
        gap = max(entry.mu for entry in chosen) - min(entry.mu for entry in chosen)
        why = (Reason("least_certain", (chosen[0].id, round(chosen[0].sigma, 3))), Reason("near", (round(gap, 3),)))
        seated = [entry.id for entry in chosen]
        rng.shuffle(seated)
        seats = level_direction(tuple(seated), (table.pairing.entrants for _day, table in situation.past_tables()))
        return Pairing(number, self.kind.seat(seats), why)


def count_recent_meetings(situation: Situation) -> Counter[Pair]:
    met: Counter[Pair] = Counter()
    for past in situation.history[-RECENT:]:
        for table in past.tables:
            entrants = table.pairing.entrants
            met.update(frozenset((a, b)) for number, a in enumerate(entrants) for b in entrants[:number])
    return met


def choose_near(
    first: Entry, free: Sequence[Entry], wanted: int, apart: set[Pair], met: Counter[Pair], rng: Random
) -> list[Entry]:
    """The first entry and so many opponents near it in mu, fewer where those who may meet it do not suffice."""
    chosen = [first]
    while len(chosen) <= wanted:
        allowed = [
            entry
            for entry in free
            if entry not in chosen and not any(frozenset((entry.id, other.id)) in apart for other in chosen)
        ]
        if not allowed:
            break
        allowed.sort(key=lambda entry: (met[frozenset((entry.id, first.id))], abs(entry.mu - first.mu), entry.id))
        chosen.append(rng.choice(allowed[:NEAREST]))
    return chosen
