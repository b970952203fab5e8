"""Results as the standings see them, what they add up to for each entrant, who met whom and finished ahead."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from operator import attrgetter
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from games.rules.outcome import settle_places


class FixtureEnd(StrEnum):
    """How a fixture ended for the standings; all but PLAYED carry entrants only."""

    PLAYED = "played"
    BYE = "bye"
    VOID = "void"
    UNPLAYED = "unplayed"


class ByeCredit(StrEnum):
    """What a bye is worth: the entrant's own mean (round robins) or a first place (Swiss)."""

    OWN_MEAN = "own_mean"
    WIN = "win"


@dataclass(frozen=True, slots=True)
class TableResult:
    """One settled match, or one bye, void or unplayed fixture.

    `entrants` are in seat order: three individuals, two teams, or four individuals whose partners sit opposite. Places,
    nuggets, totals and exact bids are by side, and seat `i` belongs to side `i % len(places)`. Places start at 1 and
    may be shared; `forfeits` holds seat indices. `block` names matches on the same deals.
    """

    entrants: tuple[int, ...]
    places: tuple[int, ...] = ()
    nuggets: tuple[int, ...] = ()
    totals: tuple[int, ...] = ()
    exact_bids: tuple[int, ...] = ()
    forfeits: tuple[int, ...] = ()
    kind: FixtureEnd = FixtureEnd.PLAYED
    block: int | None = None
    first_seat: int = 0


@dataclass(frozen=True, slots=True)
class Scoring:
    """What places are worth at one kind of table, and what a bye is worth. Points are multiples of one half."""

    points: tuple[float, ...] = (2, 1, 0)
    bye: ByeCredit = ByeCredit.OWN_MEAN

    def __post_init__(self) -> None:
        if len(self.points) not in (2, 3):
            raise ValueError(f"points by place need two or three entries, not {len(self.points)}")
        if any(point * 2 != int(point * 2) for point in self.points):
            raise ValueError(f"points by place must be multiples of one half: {self.points}")
        if any(better < worse for better, worse in zip(self.points, self.points[1:], strict=False)):
            raise ValueError(f"a better place may not be worth less: {self.points}")


UNITS = 12
"""Points, wins and differences count in twelfths: every share of half points among two or three is whole."""

IntArray = NDArray[np.int64]


class ResultTally(NamedTuple):
    """One entrant's sums; `points`, `wins` and `difference` are in twelfths and leave byes out."""

    played: int = 0
    byes: int = 0
    voids: int = 0
    unplayed: int = 0
    forfeits: int = 0
    points: int = 0
    wins: int = 0
    nuggets: int = 0
    total_score: int = 0
    difference: int = 0
    exact_bids: int = 0

    def plus(self, other: "ResultTally", times: int = 1) -> "ResultTally":
        """The sum of both; `times=-1` takes a corrected result back out."""
        return ResultTally(*(mine + times * theirs for mine, theirs in zip(self, other, strict=True)))


class TableArrays(NamedTuple):
    """Played results of one table size as columns: a row a match, a column a seat."""

    entrants: IntArray
    places: IntArray
    patterns: list[tuple[tuple[int, ...], tuple[int, ...]]]
    pattern_of: IntArray
    results: Sequence[TableResult]


def arrange_results(results: Iterable[TableResult]) -> list[TableArrays]:
    """The played results as columns, one group for each number of seats; places already count forfeits."""
    played = [row for row in results if row.kind is FixtureEnd.PLAYED]
    sizes = sorted({len(row.entrants) for row in played})
    return [_arrange_group([row for row in played if len(row.entrants) == seats], seats) for seats in sizes]


def _arrange_group(group: Sequence[TableResult], seats: int) -> TableArrays:
    sides = len(group[0].places)
    code = _columns(group, "places", sides) @ (4 ** np.arange(sides))
    for row, forfeits in enumerate(map(attrgetter("forfeits"), group)):
        if forfeits:
            code[row] += sum(4**sides << seat for seat in forfeits)
    _, examples, pattern_of = np.unique(code, return_index=True, return_inverse=True)
    patterns = [(group[row].places, group[row].forfeits) for row in examples.tolist()]
    settled = np.array([settle_places(places, forfeits, seats) for places, forfeits in patterns], dtype=np.int64)
    entrants = _columns(group, "entrants", seats)
    return TableArrays(entrants, settled[pattern_of], patterns, pattern_of, group)


def _columns(group: Sequence[TableResult], name: str, width: int) -> IntArray:
    flat = np.fromiter(chain.from_iterable(map(attrgetter(name), group)), dtype=np.int64, count=len(group) * width)
    return flat.reshape(len(group), width)


