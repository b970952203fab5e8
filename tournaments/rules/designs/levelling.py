"""Levels a whole schedule: byes within one, who sits to whose left, and seats by turning whole tables."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import exp
from random import Random

from tournaments.rules.designs.formulas import Matchday, Table

SWEEPS = 30
Arrows = Counter[tuple[int, int]]


def level_byes(days: Sequence[Sequence[Table]], entrants: int) -> list[Matchday]:
    """The same schedule of entrants 1 to n with byes that differ by at most one.

    Who rests too often takes, on one of those days, the seat of somebody who rests too seldom: of all such trades the
    one that adds fewest repeated meetings.
    """
    levelled = [list(day) for day in days]
    seat_of = [{who: (t, s) for t, table in enumerate(day) for s, who in enumerate(table)} for day in levelled]
    byes = {who: sum(who not in seated for seated in seat_of) for who in range(1, entrants + 1)}
    met: Counter[frozenset[int]] = Counter()
    if max(byes.values()) - min(byes.values()) > 1:
        met.update(frozenset(pair) for day in levelled for table in day for pair in _pairs(table))
    while max(byes.values()) - min(byes.values()) > 1:
        most, least = max(byes.values()), min(byes.values())
        tired = min(who for who, count in byes.items() if count == most)
        fresh = [who for who, count in byes.items() if count == least]
        day, other = min(
            ((day, who) for day, seated in enumerate(seat_of) if tired not in seated for who in fresh if who in seated),
            key=lambda trade: _price_trade(met, tired, trade[1], levelled[trade[0]][seat_of[trade[0]][trade[1]][0]]),
        )
        table, seat = seat_of[day].pop(other)
        before = levelled[day][table]
        met.subtract(frozenset(pair) for pair in _pairs(before))
        levelled[day][table] = (*before[:seat], tired, *before[seat + 1 :])
        met.update(frozenset(pair) for pair in _pairs(levelled[day][table]))
        seat_of[day][tired] = (table, seat)
        byes[tired] -= 1
        byes[other] += 1
    return levelled


def _pairs(table: Table) -> Iterator[tuple[int, int]]:
    return ((a, b) for number, a in enumerate(table) for b in table[:number])


def _price_trade(met: Counter[frozenset[int]], tired: int, other: int, table: Table) -> int:
    mates = [who for who in table if who != other]
    return sum(met[frozenset((tired, mate))] - met[frozenset((other, mate))] for mate in mates)


def list_arrows(table: Table) -> list[tuple[int, int]]:
    """Who sits right before whom, round the table."""
    return list(zip(table, (*table[1:], table[0]), strict=True))


def count_arrows(days: Sequence[Sequence[Table]]) -> Arrows:
    return Counter(arrow for day in days for table in day for arrow in list_arrows(table))


def price_mirror(arrows: Arrows, table: Table) -> int:
    """What mirroring a table that is counted already adds to the sum of squared differences, over four."""
    return sum(1 - arrows[a, b] + arrows[b, a] for a, b in list_arrows(table))


def mirror_table(arrows: Arrows, table: Table) -> Table:
    for a, b in list_arrows(table):
        arrows[a, b] -= 1
        arrows[b, a] += 1
    return table[::-1]


def level_directions(days: Sequence[Sequence[Table]]) -> list[Matchday]:
    """The same tables, some of them mirrored, so that each sits before each other as often as after, as far as a
    descent gets: tables are mirrored as long as that helps. What is level already is left as it is."""
    turned = [list(day) for day in days]
    arrows = count_arrows(turned)
    for _ in range(SWEEPS):
        helped = False
        for day in turned:
            for place, table in enumerate(day):
                if price_mirror(arrows, table) < 0:
                    day[place] = mirror_table(arrows, table)
                    helped = True
        if not helped:
            break
    return turned


HOT, COLD = 0.5, 0.2
STEPS_A_TABLE = 200
MOST_STEPS = 200_000


class TurnedTables:
    """The tables of a schedule in order, each entrant's seats counted in all and within runs of as many matches as a
    table has seats: where a run uses every seat once, seats are level on the way too."""

    def __init__(self, tables: Sequence[Table]) -> None:
        self.tables = list(tables)
        self.size = len(tables[0])
        self.all: dict[int, list[int]] = {}
        runs: dict[tuple[int, int], list[int]] = {}
        matches: dict[int, int] = {}
        self.rows: list[list[list[int]]] = []
        for table in tables:
            rows = []
            for who in table:
                matches[who] = matches.get(who, -1) + 1
                rows.append(self.all.setdefault(who, [0] * self.size))
                rows.append(runs.setdefault((who, matches[who] // self.size), [0] * self.size))
            self.rows.append(rows)

    def sit(self) -> None:
        """Count the tables as they are."""
        for rows in self.rows:
            for seat in range(self.size):
                rows[2 * seat][seat] += 1
                rows[2 * seat + 1][seat] += 1

    def find_uneven(self) -> list[int]:
        return [who for who, seats in self.all.items() if max(seats) - min(seats) > 1]

    def price_turn(self, place: int, first: int) -> int:
        """What turning a table so that `first` sits at seat 0 adds to the squares of all counts, over two."""
        size = self.size
        change = 2 * size
        for number, row in enumerate(self.rows[place]):
            change += row[(number // 2 - first) % size] - row[number // 2]
        return change

    def turn(self, place: int, first: int) -> None:
        size = self.size
        for number, row in enumerate(self.rows[place]):
            row[number // 2] -= 1
            row[(number // 2 - first) % size] += 1
        self.tables[place] = self.tables[place][first:] + self.tables[place][:first]
        rows = self.rows[place]
        self.rows[place] = rows[2 * first :] + rows[: 2 * first]

    def descend(self) -> None:
        """Turn every table to its best as long as that helps."""
        helped = True
        while helped:
            helped = False
            for place in range(len(self.tables)):
                best = min(range(1, self.size), key=lambda first: self.price_turn(place, first))
                if self.price_turn(place, best) < 0:
                    self.turn(place, best)
                    helped = True

    def cool(self, steps: int, rng: Random) -> None:
        """Anneal until everybody's seats are within one, or the steps are used up."""
        heat = HOT
        for step in range(steps):
            if step % len(self.tables) == 0:
                if not self.find_uneven():
                    return
                heat = HOT * (COLD / HOT) ** (step / steps)
            place, first = rng.randrange(len(self.tables)), rng.randrange(1, self.size)
            change = self.price_turn(place, first)
            if change <= 0 or rng.random() < exp(-change / heat):
                self.turn(place, first)


