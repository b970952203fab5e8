"""Levels a whole schedule before anybody is seated: byes within one, then who sits to whose left."""

from collections import Counter
from collections.abc import Iterator, Sequence

from tournaments.rules.designs.starter import Matchday, Table

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
