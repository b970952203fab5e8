"""Who met whom and who finished ahead: what head to head, Buchholz and Sonneborn-Berger are made of."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from tournaments.rules.standings.results import TableResult
from tournaments.rules.standings.tally import IntArray, TableArrays, arrange_results

FloatArray = NDArray[np.float64]

ID_BITS = 31
"""Two entrant ids share one 64-bit sort key."""


@dataclass(frozen=True, slots=True)
class Meetings:
    """Sums for ordered pairs of opponents, and the opponents at every table.

    `pairs` has the columns entrant, opponent, met, ahead, where ahead counts 2 for a better place and 1 for a shared
    one. `tables` has the entrant, then the opponents, a row for every match and seat.
    """

    pairs: IntArray
    tables: tuple[IntArray, ...] = ()

    @classmethod
    def from_results(cls, results: Iterable[TableResult]) -> Self:
        """The meetings of all played results; partners are not opponents."""
        faced, tables = [np.empty((0, 4), dtype=np.int64)], []
        for arrays in arrange_results(results):
            for seat in range(arrays.entrants.shape[1]):
                opponents = _opponents_of(arrays, seat)
                tables.append(arrays.entrants[:, [seat, *opponents]])
                faced.extend(_pair_rows(arrays, seat, opponent) for opponent in opponents)
        return cls(sum_pairs(np.concatenate(faced)), tuple(tables))

    def plus(self, other: Self) -> "Meetings":
        """The meetings of both."""
        return Meetings(sum_pairs(np.concatenate([self.pairs, other.pairs])), self.tables + other.tables)

    def __iter__(self) -> Iterator[tuple[int, int, int, int]]:
        """Entrant, opponent, met and ahead of every pair: the rows to store."""
        return (tuple(row) for row in self.pairs.tolist())

    @property
    def opponents_at_table(self) -> int:
        """How many opponents an entrant has in one match: for how many a bye stands."""
        return max((table.shape[1] - 1 for table in self.tables), default=0)


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


def opposition_sums(meetings: Meetings, entrants: IntArray, points: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Buchholz and Sonneborn-Berger from played matches, for `entrants` (rising) whose match points are `points`."""
    own, theirs = (np.searchsorted(entrants, meetings.pairs[:, column]) for column in (0, 1))
    met, ahead = meetings.pairs[:, 2], meetings.pairs[:, 3]
    buchholz: FloatArray = np.zeros(len(entrants))
    sonneborn_berger: FloatArray = np.zeros(len(entrants))
    np.add.at(buchholz, own, met * points[theirs])
    np.add.at(sonneborn_berger, own, ahead / 2 * points[theirs])
    return buchholz, sonneborn_berger


def weakest_table(meetings: Meetings, entrants: IntArray, points: FloatArray) -> FloatArray:
    """The lowest sum of opponents' points at one table, infinite for who never played."""
    lowest = np.full(len(entrants), np.inf)
    for table in meetings.tables:
        faced = points[np.searchsorted(entrants, table[:, 1:])].sum(axis=1)
        np.minimum.at(lowest, np.searchsorted(entrants, table[:, 0]), faced)
    return lowest