def turn_tables(days: Sequence[Sequence[Table]], most_steps: int = MOST_STEPS) -> list[Matchday]:
    """The same tables of three turned until nobody's seats differ by more than one, or no longer; always the same.

    Tables that are level as they are stay so.
    """
    given = [table for day in days for table in day]
    if not given:
        return [list(day) for day in days]
    seated = TurnedTables(given)
    seated.sit()
    if seated.find_uneven():
        seated.descend()
        seated.cool(min(most_steps, STEPS_A_TABLE * len(given)), Random(len(given)))
    turned = iter(seated.tables)
    return [[next(turned) for _ in day] for day in days]


FOUR_SWEEPS = 40
WAYS = ((0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2), (3, 2, 1, 0), (2, 1, 0, 3), (1, 0, 3, 2), (0, 3, 2, 1))


def turn_fours(days: Sequence[Sequence[Table]]) -> list[Matchday]:
    """Tables of four turned and mirrored, partners opposite, until nobody's seats differ by more than one.

    Seats come before directions here, because the side of the first player matters. Tables at which everybody is
    level stay as they are. The same every time.
    """
    turned = [list(day) for day in days]
    rng = Random(len(turned))
    count: dict[int, list[int]] = {}
    for day in turned:
        for table in day:
            sit_down(count, table, 1)
    for _ in range(FOUR_SWEEPS):
        uneven = {entrant for entrant, seats in count.items() if max(seats) - min(seats) > 1}
        if not uneven:
            break
        for day in turned:
            for place, table in enumerate(day):
                if not uneven.isdisjoint(table):
                    sit_down(count, table, -1)
                    day[place] = choose_way(count, table, rng)
                    sit_down(count, day[place], 1)
    _mirror_fours(turned, count)
    return turned


def _mirror_fours(days: list[Matchday], count: dict[int, list[int]]) -> None:
    """Seat tables another way where that evens out who sits before whom and leaves nobody's seats further apart."""
    arrows = count_arrows(days)
    for day in days:
        for place, table in enumerate(day):
            if price_mirror(arrows, table) >= 0:
                continue
            worst = max(2, *(1 + max(count[who]) - min(count[who]) for who in table))
            sit_down(count, table, -1)
            for way in WAYS[4:]:
                mirrored = tuple(table[who] for who in way)
                sit_down(count, mirrored, 1)
                if all(max(count[who]) - min(count[who]) < worst for who in table):
                    mirror_table(arrows, table)
                    day[place] = mirrored
                    break
                sit_down(count, mirrored, -1)
            else:
                sit_down(count, table, 1)


def sit_down(count: dict[int, list[int]], table: Table, sign: int) -> None:
    for seat, entrant in enumerate(table):
        count.setdefault(entrant, [0] * 4)[seat] += sign


def choose_way(count: dict[int, list[int]], table: Table, rng: Random) -> Table:
    """The way that adds least to the sum of squared counts; by lot among equals, so that a descent does not stall."""
    rows = [count[entrant] for entrant in table]
    worn = [sum(rows[who][seat] for seat, who in enumerate(way)) for way in WAYS]
    least = min(worn)
    way = WAYS[rng.choice([number for number, cost in enumerate(worn) if cost == least])]
    return tuple(table[who] for who in way)
