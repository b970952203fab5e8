"""Where a bracket stands: who sits at each table, who came in which rank, and which tables can be played now."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.rules.formats.bracket import FINAL, SECOND_FINAL, BracketTable, From, Seed, Source
from tournaments.rules.formats.situation import PastTable, Situation, TableState
from tournaments.rules.pairing import HOUSE, EntrantId


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
            if past.state is TableState.PENDING:
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
    if past.state is not TableState.SETTLED:
        return None
    placed = [(p, e) for p, e in zip(past.places, past.pairing.entrants, strict=True) if e != HOUSE]
    placed.sort(key=lambda row: row[0])
    if len(placed) > advance and placed[advance - 1][0] == placed[advance][0]:
        return None
    return tuple(entrant for _, entrant in placed)
