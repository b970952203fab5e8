"""What every format is: a frozen value of its options, with all that is known of it, asked for the next matchday; and
what formats share: groups, cuts and seeds from one stage to the next, and whether everybody would play."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations
from random import Random
from typing import ClassVar

from aurum_league.common.errors import N_, Sentence
from tournaments.rules.pairing import HOUSE, Draw, EntrantId, Finished, Pairing, Problem, TableKind, Waiting
from tournaments.rules.playout import Ints, Playout
from tournaments.rules.standings.results import ByeCredit


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
    rests: frozenset[int] = frozenset()
    """Matchdays on which it asked not to play."""

    def is_active(self, matchday: int) -> bool:
        is_in = self.entered_on <= matchday and (self.left_on is None or matchday < self.left_on)
        return is_in and matchday not in self.rests


class PastState(StrEnum):
    PENDING = "pending"
    SETTLED = "settled"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class PastTable:
    """A drawn table and how it ended: places in the order of `pairing.entrants`, 1 is best, a forfeit comes last."""

    pairing: Pairing
    state: PastState = PastState.PENDING
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
        starters = (entry for entry in self.entries if entry.entered_on <= 1)
        entries = tuple(replace(entry, left_on=None, rests=frozenset()) for entry in starters)
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
            if table.state is PastState.PENDING
        )


MOST_NAMED = 4
Pair = frozenset[EntrantId]


def find_apart_pairs(situation: Situation) -> tuple[set[Pair], set[Pair]]:
    """The active pairs that may not oppose each other, and those that may not even be partners."""
    among = {entry.id for entry in situation.active}
    named = {pair for pair in situation.conflicts if pair <= among}
    by_owner: dict[int, list[EntrantId]] = {}
    for entry in situation.active if situation.is_rated else ():
        for owner in entry.owners:
            by_owner.setdefault(owner, []).append(entry.id)
    owned = {frozenset(pair) for entrants in by_owner.values() for pair in combinations(entrants, 2)}
    return named | owned, named


def find_clashes(situation: Situation, kind: TableKind, pairings: Iterable[Pairing]) -> list[Pair]:
    """The pairs seated together that must not be."""
    opposed, partnered = find_apart_pairs(situation)
    clashes = []
    for pairing in pairings if opposed else ():
        entrants = [entrant for entrant in pairing.entrants if entrant != HOUSE]
        for a, b in combinations(entrants, 2):
            is_one_side = kind is TableKind.SOLO4 and (pairing.seats.index(a) - pairing.seats.index(b)) % 2 == 0
            if frozenset((a, b)) in (partnered if is_one_side else opposed):
                clashes.append(frozenset((a, b)))
    return clashes


def describe_clashes(clashes: Iterable[Pair], why: Sentence) -> Problem:
    """The problem of pairs that cannot be kept apart, naming the first few."""
    pairs = sorted(tuple(sorted(pair)) for pair in set(clashes))
    named = ", ".join(" and ".join(map(str, pair)) for pair in pairs[:MOST_NAMED])
    more = f" and {len(pairs) - MOST_NAMED} more pairs" if len(pairs) > MOST_NAMED else ""
    concerned = tuple(dict.fromkeys(entrant for pair in pairs for entrant in pair))
    sentence = Sentence(N_("Entrants %(names)s must be kept apart, but %(why)s."), names=named + more, why=why)
    return Problem("cannot_keep_apart", sentence, concerned)


MOST_MATCHDAYS_AHEAD = 2000


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a format as a form shows it. Texts are marked for the catalogues, not translated.

    `shape` is count (a whole number from `least` to `most`), check (yes or no) or sizes (whole numbers).
    """

    name: str
    label: str
    help: str
    shape: str = "count"
    least: int = 1
    most: int = 999


MEETINGS = Option(
    "meetings",
    N_("Meetings a lap"),
    N_("At tables of three a pair can meet once or twice a lap; twice is more even."),
    most=2,
)
LAPS = Option("laps", N_("Laps"), N_("How often the whole schedule is played; two make a home and a return lap."))
MATCHDAYS = Option("matchdays", N_("Matchdays"), N_("Instead of whole laps. Empty: as many as the field needs."))
HOUSE_FILLS = Option(
    "house_fills", N_("House bots fill empty seats"), N_("Nobody rests; such a table is not rated."), "check"
)


