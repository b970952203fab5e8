"""The values a draw is made of: lots that anyone can draw again, who sits at which table, and why."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256

LOT_BITS = 52


def draw_lot(seed: bytes, purpose: str, entrant: int) -> int:
    """The entrant's lot: the top 52 bits (exact in a float and in JSON) of SHA-256 over `seed`, `purpose` and id."""
    digest = sha256(seed + b"\n" + purpose.encode() + b"\n" + str(entrant).encode()).digest()
    return int.from_bytes(digest[:8], "big") >> (64 - LOT_BITS)


EntrantId = int

HOUSE: EntrantId = 0
"""A house bot that only fills a seat: unrated, never advances, its result is ignored. Real entrant ids are above 0."""


class TableKind(StrEnum):
    """Who sits at a table: three individuals, two fixed sides of two, or four individuals whose partners rotate."""

    SOLO3 = "solo3"
    TEAMS4 = "teams4"
    SOLO4 = "solo4"

    @property
    def seats(self) -> int:
        return 3 if self is TableKind.SOLO3 else 4

    @property
    def entrants(self) -> int:
        """How many different entrants a table takes; a fixed side sits on two of the four seats."""
        return {TableKind.SOLO3: 3, TableKind.TEAMS4: 2, TableKind.SOLO4: 4}[self]

    def seat(self, entrants: Iterable[EntrantId]) -> tuple[EntrantId, ...]:
        """The seats of a table from its entrants in turn order: sides 0-2 and 1-3 where an entrant is a side."""
        ordered = tuple(entrants)
        return ordered * 2 if self is TableKind.TEAMS4 else ordered


@dataclass(frozen=True, slots=True)
class Reason:
    """One coded ground for a table, with its numbers; the words are in the pages (codes: docs/FORMATS.md)."""

    code: str
    numbers: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Pairing:
    """One table of a matchday. Seats are in turn order: seats[0] is the first player of the first round."""

    table: int
    seats: tuple[EntrantId, ...]
    why: tuple[Reason, ...] = ()
    slot: str = ""
    """The place in a bracket (`W2.1`: winners' side, wave 2, table 1), a division's name, or nothing."""

    @property
    def entrants(self) -> tuple[EntrantId, ...]:
        """The different entrants in order of their first seat, a filling house bot included."""
        return tuple(dict.fromkeys(self.seats))


@dataclass(frozen=True, slots=True)
class Draw:
    """One wave of pairings; nobody active is missing from pairings and byes together, unless the format says so."""

    matchday: int
    pairings: tuple[Pairing, ...]
    byes: tuple[EntrantId, ...] = ()


@dataclass(frozen=True, slots=True)
class Waiting:
    """Nothing can be drawn before these tables of the past, as (matchday, table), have a result."""

    tables: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Finished:
    """The stage is over. A bracket also knows the places, equals sharing one; elsewhere the standings do."""

    places: tuple[tuple[EntrantId, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a stage cannot be drawn as wished: a code, a sentence for the organiser, and the entrants it is about."""

    code: str
    sentence: str
    entrants: tuple[EntrantId, ...] = ()


class ImpossibleDraw(Exception):
    """Raised where no draw can keep what was asked; carries the problem that says which wish."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.sentence)
        self.problem = problem
