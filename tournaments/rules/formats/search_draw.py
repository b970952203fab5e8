"""A matchday drawn by search: the arrays, what thousands of tables cost at once, trades that improve, and the byes."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations, product
from random import Random

import numpy as np
from numpy.typing import NDArray

from aurum_league.common.errors import N_, Sentence
from tournaments.rules.formats.format import Entry, PastState, Situation, describe_clashes, find_clashes
from tournaments.rules.pairing import (
    HOUSE,
    Draw,
    EntrantId,
    ImpossibleDraw,
    Pairing,
    Reason,
    TableKind,
    level_direction,
)

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

FORBIDDEN = 1e9
REPEAT = 1e6
PARTNER_AGAIN = 3e6
SCORE = 50.0
"""Weights in lexicographic steps: keeping apart, then no repeat, then equal scores, then level seats."""


@dataclass(frozen=True)
class DrawArrays:
    """The entrants of a draw as arrays, by index; rows are padded with -1, which is nobody."""

    kind: TableKind
    scores: Floats
    met: Ints
    """Everyone each has met, once for every time."""
    partnered: Ints
    owners: Ints
    """Owners who may not hold two sides; padded with negative numbers that differ from row to row."""
    conflicts: Ints
    seats: Ints
    """How often each has sat on each seat; of a fixed side, how often it was first and second."""

    @cached_property
    def wear(self) -> Floats:
        """What sitting there once more costs: nothing on the seats least used."""
        above_least = (self.seats - self.seats.min(axis=1, keepdims=True)).astype(np.float64)
        worn: Floats = above_least**4
        return worn

    @cached_property
    def ways(self) -> Ints:
        """All ways to seat a table: row w, column s is who of the table takes seat s."""
        return np.array(list(permutations(range(self.kind.entrants))))

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        return list(combinations(range(self.kind.entrants), 2))

    @cached_property
    def partners_by_way(self) -> NDArray[np.bool_]:
        """Whether a way makes a pair partners, which only tables of four individuals know."""
        if self.kind is not TableKind.SOLO4:
            return np.zeros((len(self.ways), len(self.pairs)), dtype=bool)
        sides = [{frozenset((way[0], way[2])), frozenset((way[1], way[3]))} for way in self.ways.tolist()]
        return np.array([[frozenset(pair) in side for pair in self.pairs] for side in sides])


def count_in_rows(rows: Ints, a: Ints, b: Ints) -> Ints:
    """How often b is in the row of a, element by element."""
    found: Ints = (rows[a] == b[..., None]).sum(axis=-1)
    return found


def same_owner(field: DrawArrays, a: Ints, b: Ints) -> NDArray[np.bool_]:
    shared: NDArray[np.bool_] = (field.owners[a][..., :, None] == field.owners[b][..., None, :]).any(axis=(-1, -2))
    return shared


def price_tables(field: DrawArrays, tables: Ints) -> tuple[Floats, Ints]:
    """The cost of every table (rows of entrant indexes) and the number of the best way to seat it."""
    left = tables[:, [a for a, _ in field.pairs]]
    right = tables[:, [b for _, b in field.pairs]]
    together = REPEAT * count_in_rows(field.met, left, right) + SCORE * (field.scores[left] - field.scores[right]) ** 2
    if field.conflicts.shape[1]:
        together += FORBIDDEN * count_in_rows(field.conflicts, left, right)
    ways = np.zeros((len(tables), len(field.ways)))
    for seat in range(field.kind.entrants):
        ways += field.wear[tables[:, field.ways[:, seat]], seat]
    opposed: Floats = np.zeros(left.shape)
    if field.owners.shape[1]:
        opposed[same_owner(field, left, right)] = FORBIDDEN
    if field.kind is TableKind.SOLO4:
        partnered = PARTNER_AGAIN * count_in_rows(field.partnered, left, right)
        ways += partnered @ field.partners_by_way.T + opposed @ ~field.partners_by_way.T
    else:
        together += opposed
    best: Ints = ways.argmin(axis=1)
    return together.sum(axis=1) + ways[np.arange(len(tables)), best], best


WINDOW = {TableKind.SOLO3: 24, TableKind.TEAMS4: 30, TableKind.SOLO4: 12}
"""How many tables away a trade may reach; wider only while a table has a repeat or a pair to keep apart."""
SWEEPS = 6
WIDE_SWEEPS = 6


class TableSearch:
    """Tables as rows of entrant indexes in ranking order, with the cost of each."""

    def __init__(self, field: DrawArrays, tables: Ints) -> None:
        self.field = field
        self.tables = tables
        self.costs, self.ways = price_tables(field, tables)

    @property
    def cost(self) -> float:
        return float(self.costs.sum())

    def has_costs_from(self, weight: float) -> bool:
        return bool((self.costs >= weight).any())

    def improve(self) -> None:
        """Sweep until no trade within the window helps; while repeats remain, with ever wider windows."""
        last = len(self.tables) - 1
        window = min(WINDOW[self.field.kind], last)
        for _ in range(SWEEPS):
            if not self.sweep(range(1, window + 1), 0.5):
                break
        for _ in range(WIDE_SWEEPS):
            if not self.has_costs_from(REPEAT):
                return
            window = min(2 * window, last)
            reach = np.unique(np.linspace(1, window, min(window, 60)).astype(int))
            if not self.sweep(reach.tolist(), REPEAT) and window == last:
                return

    def sweep(self, distances: Iterable[int], threshold: float) -> bool:
        """Try the best trade of every table that costs at least so much with those so far away; whether any helped."""
        helped = False
        for distance in distances:
            for parity in (0, 1):
                first = np.arange(len(self.tables) - distance)
                first = first[first // distance % 2 == parity]
                bad = (self.costs[first] >= threshold) | (self.costs[first + distance] >= threshold)
                first = first[bad]
                if len(first):
                    helped |= self.trade(first, first + distance)
        return helped

    def trade(self, here: Ints, there: Ints) -> bool:
        """Of all trades of one entrant for one between the tables of each pair, make the best if it helps."""
        size = self.field.kind.entrants
        spots = list(product(range(size), repeat=2))
        near = np.repeat(self.tables[here][:, None], len(spots), axis=1)
        far = np.repeat(self.tables[there][:, None], len(spots), axis=1)
        for trade, (a, b) in enumerate(spots):
            near[:, trade, a], far[:, trade, b] = self.tables[there, b], self.tables[here, a]
        priced: Floats = np.zeros((len(here), len(spots)))
        for side in (near, far):
            priced += price_tables(self.field, side.reshape(-1, size))[0].reshape(len(here), len(spots))
        best = priced.argmin(axis=1)
        rows = np.arange(len(here))
        gains = priced[rows, best] < self.costs[here] + self.costs[there] - 1e-6
        if not gains.any():
            return False
        for where, side in ((here, near), (there, far)):
            changed = where[gains]
            self.tables[changed] = side[rows, best][gains]
            self.costs[changed], self.ways[changed] = price_tables(self.field, self.tables[changed])
        return True

    def seated(self) -> Ints:
        """Every table with its entrants in the order of their seats."""
        return np.take_along_axis(self.tables, self.field.ways[self.ways], axis=1)


def search_tables(field: DrawArrays, rankings: Iterable[Ints], enough: float) -> TableSearch:
    """The best of the searches from several rankings; no further one is tried once a cost below `enough` is met."""
    searches = []
    for ranking in rankings:
        search = TableSearch(field, ranking.reshape(-1, field.kind.entrants).copy())
        search.improve()
        searches.append(search)
        if search.cost < enough:
            break
    return min(searches, key=lambda search: search.cost)


SMALL_FIELD = 300
SMALL_TRIES, LARGE_TRIES = 12, 3
ENOUGH_SMALL = 0.5


class Past:
    """What the history says about each entrant: whom it met and partnered, where it sat, when it rested."""

    def __init__(self, situation: Situation, kind: TableKind) -> None:
        self.met: dict[EntrantId, list[EntrantId]] = {}
        self.partnered: dict[EntrantId, list[EntrantId]] = {}
        self.seats: dict[EntrantId, list[int]] = {}
        self.tables: list[tuple[EntrantId, ...]] = []
        self.byes = Counter(entrant for past in situation.history for entrant in past.byes)
        for _, table in situation.past_tables():
            if table.state is PastState.VOID:
                continue
            entrants = table.pairing.entrants
            self.tables.append(entrants)
            for seat, entrant in enumerate(entrants):
                self.met.setdefault(entrant, []).extend(other for other in entrants if other != entrant)
                self.seats.setdefault(entrant, [0] * kind.entrants)[seat] += 1
                if kind is TableKind.SOLO4:
                    self.partnered.setdefault(entrant, []).append(entrants[(seat + 2) % 4])


def pad_rows(rows: Sequence[Sequence[int]]) -> Ints:
    """Rows of unequal length as one array, filled up with -1."""
    padded = np.full((len(rows), max(map(len, rows), default=0)), -1)
    for number, row in enumerate(rows):
        padded[number, : len(row)] = row
    return padded


def build_field(
    kind: TableKind, situation: Situation, entries: Sequence[Entry], past: Past, scores: Mapping[EntrantId, float]
) -> DrawArrays:
    index = {entry.id: number for number, entry in enumerate(entries)}

    def rows_of(names: Mapping[EntrantId, Sequence[EntrantId]]) -> Ints:
        return pad_rows([[index[other] for other in names.get(e.id, ()) if other in index] for e in entries])

    kept_apart: dict[EntrantId, list[EntrantId]] = {}
    for a, b in (sorted(pair) for pair in situation.conflicts):
        kept_apart.setdefault(a, []).append(b)
        kept_apart.setdefault(b, []).append(a)
    held = Counter(owner for entry in entries for owner in entry.owners) if situation.is_rated else Counter()
    owners = pad_rows([sorted(owner for owner in entry.owners if held[owner] > 1) for entry in entries])
    # Padding must not make two entrants look like one owner's.
    owners = np.where(owners < 0, -1 - np.arange(owners.size).reshape(owners.shape), owners)
    blank = [0] * kind.entrants
    return DrawArrays(
        kind=kind,
        scores=np.array([scores[entry.id] for entry in entries], dtype=float),
        met=rows_of(past.met),
        partnered=rows_of(past.partnered),
        owners=owners,
        conflicts=rows_of(kept_apart),
        seats=np.array([past.seats.get(entry.id, blank) for entry in entries]),
    )


def choose_resting(
    kind: TableKind, entries: Sequence[Entry], past: Past, scores: Mapping[EntrantId, float], rng: Random
) -> tuple[EntrantId, ...]:
    """Who rests where the field does not fill its tables: fewest byes first, then lowest score, then by lot."""
    lots = {entry.id: rng.random() for entry in entries}
    ranked = sorted(entries, key=lambda e: (past.byes[e.id], scores[e.id], lots[e.id]))
    return tuple(entry.id for entry in ranked[: len(entries) % kind.entrants])


def fill_with_house(kind: TableKind, resting: tuple[EntrantId, ...], table: int, past: Past) -> Pairing | None:
    """A table for those who would rest, if one house bot is enough to fill it."""
    if len(resting) != kind.entrants - 1:
        return None
    return Pairing(table, kind.seat(_level_direction(kind, (*resting, HOUSE), past)), (Reason("house_fills"),))


def search_draw(
    kind: TableKind,
    situation: Situation,
    scores: Mapping[EntrantId, float],
    rng: Random,
    *,
    house_fills: bool = False,
) -> Draw:
    """The next matchday of the active entrants: near scores together, no repeat until forced, seats level.

    Raises ImpossibleDraw where those to be kept apart could not be.
    """
    past = Past(situation, kind)
    resting = choose_resting(kind, situation.active, past, scores, rng)
    entries = [entry for entry in situation.active if entry.id not in resting]
    seated: list[list[int]] = []
    if entries:
        field = build_field(kind, situation, entries, past, scores)
        is_small = len(entries) <= SMALL_FIELD
        rankings = (_rank(field, rng) for _ in range(SMALL_TRIES if is_small else LARGE_TRIES))
        seated = search_tables(field, rankings, ENOUGH_SMALL if is_small else REPEAT).seated().tolist()
    pairings = []
    for number, row in enumerate(seated, start=1):
        entrants = _level_direction(kind, tuple(entries[index].id for index in row), past)
        pairings.append(Pairing(number, kind.seat(entrants), _explain(entrants, past, scores)))
    refuse_clashes(situation, kind, pairings)
    filled = fill_with_house(kind, resting, len(pairings) + 1, past) if house_fills else None
    if filled:
        return Draw(situation.matchday, (*pairings, filled))
    return Draw(situation.matchday, tuple(pairings), resting)


def _level_direction(kind: TableKind, entrants: tuple[EntrantId, ...], past: Past) -> tuple[EntrantId, ...]:
    """Who meet again sit the other way round where the past leans one way, turned so that seats stay as level as that
    allows; two sides have no direction."""
    if kind is TableKind.TEAMS4 or not any(other in past.met.get(one, ()) for one in entrants for other in entrants):
        return entrants
    levelled = level_direction(entrants, past.tables)
    if levelled == entrants:
        return entrants
    turned = [levelled[turn:] + levelled[:turn] for turn in range(len(levelled))]
    blank = [0] * kind.entrants
    return min(turned, key=lambda seats: sum(past.seats.get(one, blank)[seat] for seat, one in enumerate(seats)))


def _rank(field: DrawArrays, rng: Random) -> Ints:
    """Entrants by score, in random order within equal scores."""
    lots = np.array([rng.random() for _ in field.scores])
    ranking: Ints = np.lexsort((lots, -field.scores))
    return ranking


def _explain(entrants: tuple[EntrantId, ...], past: Past, scores: Mapping[EntrantId, float]) -> tuple[Reason, ...]:
    repeats = sum(past.met.get(a, []).count(b) for number, a in enumerate(entrants) for b in entrants[:number])
    meeting = Reason("repeat", (repeats,)) if repeats else Reason("first_meeting")
    return (Reason("scores", tuple(scores[entrant] for entrant in entrants)), meeting)


def refuse_clashes(situation: Situation, kind: TableKind, pairings: Sequence[Pairing]) -> None:
    """Raises ImpossibleDraw if a table seats a pair that must be kept apart."""
    if clashes := find_clashes(situation, kind, pairings):
        why = Sentence(N_("no draw of matchday %(number)s was found that does so"), number=situation.matchday)
        raise ImpossibleDraw(describe_clashes(clashes, why))
