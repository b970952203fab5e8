"""What every format is: a frozen value of its options, with all that is known of it, asked for the next matchday; and
what formats share: groups, cuts and seeds from one stage to the next, and whether everybody would play."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import ClassVar

from aurum_league.common.errors import N_, Sentence
from tournaments.rules.formats.situation import Entry, PastMatchday, Situation
from tournaments.rules.pairing import Draw, EntrantId, Finished, Problem, TableKind, Waiting
from tournaments.rules.playout import Ints, Playout
from tournaments.rules.standings.results import ByeCredit

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
