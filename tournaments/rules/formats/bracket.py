"""Brackets as data: which tables there are, who goes on from where; and where a bracket stands."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.rules.formats.format import PastState, PastTable, Situation
from tournaments.rules.pairing import HOUSE, EntrantId

FINAL = "F1"
SECOND_FINAL = "F2"
THIRD_PLACE = "T1"


@dataclass(frozen=True, slots=True)
class Seed:
    """The entrant seeded so and so, from 1."""

    number: int


@dataclass(frozen=True, slots=True)
class From:
    """Whoever came in this rank (1 is best) at an earlier table."""

    slot: str
    rank: int


@dataclass(frozen=True, slots=True)
class House:
    """A house bot where the count does not come out; it never goes on."""


Source = Seed | From | House


@dataclass(frozen=True, slots=True)
class BracketTable:
    """One table: its name, where its entrants come from, how many go on, and in which wave it can be played."""

    slot: str
    sources: tuple[Source, ...]
    advance: int
    wave: int


def plan_wave(alive: int, size: int, advance: int) -> tuple[int, bool]:
    """How many tables the next wave has, and whether a house bot takes one seat; the top seeds at no table rest.

    Where one goes on, a first wave brings the field down to a power of the table size. Where two of three go on, as
    many as fit play.
    """
    if advance == 2:
        return alive // 3, False
    power = size
    while power * size <= alive:
        power *= size
    if alive == power:
        return alive // size, False
    surplus, out = alive - power, size - 1
    return -(-surplus // out), surplus % out == 1 and size == 3


def fold(sources: list[Source], tables: int) -> list[list[Source]]:
    """Strong against weak: of three, seeds 1, 2m and 2m + 1 meet first; of two, 1 and 2m."""
    columns = [sources[:tables], sources[tables : 2 * tables][::-1], sources[2 * tables :]]
    return [[column[i] for column in columns if column] for i in range(tables)]


class BracketBuilder:
    """Lays waves of tables of two sides or of three entrants."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.tables: list[BracketTable] = []
        self.wave_of: dict[str, int] = {}

    def add(self, slot: str, sources: list[Source], advance: int = 1) -> None:
        earlier = [self.wave_of[source.slot] for source in sources if isinstance(source, From)]
        self.wave_of[slot] = max(earlier, default=0) + 1
        self.tables.append(BracketTable(slot, tuple(sources), advance, self.wave_of[slot]))

    def lay_wave(
        self, label: str, alive: list[Source], tables: int, has_house: bool, advance: int = 1
    ) -> tuple[list[Source], list[Source]]:
        """Lay tables for the lowest of `alive`; returns those who go on, resting ones first, and those who do not."""
        seats = tables * self.size - has_house
        resting, playing = alive[: len(alive) - seats], alive[len(alive) - seats :]
        if has_house:
            playing = [*playing, House()]
        names = [f"{label}.{number}" for number in range(1, tables + 1)]
        for name, sources in zip(names, fold(playing, tables), strict=True):
            self.add(name, sources, advance)
        on: list[Source] = [From(name, rank) for rank in range(1, advance + 1) for name in names]
        out: list[Source] = [From(name, rank) for rank in range(advance + 1, self.size + 1) for name in names]
        # The house bot is last in the fold, so the last table sends one entrant fewer down.
        return resting + on, out[:-1] if has_house else out


def build_single(entrants: int, size: int, advance: int, *, has_third_place: bool) -> tuple[BracketTable, ...]:
    """Single elimination; the two beaten before a final of two may play for the third place."""
    builder = BracketBuilder(size)
    alive: list[Source] = [Seed(number) for number in range(1, entrants + 1)]
    beaten: list[Source] = []
    wave = 1
    while len(alive) > size:
        alive, beaten = builder.lay_wave(f"W{wave}", alive, *plan_wave(len(alive), size, advance), advance)
        wave += 1
    if has_third_place and size == 2 and len(beaten) == 2:
        builder.add(THIRD_PLACE, beaten)
    builder.add(FINAL, alive)
    return tuple(builder.tables)


def build_double(entrants: int, size: int) -> tuple[BracketTable, ...]:
    """Double elimination: who loses once goes on below; the last unbeaten meets the best from below in the final.

    Two sides play a second final if the unbeaten one loses the first.
    """
    builder = BracketBuilder(size)
    above: list[Source] = [Seed(number) for number in range(1, entrants + 1)]
    below: list[Source] = []
    wave = 1
    while len(above) > 1 or len(below) > size - 1:
        dropped: list[Source] = []
        tables, has_house = plan_wave_below(len(below), size, is_last=len(above) == 1)
        below, _ = builder.lay_wave(f"L{wave}", below, tables, has_house)
        if len(above) > 1:
            above, dropped = builder.lay_wave(f"W{wave}", above, *plan_wave(len(above), size, 1))
        below = dropped + below
        wave += 1
    builder.add(FINAL, above + below)
    if size == 2:
        builder.add(SECOND_FINAL, [From(FINAL, 1), From(FINAL, 2)])
    return tuple(builder.tables)


