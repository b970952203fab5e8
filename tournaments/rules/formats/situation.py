"""What a format is told before it draws: entrants, what was drawn and played so far, and who must not meet."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations

from aurum_league.common.errors import N_, Sentence
from tournaments.rules.pairing import HOUSE, Draw, EntrantId, Pairing, Problem, TableKind


@dataclass(frozen=True, slots=True)
class Entry:
    """An entrant as a format sees it. `points` are match points as the standings count them, byes included."""

    id: EntrantId
    owners: frozenset[int] = frozenset()
    mu: float = 25.0
    sigma: float = 25.0 / 3
    points: float = 0.0
    matches: int = 0
    entered_on: int = 1
    """The first matchday it may be drawn for: 1 from the start, later for a late entry."""
    left_on: int | None = None
    """The first matchday it is no longer drawn for, after a withdrawal or a disqualification."""

    def is_active(self, matchday: int) -> bool:
        return self.entered_on <= matchday and (self.left_on is None or matchday < self.left_on)


class PastState(StrEnum):
    PENDING = "pending"
    SETTLED = "settled"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class PastTable:
    """A drawn table and how it ended: places in the order of `pairing.entrants`, 1 is best, a forfeit comes last."""

    pairing: Pairing
    state: PastState = PastState.PENDING
    places: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class PastMatchday:
    matchday: int
    tables: tuple[PastTable, ...]
    byes: tuple[EntrantId, ...] = ()

    @classmethod
    def from_draw(cls, draw: Draw) -> "PastMatchday":
        """A draw that was just released: every table still pending."""
        return cls(draw.matchday, tuple(PastTable(pairing) for pairing in draw.pairings), draw.byes)


@dataclass(frozen=True, slots=True)
class Situation:
    """Everything a draw may depend on. Entries are in seed order and include those who left; history is in order."""

    entries: tuple[Entry, ...]
    history: tuple[PastMatchday, ...] = ()
    conflicts: frozenset[frozenset[EntrantId]] = frozenset()
    """Pairs the organiser keeps apart: never at one table."""
    is_rated: bool = True
    """At rated tables one owner never holds two sides."""

    @property
    def matchday(self) -> int:
        """The matchday to be drawn now."""
        return self.history[-1].matchday + 1 if self.history else 1

    @property
    def active(self) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.entries if entry.is_active(self.matchday))

    @property
    def start(self) -> "Situation":
        """The same stage before its first matchday, which a plan made ahead goes by, whoever left or joined since."""
        entries = tuple(replace(entry, left_on=None) for entry in self.entries if entry.entered_on <= 1)
        return replace(self, entries=entries, history=())

    def past_tables(self) -> Iterator[tuple[int, PastTable]]:
        """Every table drawn so far with its matchday, in order."""
        for past in self.history:
            for table in past.tables:
                yield past.matchday, table

    def pending_tables(self) -> tuple[tuple[int, int], ...]:
        return tuple(
            (matchday, table.pairing.table)
            for matchday, table in self.past_tables()
            if table.state is PastState.PENDING
        )


MOST_NAMED = 4
Pair = frozenset[EntrantId]


def find_apart_pairs(situation: Situation) -> tuple[set[Pair], set[Pair]]:
    """The active pairs that may not oppose each other, and those that may not even be partners."""
    among = {entry.id for entry in situation.active}
    named = {pair for pair in situation.conflicts if pair <= among}
    by_owner: dict[int, list[EntrantId]] = {}
    for entry in situation.active if situation.is_rated else ():
        for owner in entry.owners:
            by_owner.setdefault(owner, []).append(entry.id)
    owned = {frozenset(pair) for entrants in by_owner.values() for pair in combinations(entrants, 2)}
    return named | owned, named


def find_clashes(situation: Situation, kind: TableKind, pairings: Iterable[Pairing]) -> list[Pair]:
    """The pairs seated together that must not be."""
    opposed, partnered = find_apart_pairs(situation)
    clashes = []
    for pairing in pairings if opposed else ():
        entrants = [entrant for entrant in pairing.entrants if entrant != HOUSE]
        for a, b in combinations(entrants, 2):
            is_one_side = kind is TableKind.SOLO4 and (pairing.seats.index(a) - pairing.seats.index(b)) % 2 == 0
            if frozenset((a, b)) in (partnered if is_one_side else opposed):
                clashes.append(frozenset((a, b)))
    return clashes


def describe_clashes(clashes: Iterable[Pair], why: Sentence) -> Problem:
    """The problem of pairs that cannot be kept apart, naming the first few."""
    pairs = sorted(tuple(sorted(pair)) for pair in set(clashes))
    named = ", ".join(" and ".join(map(str, pair)) for pair in pairs[:MOST_NAMED])
    more = f" and {len(pairs) - MOST_NAMED} more pairs" if len(pairs) > MOST_NAMED else ""
    concerned = tuple(dict.fromkeys(entrant for pair in pairs for entrant in pair))
    sentence = Sentence(N_("Entrants %(names)s must be kept apart, but %(why)s."), names=named + more, why=why)
    return Problem("cannot_keep_apart", sentence, concerned)