def tally_results(results: Iterable[TableResult], scoring: Scoring) -> dict[int, ResultTally]:
    """The tally of every entrant named in the results. Tallies of disjoint results add up to that of all."""
    rows = list(results)
    tallies = _count_unplayed(rows)
    for arrays in arrange_results(rows):
        ids, index = np.unique(arrays.entrants, return_inverse=True)
        sums = [
            np.bincount(index.ravel(), weights=column.ravel(), minlength=len(ids)).astype(np.int64).tolist()
            for column in _tally_columns(arrays, scoring)
        ]
        for entrant, *values in zip(ids.tolist(), *sums, strict=True):
            played, forfeits, *rest = values
            tally = ResultTally(played, 0, 0, 0, forfeits, *rest)
            tallies[entrant] = tallies.get(entrant, ResultTally()).plus(tally)
    return tallies


def add_tallies(
    tallies: Mapping[int, ResultTally], others: Mapping[int, ResultTally], times: int = 1
) -> dict[int, ResultTally]:
    """Both together; `times=-1` takes the others back out."""
    added = dict(tallies)
    for entrant, tally in others.items():
        added[entrant] = added.get(entrant, ResultTally()).plus(tally, times)
    return added


def _count_unplayed(results: Iterable[TableResult]) -> dict[int, ResultTally]:
    counted = {
        FixtureEnd.BYE: ResultTally(byes=1),
        FixtureEnd.VOID: ResultTally(voids=1),
        FixtureEnd.UNPLAYED: ResultTally(unplayed=1),
    }
    tallies: dict[int, ResultTally] = {}
    for result in results:
        if result.kind is not FixtureEnd.PLAYED:
            for entrant in result.entrants:
                tallies[entrant] = tallies.get(entrant, ResultTally()).plus(counted[result.kind])
    return tallies


def _tally_columns(arrays: TableArrays, scoring: Scoring) -> list[IntArray]:
    """Played, forfeits, points, wins, nuggets, total score, difference and exact bids of every seat of every match."""
    forfeits, points, wins = credit_seats(arrays, scoring)
    stayed = 1 - forfeits
    sides = len(scoring.points)
    side_of = np.arange(arrays.entrants.shape[1]) % sides
    totals = _columns(arrays.results, "totals", sides)
    own = totals[:, side_of] * stayed
    others = (totals.sum(axis=1, keepdims=True) - totals)[:, side_of]
    difference = UNITS * own - (UNITS // (sides - 1)) * others
    nuggets = _columns(arrays.results, "nuggets", sides)[:, side_of] * stayed
    exact_bids = _columns(arrays.results, "exact_bids", sides)[:, side_of] * stayed
    played = np.ones_like(points)
    return [played, forfeits, points, wins, nuggets, own, difference, exact_bids]


def credit_seats(arrays: TableArrays, scoring: Scoring) -> tuple[IntArray, IntArray, IntArray]:
    """Forfeits, points and wins of every seat of every match, points and wins in twelfths."""
    sides = len(arrays.patterns[0][0])
    if sides != len(scoring.points):
        raise ValueError(f"a table of {sides} sides cannot be scored with points for {len(scoring.points)} places")
    seats = arrays.entrants.shape[1]
    credits = np.array([_credit_pattern(*pattern, seats, scoring) for pattern in arrays.patterns], dtype=np.int64)
    forfeits, points, wins = (credits[arrays.pattern_of, :, part] for part in range(3))
    return forfeits, points, wins


def _credit_pattern(
    places: tuple[int, ...], forfeits: tuple[int, ...], seats: int, scoring: Scoring
) -> list[tuple[int, int, int]]:
    """Forfeit, points and wins of each seat for one pattern of places; a forfeit earns what the last place earns."""
    settled = settle_places(places, forfeits, seats)
    sides = len(places)
    credits = []
    for seat, place in enumerate(settled):
        if seat in forfeits:
            credits.append((1, round(UNITS * scoring.points[-1]), 0))
            continue
        tied = len({other % sides for other in range(seats) if settled[other] == place and other not in forfeits})
        shared = sum(scoring.points[place - 1 : place - 1 + tied])
        credits.append((0, round(UNITS * shared) // tied, UNITS // tied if place == 1 else 0))
    return credits


FloatArray = NDArray[np.float64]

ID_BITS = 31
"""Two entrant ids share one 64-bit sort key."""


@dataclass(frozen=True, slots=True)
class Meetings:
    """Sums for ordered pairs of opponents, and the opponents at every table.

    `pairs` has the columns entrant, opponent, met, ahead, where ahead counts 2 for a better place and 1 for a shared
    one. `opponents` is how many an entrant has in one match. `tables` has the entrant, then the opponents, a row for
    every match and seat; meetings loaded from stored pairs have none, and then Buchholz cut 1 cannot be computed.
    """

    pairs: IntArray
    opponents: int
    tables: tuple[IntArray, ...] = ()

    @classmethod
    def from_pairs(cls, rows: Iterable[tuple[int, int, int, int]], opponents: int) -> Self:
        """Meetings from stored rows of entrant, opponent, met and ahead."""
        return cls(sum_pairs(np.array(list(rows), dtype=np.int64).reshape(-1, 4)), opponents)

    @classmethod
    def from_results(cls, results: Iterable[TableResult]) -> Self:
        """The meetings of all played results; partners are not opponents."""
        faced, tables = [np.empty((0, 4), dtype=np.int64)], []
        for arrays in arrange_results(results):
            for seat in range(arrays.entrants.shape[1]):
                facing = _opponents_of(arrays, seat)
                tables.append(arrays.entrants[:, [seat, *facing]])
                faced.extend(_pair_rows(arrays, seat, opponent) for opponent in facing)
        opponents = max((table.shape[1] - 1 for table in tables), default=0)
        return cls(sum_pairs(np.concatenate(faced)), opponents, tuple(tables))

    def plus(self, other: Self) -> "Meetings":
        """The meetings of both."""
        pairs = sum_pairs(np.concatenate([self.pairs, other.pairs]))
        return Meetings(pairs, max(self.opponents, other.opponents), self.tables + other.tables)

    def __iter__(self) -> Iterator[tuple[int, int, int, int]]:
        """Entrant, opponent, met and ahead of every pair: the rows to store."""
        return (tuple(row) for row in self.pairs.tolist())


def sum_pairs(rows: IntArray) -> IntArray:
    """One row for each ordered pair, met and ahead added up, in rising order of the pair."""
    if not len(rows):
        return rows
    key = rows[:, 0] << ID_BITS | rows[:, 1]
    order = np.argsort(key)
    key = key[order]
    starts = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]]))
    sums = [np.add.reduceat(rows[order, column], starts) for column in (2, 3)]
    return np.column_stack([key[starts] >> ID_BITS, key[starts] & (1 << ID_BITS) - 1, *sums])


