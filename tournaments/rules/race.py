"""How the lead of a stage came about: everybody's points over an even share, match by match, and what decided it."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from games.rules.outcome import count_places
from tournaments.rules.standings import TableResult


@dataclass(frozen=True, slots=True)
class Race:
    """`ahead` holds, for each of the shown entrants, the points over an even share after each match.

    `decided` is the number, from 1, of the match since which the first of them has led the second and third for good;
    None where that cannot be said, because others are level at the end. `swings` are the matches, from 1, that moved
    the first most against whoever of the shown was nearest at the end, in the order of play.
    """

    ahead: tuple[tuple[float, ...], ...]
    decided: int | None
    swings: tuple[int, ...]


def share_points(result: TableResult, points: Sequence[float]) -> dict[int, float]:
    """What a match gave each of its entrants over an even share; who shares a place shares what it is worth."""
    places = count_places(result.places, result.forfeits)
    even = sum(points) / len(points)
    worth = {}
    for place in set(places):
        level = places.count(place)
        worth[place] = sum(points[place - 1 : place - 1 + level]) / level
    sides = len(places)
    return {entrant: worth[places[seat % sides]] - even for seat, entrant in enumerate(result.entrants)}


MOST_SWINGS = 3


def run_race(results: Sequence[TableResult], points: Sequence[float], shown: Sequence[int]) -> Race:
    """`shown` are entrants in the order of the standings; `results` are matches that were played, in order."""
    totals: dict[int, float] = defaultdict(float)
    ahead: dict[int, list[float]] = {entrant: [] for entrant in shown}
    for result in results:
        for entrant, gained in share_points(result, points).items():
            totals[entrant] += gained
        for entrant, way in ahead.items():
            way.append(totals[entrant])
    if len(shown) < 2 or not results:
        return Race(tuple(map(tuple, ahead.values())), None, ())
    first = ahead[shown[0]]
    rivals = [ahead[entrant] for entrant in shown[1:]]
    leads = [first[at] - max(way[at] for way in rivals) for at in range(len(results))]
    decided = None
    if leads[-1] > 1e-9:
        decided = 1 + max((at + 1 for at, lead in enumerate(leads) if lead <= 1e-9), default=0)
    nearest = max(rivals, key=lambda way: way[-1])
    gaps = [0.0, *(own - other for own, other in zip(first, nearest, strict=True))]
    moved = [abs(after - before) for before, after in pairwise(gaps)]
    late = sorted(range(len(moved)), key=lambda at: (-moved[at], -at))[:MOST_SWINGS]
    return Race(tuple(map(tuple, ahead.values())), decided, tuple(sorted(at + 1 for at in late if moved[at] > 0)))