class Format(ABC):
    """A way to pair entrants. Instances are frozen dataclasses; their fields are the organiser's options.

    Formats keep no state: everything follows from the situation and the generator passed in, so the same call
    gives the same draw again. Nothing that was played is undone; withdrawals and late entries only change what
    is drawn next. Whoever must know what a format can do asks it here, never for its code.
    """

    __slots__ = ()

    code: ClassVar[str]
    title: ClassVar[str]
    help: ClassVar[str]
    options: ClassVar[tuple[Option, ...]] = ()
    kinds: ClassVar[frozenset[TableKind]] = frozenset(TableKind)
    needs_results: ClassVar[bool] = True
    """Whether a matchday is drawn from the results of those before it."""
    runs_on: ClassVar[bool] = False
    """Whether it goes on until an organiser ends it."""
    takes_late_entries: ClassVar[bool] = True
    has_bracket: ClassVar[bool] = False
    """Whether `bracket` tells its tables and the places come from it."""
    has_divisions: ClassVar[bool] = False
    """Whether `split` cuts the field into divisions that are ranked apart, and groups may be dealt."""
    has_challenger: ClassVar[bool] = False
    """Whether the first entry meets all others."""
    bye: ClassVar[ByeCredit] = ByeCredit.OWN_MEAN
    reasons: ClassVar[Mapping[str, str]] = {}
    """Words for the reasons of a table that no other format gives: `%(first)s`, `%(second)s`, `%(all)s` its numbers."""

    kind: TableKind

    @property
    def is_planned(self) -> bool:
        """Whether all its matchdays can be drawn before any is played."""
        return not self.needs_results and not self.runs_on

    @abstractmethod
    def find_problems(self, situation: Situation) -> tuple[Problem, ...]:
        """What stands against drawing this field with these options; empty if the draw can be made."""

    @abstractmethod
    def plan_length(self, entrants: int) -> int | None:
        """How many matchdays a field of this size takes; None where only the results can tell, or it runs on."""

    @abstractmethod
    def draw(self, situation: Situation, rng: Random) -> Draw | Waiting | Finished:
        """The next matchday. Raises ImpossibleDraw where a wish cannot be kept, saying which."""

    def split(self, entries: Sequence[Entry]) -> list[tuple[Entry, ...]]:
        """Who is ranked together: all, where there are no divisions."""
        return [tuple(entries)]

    def play_out(self, playout: Playout) -> list[Ints] | None:
        """The final orders on paper, best first, one a division with a row a world; None where nothing ends it."""
        return None


def draw_matchdays(
    chosen: Format, situation: Situation, chance_of: Callable[[int], Random]
) -> tuple[list[Draw], Waiting | Finished | None]:
    """As many matchdays as the format can draw now, and what it said when it could draw no more.

    A format that goes by results or runs on draws one at a time, so that each is drawn from the latest results.
    `chance_of` gives the generator of a matchday.
    """
    draws: list[Draw] = []
    while len(draws) < MOST_MATCHDAYS_AHEAD:
        drawn = chosen.draw(situation, chance_of(situation.matchday))
        if not isinstance(drawn, Draw):
            return draws, drawn
        if not drawn.pairings and not chosen.is_planned:
            return draws, Waiting(situation.pending_tables())
        draws.append(drawn)
        if not chosen.is_planned:
            break
        situation = replace(situation, history=(*situation.history, PastMatchday.from_draw(drawn)))
    return draws, None


def split_groups(seeded: Sequence[EntrantId], groups: int) -> list[list[EntrantId]]:
    """Groups of nearly equal size and strength: seeds are dealt to and fro (1 2 3, 3 2 1, 1 2 3, ...)."""
    split: list[list[EntrantId]] = [[] for _ in range(groups)]
    for number, entrant in enumerate(seeded):
        lap, column = divmod(number, groups)
        split[column if lap % 2 == 0 else groups - 1 - column].append(entrant)
    return split


def cut_groups(standings: Sequence[Sequence[EntrantId]], per_group: int) -> list[EntrantId]:
    """The first so many of each group as the next stage's seeds: all the winners first, then all the seconds.

    Every other row is turned round, so that the winner of a group and its second do not stand at the same end.
    """
    seeds: list[EntrantId] = []
    for place in range(per_group):
        row = [group[place] for group in standings if place < len(group)]
        seeds += row if place % 2 == 0 else row[::-1]
    return seeds


def find_size_problems(kind: TableKind, entrants: int) -> tuple[Problem, ...]:
    if entrants >= kind.entrants:
        return ()
    sentence = N_("%(number)s entrants do not fill one table, which takes %(needed)s.")
    return (Problem("too_few_entrants", Sentence(sentence, number=entrants, needed=kind.entrants)),)


def find_length_problems(kind: TableKind, entrants: int, matchdays: int) -> tuple[Problem, ...]:
    """Two matchdays let everybody play once at least, whoever rests; one does so only if nobody rests."""
    resting = entrants % kind.entrants
    if matchdays > 1 or not resting:
        return ()
    sentence = N_("In one matchday %(resting)s of %(entrants)s entrants would play no match: it takes two.")
    return (Problem("bad_length", Sentence(sentence, resting=resting, entrants=entrants)),)