def _opponents_of(arrays: TableArrays, seat: int) -> list[int]:
    sides = len(arrays.patterns[0][0])
    return [other for other in range(arrays.entrants.shape[1]) if other % sides != seat % sides]


def _pair_rows(arrays: TableArrays, seat: int, opponent: int) -> IntArray:
    own, theirs = arrays.places[:, seat], arrays.places[:, opponent]
    ahead = 2 * (own < theirs) + (own == theirs)
    met = np.ones_like(ahead)
    return np.column_stack([arrays.entrants[:, seat], arrays.entrants[:, opponent], met, ahead])


def head_to_head(meetings: Meetings, group: Sequence[int]) -> dict[int, float] | None:
    """Share of the meetings within the group won by each; None unless all of them met equally often, at least once."""
    members = np.array(sorted(group), dtype=np.int64)
    inside = np.isin(meetings.pairs[:, 0], members) & np.isin(meetings.pairs[:, 1], members)
    pairs = meetings.pairs[inside]
    if len(pairs) != len(members) * (len(members) - 1) or (pairs[:, 2] != pairs[0, 2]).any():
        return None
    position = np.searchsorted(members, pairs[:, 0])
    ahead = np.bincount(position, weights=pairs[:, 3], minlength=len(members))
    share = ahead / (2 * int(pairs[0, 2]) * (len(members) - 1))
    return dict(zip(members.tolist(), share.tolist(), strict=True))


def opponents_points(meetings: Meetings, entrants: IntArray, points: FloatArray) -> FloatArray:
    """Buchholz from played matches, for `entrants` (rising) whose match points are `points`."""
    return _sum_over_opponents(meetings, entrants, points, meetings.pairs[:, 2])


def beaten_points(meetings: Meetings, entrants: IntArray, points: FloatArray) -> FloatArray:
    """Sonneborn-Berger from played matches, for `entrants` (rising) whose match points are `points`."""
    return _sum_over_opponents(meetings, entrants, points, meetings.pairs[:, 3] / 2)


def _sum_over_opponents(
    meetings: Meetings, entrants: IntArray, points: FloatArray, weights: NDArray[np.int64 | np.float64]
) -> FloatArray:
    own, theirs = (np.searchsorted(entrants, meetings.pairs[:, column]) for column in (0, 1))
    sums: FloatArray = np.zeros(len(entrants))
    np.add.at(sums, own, weights * points[theirs])
    return sums


def weakest_table(meetings: Meetings, entrants: IntArray, points: FloatArray) -> FloatArray:
    """The lowest sum of opponents' points at one table, infinite for who never played; ValueError without tables."""
    if len(meetings.pairs) and not meetings.tables:
        raise ValueError("Buchholz cut 1 needs the tables, not only the pairs: load the meetings from results")
    lowest = np.full(len(entrants), np.inf)
    for table in meetings.tables:
        faced = points[np.searchsorted(entrants, table[:, 1:])].sum(axis=1)
        np.minimum.at(lowest, np.searchsorted(entrants, table[:, 0]), faced)
    return lowest