def plan_wave_below(alive: int, size: int, *, is_last: bool) -> tuple[int, bool]:
    """Below, as many as fit play; once the unbeaten one waits, two are to be left over at tables of three."""
    if size == 2:
        return alive // 2, False
    if not is_last:
        return alive // 3, False
    if alive % 2 == 1:
        return 1, True
    return min(alive // 3, (alive - 2) // 2), False


@dataclass(frozen=True, slots=True)
class ReadyTable:
    """A table to be drawn now; `is_replay` where the last one was void or did not part those at the cut."""

    table: BracketTable
    entrants: tuple[EntrantId, ...]
    is_replay: bool


class BracketState:
    """The bracket filled in from the history, table by table in the order they were laid."""

    def __init__(self, tables: Sequence[BracketTable], seeds: Sequence[EntrantId], situation: Situation) -> None:
        self.tables = tables
        self.seeds = seeds
        self.entries = {entry.id: entry for entry in situation.entries}
        self.matchday = situation.matchday
        self.drawn: dict[str, PastTable] = {}
        self.known_on: dict[str, int] = {}
        for matchday, past in situation.past_tables():
            self.drawn[past.pairing.slot] = past
            self.known_on[past.pairing.slot] = matchday + 1
        self.ranks: dict[str, tuple[EntrantId, ...]] = {}
        self.sat: dict[str, tuple[EntrantId, ...]] = {}
        self.ready: list[ReadyTable] = []
        for table in tables:
            self.fill_in(table)

    def fill_in(self, table: BracketTable) -> None:
        """Settle a table from its result or as a walkover, or note that it can be played."""
        past = self.drawn.get(table.slot)
        if past is not None:
            self.sat[table.slot] = tuple(entrant for entrant in past.pairing.entrants if entrant != HOUSE)
            ranked = rank_table(past, table.advance)
            if ranked is not None:
                self.ranks[table.slot] = ranked
                return
            if past.state is PastState.PENDING:
                return
        sources = [self.resolve(source) for source in table.sources]
        if None in sources:
            return
        if table.slot == SECOND_FINAL and not self.needs_second_final():
            self.ranks[table.slot] = self.ranks[FINAL]
            return
        known_on = self.find_day(table)
        live = self.keep_active(sources, known_on)
        if len(live) > table.advance:
            live = self.keep_active(sources, self.matchday)
        self.sat[table.slot] = live
        if len(live) <= table.advance:
            self.ranks[table.slot] = live
        else:
            filled = live if len(live) == len(sources) else (*live, HOUSE)
            self.ready.append(ReadyTable(table, filled, past is not None))

    def find_day(self, table: BracketTable) -> int:
        """The matchday on which the table could first be drawn, or drawn again.

        A walkover stands as it was then: who leaves later must not change who had gone on.
        """
        if table.slot not in self.known_on:
            before = [self.known_on[source.slot] for source in table.sources if isinstance(source, From)]
            self.known_on[table.slot] = min(max(before, default=1), self.matchday)
        return self.known_on[table.slot]

    def keep_active(self, sources: Sequence[EntrantId | None], matchday: int) -> tuple[EntrantId, ...]:
        """Those of a table's seats who were there on a matchday."""
        return tuple(e for e in sources if e is not None and e != HOUSE and self.entries[e].is_active(matchday))

    def resolve(self, source: Source) -> EntrantId | None:
        """Who a seat goes to: HOUSE where nobody is left for it, None where that is not known yet."""
        if isinstance(source, Seed):
            return self.seeds[source.number - 1]
        if isinstance(source, From):
            ranked = self.ranks.get(source.slot)
            if ranked is None:
                return None
            return ranked[source.rank - 1] if source.rank <= len(ranked) else HOUSE
        return HOUSE

    def needs_second_final(self) -> bool:
        """Whether the one who came from below won the first final, so that both have lost once."""
        final = next(table for table in self.tables if table.slot == FINAL)
        return bool(self.ranks[FINAL]) and self.resolve(final.sources[0]) != self.ranks[FINAL][0]

    @property
    def is_over(self) -> bool:
        return all(table.slot in self.ranks for table in self.tables)

    def places(self) -> tuple[tuple[EntrantId, int], ...]:
        """The last tables part their entrants; all others share the place of the wave they went out in."""
        last_wave = {entrant: 0 for entrant in self.seeds}
        for table in self.tables:
            for entrant in self.sat.get(table.slot, ()):
                last_wave[entrant] = max(last_wave[entrant], table.wave)
        deciding = [slot for slot in (SECOND_FINAL, FINAL, "T1") if slot in self.ranks]
        order: list[list[EntrantId]] = []
        for slot in deciding[1:] if SECOND_FINAL in deciding and not self.sat.get(SECOND_FINAL) else deciding:
            seen = {entrant for group in order for entrant in group}
            order += [[entrant] for entrant in self.ranks[slot] if entrant not in seen]
        seen = {entrant for group in order for entrant in group}
        for wave in sorted(set(last_wave.values()), reverse=True):
            group = [entrant for entrant in self.seeds if last_wave[entrant] == wave and entrant not in seen]
            order += [group] if group else []
        places, next_place = [], 1
        for group in order:
            places += [(entrant, next_place) for entrant in group]
            next_place += len(group)
        return tuple(places)


def rank_table(past: PastTable, advance: int) -> tuple[EntrantId, ...] | None:
    """Entrants best first, house bots left out; None if there is no result or it does not part those at the cut."""
    if past.state is not PastState.SETTLED:
        return None
    placed = [(p, e) for p, e in zip(past.places, past.pairing.entrants, strict=True) if e != HOUSE]
    placed.sort(key=lambda row: row[0])
    if len(placed) > advance and placed[advance - 1][0] == placed[advance][0]:
        return None
    return tuple(entrant for _, entrant in placed)
