"""What an organiser arranges by hand, as pure values: tables that every draw keeps, and entrants changing places."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tournaments.rules.pairing import HOUSE, Draw, EntrantId

Place = tuple[int, int]
"""A table's index and a position there; a table of -1 is the row of those who rest."""
RESTING = -1


@dataclass(frozen=True, slots=True)
class Pin:
    """Who sits at a table, in turn order, whatever else is drawn."""

    matchday: int
    table: int
    entrants: tuple[EntrantId, ...]

    def is_of(self, matchday: int, table: int) -> bool:
        return (self.matchday, self.table) == (matchday, table)

    def tell(self) -> dict[str, Any]:
        return {"matchday": self.matchday, "table": self.table, "entrants": list(self.entrants)}


def read_pins(stored: Iterable[Mapping[str, Any]]) -> list[Pin]:
    return [Pin(one["matchday"], one["table"], tuple(one["entrants"])) for one in stored]


class Arrangement:
    """One matchday in which entrants change places; `touched` are the tables that are no longer as they were drawn."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.rows = [list(pairing.entrants) for pairing in draw.pairings]
        self.resting = list(draw.byes)
        self.touched: set[int] = set()

    def find(self, entrant: EntrantId) -> Place | None:
        for index, row in enumerate(self.rows):
            if entrant in row:
                return index, row.index(entrant)
        return (RESTING, self.resting.index(entrant)) if entrant in self.resting else None

    def swap(self, first: Place, second: Place) -> None:
        if first == second:
            return
        row, other = (self.resting if table == RESTING else self.rows[table] for table, _position in (first, second))
        row[first[1]], other[second[1]] = other[second[1]], row[first[1]]
        self.touched |= {table for table, _position in (first, second) if table != RESTING}

    def keep(self, pin: Pin) -> bool:
        """Seat a table as it is pinned; False, and nothing done, where somebody of it is not drawn on this matchday, or
        a house bot fills a seat there: whether a table is rated hangs on where it sits."""
        found = [index for index, pairing in enumerate(self.draw.pairings) if pairing.table == pin.table]
        places = [self.find(entrant) for entrant in pin.entrants]
        if not found or None in places or len(self.rows[found[0]]) != len(pin.entrants) or HOUSE in self.rows[found[0]]:
            return False
        for position, entrant in enumerate(pin.entrants):
            held = self.find(entrant)
            assert held is not None
            self.swap((found[0], position), held)
        return True

    def read(self) -> Draw:
        pairings = [
            replace(pairing, seats=tuple(row) * (len(pairing.seats) // len(row)))
            for pairing, row in zip(self.draw.pairings, self.rows, strict=True)
        ]
        return replace(self.draw, pairings=tuple(pairings), byes=tuple(self.resting))


def keep_pins(draw: Draw, pins: Iterable[Pin]) -> tuple[Draw, set[int]]:
    """A draw with its pinned tables as they were, and the numbers of the tables that this changed."""
    arranged = Arrangement(draw)
    for pin in pins:
        if pin.matchday == draw.matchday:
            arranged.keep(pin)
    kept = arranged.read()
    return kept, {draw.pairings[index].table for index in arranged.touched}
