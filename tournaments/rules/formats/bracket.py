"""Brackets as data: which tables there are, and whether a seat goes to a seed or to somebody from an earlier table."""

from dataclasses import dataclass

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
