"""Draws a matchday by search: builds the arrays from the history, gives the byes, and names the tables found."""

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random

import numpy as np

from aurum_league.common.errors import N_, Sentence
from tournaments.rules.formats.situation import Entry, Situation, TableState, describe_clashes, find_clashes
from tournaments.rules.formats.table_search import REPEAT, Field, Ints, search_tables
from tournaments.rules.pairing import HOUSE, Draw, EntrantId, ImpossibleDraw, Pairing, Reason, TableKind

SMALL_FIELD = 300
SMALL_TRIES, LARGE_TRIES = 12, 3
ENOUGH_SMALL = 0.5


class Past:
    """What the history says about each entrant: whom it met and partnered, where it sat, when it rested."""

    def __init__(self, situation: Situation, kind: TableKind) -> None:
        self.met: dict[EntrantId, list[EntrantId]] = {}
        self.partnered: dict[EntrantId, list[EntrantId]] = {}
        self.seats: dict[EntrantId, list[int]] = {}
        self.byes = Counter(entrant for past in situation.history for entrant in past.byes)
        for _, table in situation.past_tables():
            if table.state is TableState.VOID:
                continue
            entrants = table.pairing.entrants
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
) -> Field:
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
    return Field(
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


def fill_with_house(kind: TableKind, resting: tuple[EntrantId, ...], table: int) -> Pairing | None:
    """A table for those who would rest, if one house bot is enough to fill it."""
    if len(resting) != kind.entrants - 1:
        return None
    return Pairing(table, kind.seat((*resting, HOUSE)), (Reason("house_fills"),))


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
        entrants = tuple(entries[index].id for index in row)
        pairings.append(Pairing(number, kind.seat(entrants), _explain(entrants, past, scores)))
    refuse_clashes(situation, kind, pairings)
    filled = fill_with_house(kind, resting, len(pairings) + 1) if house_fills else None
    if filled:
        return Draw(situation.matchday, (*pairings, filled))
    return Draw(situation.matchday, tuple(pairings), resting)


def _rank(field: Field, rng: Random) -> Ints:
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
