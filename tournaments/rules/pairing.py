"""What a draw is made of: lots that anyone can draw again, who meets at which table and why, and who sits where."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256

LOT_BITS = 52


def draw_lot(seed: bytes, purpose: str, entrant: int) -> int:
    """The entrant's lot: the top 52 bits (exact in a float and in JSON) of SHA-256 over `seed`, `purpose` and id."""
    digest = sha256(seed + b"\n" + purpose.encode() + b"\n" + str(entrant).encode()).digest()
    return int.from_bytes(digest[:8], "big") >> (64 - LOT_BITS)


def order_by_lots(seed: bytes, purpose: str, entrants: "Iterable[EntrantId]") -> "list[EntrantId]":
    """The highest lot comes first."""
    return sorted(entrants, key=lambda entrant: -draw_lot(seed, purpose, entrant))


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


NONE = -1
Seats = tuple[EntrantId, ...]


class SeatColouring:
    """An edge colouring that grows table by table: a colour is a seat, a left node is a run of an entrant's matches.

    Runs of `seats` matches and tables of `seats` form a bipartite graph that König's theorem colours with as many
    colours: each run then uses every seat once, so an entrant's seats differ by at most one after every matchday.
    """

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.tables_of_run: list[int] = []
        self.runs_of_table: list[int] = []
        self.entrant_of_run: list[EntrantId] = []
        self.matches: dict[EntrantId, int] = {}
        self.current_run: dict[EntrantId, int] = {}

    def add_table(self, entrants: Seats) -> None:
        """Seat a table, each where the order given puts it if that is free, moving others earlier if need be."""
        table = len(self.runs_of_table)
        self.runs_of_table += [NONE] * self.seats
        for wish, entrant in enumerate(entrants):
            if entrant == HOUSE:
                continue
            matches = self.matches.get(entrant, 0)
            self.matches[entrant] = matches + 1
            if matches % self.seats == 0:
                self.current_run[entrant] = len(self.tables_of_run)
                self.tables_of_run += [NONE] * self.seats
                self.entrant_of_run.append(entrant)
            self.join(self.current_run[entrant], table, wish)

    def join(self, run: int, table: int, wish: int) -> None:
        """Give a run a seat at a table, both named by the offset of their first seat."""
        by_run, by_table = self.tables_of_run, self.runs_of_table
        seat = wish
        if by_run[run + seat] != NONE or by_table[table + seat] != NONE:
            choice = [s for s in range(self.seats) if by_run[run + s] == NONE]
            shared = [s for s in choice if by_table[table + s] == NONE]
            seat = shared[0] if shared else choice[0]
            if not shared:
                self.trade_seats(table, seat, by_table.index(NONE, table) - table)
        by_run[run + seat] = table
        by_table[table + seat] = run

    def trade_seats(self, table: int, seat: int, other: int) -> None:
        """Free `seat` at a table by exchanging it with `other` along the alternating path that starts there."""
        here, there = self.runs_of_table, self.tables_of_run
        node, colour, swapped = table, seat, other
        after = here[node + colour]
        here[node + colour] = NONE
        while after != NONE:
            beyond = there[after + swapped]
            here[node + swapped] = after
            there[after + swapped] = node
            if beyond == NONE:
                there[after + colour] = NONE
            node, after = after, beyond
            here, there = there, here
            colour, swapped = swapped, colour

    def tables(self) -> list[Seats]:
        """Every table added so far as its entrants by seat."""
        size = self.seats
        names = [HOUSE if run == NONE else self.entrant_of_run[run // size] for run in self.runs_of_table]
        return [tuple(names[start : start + size]) for start in range(0, len(names), size)]


def seat_evenly(matchdays: Iterable[Sequence[Seats]], seats: int = 3) -> list[list[Seats]]:
    """The same tables with every entrant's seats differing by at most one after every matchday.

    The order given is kept where it can be; a filling house bot takes the seat left over.
    """
    days = [list(day) for day in matchdays]
    colouring = SeatColouring(seats)
    for day in days:
        for entrants in day:
            colouring.add_table(entrants)
    seated = iter(colouring.tables())
    return [[next(seated) for _ in day] for day in days]


def block_rotations(seats: Seats, deals: int) -> list[list[Seats]]:
    """For each deal of a block the seatings it is played with: every rotation, so that everybody holds every hand.

    Who sits to whose left decides as much as the cards, so the direction changes from deal to deal, and the last of an
    odd number of deals is played in both: one round of seats more, where playing every deal both ways would double the
    block. Two fixed sides change places; that changes the direction of their members too, so no deal is played more.
    """
    forth = [seats[turn:] + seats[:turn] for turn in range(3 if len(seats) == 3 else 2)]
    if len(set(seats)) < len(seats):
        return [forth] * deals
    back = [seating[::-1] for seating in forth]
    block = [back if deal % 2 else forth for deal in range(deals)]
    return [*block[:-1], forth + back] if deals % 2 else block


def count_block_matches(seats: Seats, deals: int) -> int:
    """How many matches a block of so many deals has."""
    return sum(map(len, block_rotations(seats, deals)))


def seat_matches(seats: Seats, matches: int) -> list[Seats]:
    """The seatings of several matches of one table on deals of their own: the direction changes from match to match,
    and every six (four seats: eight, two sides: two) everybody has had every seat equally often."""
    size = len(seats)
    if len(set(seats)) < size:
        return [seats[turn % 2 :] + seats[: turn % 2] for turn in range(matches)]
    seatings = []
    for number in range(matches):
        turn = number // 2 % size
        turned = seats[turn:] + seats[:turn]
        seatings.append((turned[1], turned[0], *turned[:1:-1]) if number % 2 else turned)
    return seatings


def seat_fixture(seats: Seats, block_deals: int, matches: int) -> list[Seats]:
    """The seatings of all matches of a table: a block on shared deals, or so many matches on deals of their own."""
    if not block_deals:
        return seat_matches(seats, matches)
    return [seating for seatings in block_rotations(seats, block_deals) for seating in seatings]


def level_direction(seats: Seats, earlier: Iterable[Seats]) -> Seats:
    """The table as it is, or mirrored if its entrants sat this way round more often than the other before."""
    before: Counter[tuple[EntrantId, EntrantId]] = Counter()
    among = set(seats) - {HOUSE}
    for table in earlier:
        before.update(pair for pair in zip(table, (*table[1:], table[0]), strict=True) if among.issuperset(pair))
    onward = sum(before[pair] - before[pair[::-1]] for pair in zip(seats, (*seats[1:], seats[0]), strict=True))
    return seats[::-1] if onward > 0 else seats
