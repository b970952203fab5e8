"""Who met whom and who finished ahead: what head to head, Buchholz and Sonneborn-Berger are made of."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from tournaments.rules.standings.results import IntArray, TableArrays, TableResult, arrange_results

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
