"""What a format is told before it draws: the entrants, what was drawn and played so far, and what is kept apart."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from tournaments.rules.pairing import Draw, EntrantId, Pairing


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


class TableState(StrEnum):
    PENDING = "pending"
    SETTLED = "settled"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class PastTable:
    """A drawn table and how it ended: places in the order of `pairing.entrants`, 1 is best, a forfeit comes last."""

    pairing: Pairing
    state: TableState = TableState.PENDING
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
            if table.state is TableState.PENDING
        )
