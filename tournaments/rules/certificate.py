"""The balance certificate: how evenly a schedule treats everybody, recounted from its tables, beside the bounds."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

from aurum_league.common.errors import N_, LabelledEnum
from tournaments.rules.formats.format import Format
from tournaments.rules.pairing import HOUSE, Draw, EntrantId, TableKind

Table = Sequence[EntrantId]
Seatings = Callable[[tuple[EntrantId, ...]], Iterable[Table]]


@dataclass(frozen=True, slots=True)
class CertificateRow:
    """One quantity over all entrants or pairs: least, most, their spread, and the least spread arithmetic allows."""

    name: str
    least: int
    most: int
    lower_bound: int

    @property
    def spread(self) -> int:
        return self.most - self.least

    @property
    def is_at_bound(self) -> bool:
        return self.spread <= self.lower_bound


@dataclass(frozen=True, slots=True)
class Certificate:
    rows: tuple[CertificateRow, ...]

    def __getitem__(self, name: str) -> CertificateRow:
        return next(row for row in self.rows if row.name == name)


class Uneven(LabelledEnum):
    """Why a row lies above its bound; `asks` says whether somebody can do something about it."""

    CHALLENGER = "challenger", N_("As it is meant: one meets all the others")
    RESULTS = "results", N_("As it is meant: tables follow the results")
    MOVED = "moved", N_("Somebody left or came late; what was played stays")
    DRAWN = "drawn", N_("Above the bound; it was drawn so")
    EDITED = "edited", N_("Changed by hand: drawing again evens it out")
    UNEVEN = "uneven", N_("Above the bound: another number of matchdays may be more even")

    @property
    def asks(self) -> bool:
        return self in (Uneven.EDITED, Uneven.UNEVEN)


def explain_row(
    row: CertificateRow, made: type[Format], *, has_moved: bool, is_edited: bool, can_act: bool
) -> Uneven | None:
    """Why a row lies above its bound; None where it does not. `can_act`: it is a preview, and can be drawn anew."""
    if row.is_at_bound:
        return None
    if made.has_challenger:
        return Uneven.CHALLENGER
    if has_moved:
        return Uneven.MOVED
    if is_edited and can_act:
        return Uneven.EDITED
    if made.needs_results:
        return Uneven.RESULTS
    return Uneven.UNEVEN if can_act else Uneven.DRAWN


def certify_draws(
    draws: Iterable[Draw],
    kind: TableKind,
    entrants: Collection[EntrantId],
    seatings: Seatings | None = None,
    slot: str | None = None,
) -> Certificate:
    """The certificate of a preview, of one slot only if it is named; stored fixtures give the same by `certify`."""
    days = [[one.seats for one in draw.pairings if slot is None or one.slot == slot] for draw in draws]
    return certify(days, kind, entrants, seatings)


def certify(
    matchdays: Sequence[Sequence[Table]],
    kind: TableKind,
    entrants: Collection[EntrantId],
    seatings: Seatings | None = None,
) -> Certificate:
    """Recount a schedule from nothing but its seats; filling house bots are passed over.

    `seatings` gives the seats of every match of a table where it has several; then seats, turns and neighbours are
    counted match by match.
    """
    tables = [table for day in matchdays for table in day]
    rows = [_count_matches(tables, entrants), _count_byes(matchdays, entrants)]
    if kind is TableKind.SOLO4:
        rows.append(_count_pairs("partnerships", tables, _partners, entrants))
        rows.append(_count_pairs("oppositions", tables, _opponents, entrants))
    else:
        rows.append(_count_pairs("meetings", tables, _meeting, entrants))
    played = matchdays
    if seatings is not None:
        played = [[seats for table in day for seats in seatings(tuple(table))] for day in matchdays]
    rows.append(_count_seats(played, kind, entrants))
    rows.append(_count_prefix_seats(played, kind, entrants))
    flat = [table for day in played for table in day]
    rows.append(_count_first_turns(flat, entrants))
    if kind is not TableKind.TEAMS4:
        rows += _count_neighbours(flat, entrants)
    return Certificate(tuple(rows))


def _meeting(table: Table) -> Iterable[tuple[EntrantId, EntrantId]]:
    return combinations(dict.fromkeys(table), 2)


def _partners(table: Table) -> Iterable[tuple[EntrantId, EntrantId]]:
    return ((table[0], table[2]), (table[1], table[3]))


def _opponents(table: Table) -> Iterable[tuple[EntrantId, EntrantId]]:
    return ((table[0], table[1]), (table[1], table[2]), (table[2], table[3]), (table[3], table[0]))


def _row(name: str, counts: Iterable[int]) -> CertificateRow:
    """A row of counts whose sum is given by the schedule: they can be equal only if their number divides it."""
    values = list(counts) or [0]
    return CertificateRow(name, min(values), max(values), 1 if sum(values) % len(values) else 0)


def _count_matches(tables: Sequence[Table], entrants: Collection[EntrantId]) -> CertificateRow:
    played = Counter(entrant for table in tables for entrant in set(table))
    return _row("matches", (played[entrant] for entrant in entrants))


def _count_byes(matchdays: Sequence[Sequence[Table]], entrants: Collection[EntrantId]) -> CertificateRow:
    resting: Counter[EntrantId] = Counter()
    for day in matchdays:
        playing = {entrant for table in day for entrant in table}
        resting.update(entrant for entrant in entrants if entrant not in playing)
    return _row("byes", (resting[entrant] for entrant in entrants))


def _count_pairs(
    name: str,
    tables: Sequence[Table],
    pairs_of: Callable[[Table], Iterable[tuple[EntrantId, EntrantId]]],
    entrants: Collection[EntrantId],
) -> CertificateRow:
    met = Counter(frozenset(pair) for table in tables for pair in pairs_of(table))
    return _row(name, (met[frozenset(pair)] for pair in combinations(entrants, 2)))


def _seats_of(kind: TableKind, table: Table) -> Sequence[EntrantId]:
    """A fixed side's seat is whether it is the first or the second side."""
    return table[:2] if kind is TableKind.TEAMS4 else table


