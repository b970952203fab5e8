"""Levels seats at tables of four by turning and mirroring whole tables, which keeps partners opposite each other."""

from collections.abc import Sequence
from random import Random

from tournaments.rules.designs.starter import Matchday, Table

SWEEPS = 12
WAYS = ((0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2), (3, 2, 1, 0), (2, 1, 0, 3), (1, 0, 3, 2), (0, 3, 2, 1))


def turn_tables(days: Sequence[Sequence[Table]], around: int | None = None) -> list[Matchday]:
    """The same tables turned so that everybody's seats come out as level as a descent finds; the same every time.

    With `around`, only the tables of that entrant turn and the others stay as they are.
    """
    turned = [list(day) for day in days]
    rng = Random(len(turned))
    count: dict[int, list[int]] = {}
    spots = []
    for number, day in enumerate(turned):
        for place, table in enumerate(day):
            if around is None or around in table:
                spots.append((number, place))
            else:
                _sit(count, table, 1)
    for sweep in range(SWEEPS):
        changed = False
        for number, place in spots:
            table = turned[number][place]
            if sweep:
                _sit(count, table, -1)
            best = _best_way(count, table, rng)
            changed |= best != table
            turned[number][place] = best
            _sit(count, best, 1)
        if not changed or all(max(seats) - min(seats) <= 1 for seats in count.values()):
            break
    return turned


def _sit(count: dict[int, list[int]], table: Table, sign: int) -> None:
    for seat, entrant in enumerate(table):
        count.setdefault(entrant, [0] * 4)[seat] += sign


def _best_way(count: dict[int, list[int]], table: Table, rng: Random) -> Table:
    """The way that adds least to the sum of squared counts; by lot among equals, so that a descent does not stall."""
    rows = [count.setdefault(entrant, [0] * 4) for entrant in table]
    worn = [sum(rows[who][seat] for seat, who in enumerate(way)) for way in WAYS]
    least = min(worn)
    way = WAYS[rng.choice([number for number, cost in enumerate(worn) if cost == least])]
    return tuple(table[who] for who in way)
