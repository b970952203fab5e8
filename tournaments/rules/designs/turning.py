"""Levels seats at tables of four by turning and mirroring whole tables, which keeps partners opposite each other."""

from collections.abc import Sequence
from random import Random

from tournaments.rules.designs.starter import Matchday, Table

SWEEPS = 40
WAYS = ((0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2), (3, 2, 1, 0), (2, 1, 0, 3), (1, 0, 3, 2), (0, 3, 2, 1))


def turn_tables(days: Sequence[Sequence[Table]]) -> list[Matchday]:
    """The same tables turned until nobody's seats differ by more than one, or no longer; the same every time.

    Tables at which everybody is level already stay as they are.
    """
    turned = [list(day) for day in days]
    rng = Random(len(turned))
    count: dict[int, list[int]] = {}
    for day in turned:
        for table in day:
            sit_down(count, table, 1)
    for _ in range(SWEEPS):
        uneven = {entrant for entrant, seats in count.items() if max(seats) - min(seats) > 1}
        if not uneven:
            break
        for day in turned:
            for place, table in enumerate(day):
                if not uneven.isdisjoint(table):
                    sit_down(count, table, -1)
                    day[place] = choose_way(count, table, rng)
                    sit_down(count, day[place], 1)
    return turned


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