def _count_seats(
    matchdays: Sequence[Sequence[Table]], kind: TableKind, entrants: Collection[EntrantId]
) -> CertificateRow:
    """Over entrants, how far the counts of their own seats lie apart; `most` is the worst entrant."""
    places = kind.entrants
    count = {entrant: [0] * places for entrant in entrants}
    for day in matchdays:
        for table in day:
            for seat, entrant in enumerate(_seats_of(kind, table)):
                if entrant in count:
                    count[entrant][seat] += 1
    uneven = any(sum(seats) % places for seats in count.values())
    worst = max((max(seats) - min(seats) for seats in count.values()), default=0)
    return CertificateRow("seats", 0, worst, 1 if uneven else 0)


def _count_prefix_seats(
    matchdays: Sequence[Sequence[Table]], kind: TableKind, entrants: Collection[EntrantId]
) -> CertificateRow:
    """The same after every matchday, not only at the end."""
    count = {entrant: [0] * kind.entrants for entrant in entrants}
    worst = 0
    for day in matchdays:
        for table in day:
            for seat, entrant in enumerate(_seats_of(kind, table)):
                if entrant in count:
                    count[entrant][seat] += 1
                    worst = max(worst, max(count[entrant]) - min(count[entrant]))
    return CertificateRow("seats_always", 0, worst, 1 if any(matchdays) else 0)


def _count_first_turns(tables: Sequence[Table], entrants: Collection[EntrantId]) -> CertificateRow:
    first = Counter(table[0] for table in tables if table[0] != HOUSE)
    return _row("first_turns", (first[entrant] for entrant in entrants))


def _count_neighbours(tables: Sequence[Table], entrants: Collection[EntrantId]) -> list[CertificateRow]:
    """How often each sits right before each other one, and how far before and after lie apart for a pair."""
    before: Counter[tuple[EntrantId, EntrantId]] = Counter()
    for table in tables:
        before.update(zip(table, (*table[1:], table[0]), strict=True))
    left = _row("left_neighbours", (before[pair] for pair in permutations(entrants, 2)))
    pairs = list(combinations(entrants, 2))
    odd = any((before[a, b] + before[b, a]) % 2 for a, b in pairs)
    apart = max((abs(before[a, b] - before[b, a]) for a, b in pairs), default=0)
    return [left, CertificateRow("left_against_right", 0, apart, 1 if odd else 0)]
