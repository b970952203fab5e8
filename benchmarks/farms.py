"""Farms: what people who play for one account's rating gain by it, through the rules that rate real matches.

A farmer's rating is settled first (1500, sure), and then 100 matches are given to them, at the pace that serves them
best, from all at once to one in two days. `aurum bench farms`.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from statistics import median
from time import process_time
from typing import NamedTuple

from benchmarks.report import Figure, Survey, at_most, list_missed
from games.play.fairness import fade_repeats
from tournaments.rules.quick_pairing import WaitingPlayer, best_for_limits, pair_waiting
from tournaments.rules.ratings.live import rate_match
from tournaments.rules.ratings.values import INITIAL_MU, LiveRating, RatedTable, show_live

FARMER = 0
MATCHES = 100
MOST_POINTS = 30.0
SETTLED = LiveRating(INITIAL_MU, 2.1)
"""Whoever has played 200 rated matches with many others; sigma as simulated."""

WEAK = LiveRating(INITIAL_MU - 14.0, 1.5)
"""A house bot that plays anything, some 340 points below."""


class Given(NamedTuple):
    """One match of a farm: the day it is dealt, who sits at it, and their places; `early` leave in the first round."""

    day: int
    players: tuple[int, ...]
    places: tuple[int, ...]
    early: frozenset[int] = frozenset()


class World:
    """Ratings as matches of one farm are dealt, fade and are rated."""

    def __init__(self, settled: Sequence[int] = (), weak: Sequence[int] = (), farmer: LiveRating = SETTLED) -> None:
        self.ratings = {FARMER: farmer} | dict.fromkeys(settled, SETTLED) | dict.fromkeys(weak, WEAK)
        self.weak = frozenset(weak)
        self.met: defaultdict[frozenset[int], list[int]] = defaultdict(list)
        self.numbers = [show_live(farmer).number]

    def play(self, match: Given) -> None:
        pairs = [self.met[frozenset(pair)] for pair in combinations(match.players, 2)]
        share = fade_repeats(
            [sum(day == match.day for day in met) for met in pairs],
            [sum(day > match.day - 30 for day in met) for met in pairs],
        )
        for met in pairs:
            met.append(match.day)
        people = frozenset(match.players) - self.weak
        sides = tuple((player,) for player in match.players)
        table = RatedTable(sides, match.places, match.early, people, share=share, early=match.early)
        self.ratings |= {step.player: step.after for step in rate_match(self.ratings, table)}
        self.numbers.append(show_live(self.ratings[FARMER]).number)

    @property
    def gain(self) -> float:
        return self.numbers[-1] - self.numbers[0]


def puppets_resign(a_day: float, fresh: int) -> Iterator[Given]:
    """Two puppets who leave at once; every `fresh` matches two new accounts."""
    for number in range(MATCHES):
        puppets = (1000 + 2 * (number // fresh), 1001 + 2 * (number // fresh))
        yield Given(int(number / a_day), (FARMER, *puppets), (1, 2, 3), frozenset(puppets[:1]))


def puppets_lose(a_day: float, fresh: int) -> Iterator[Given]:
    """The same, but they play on and lose."""
    return (match._replace(early=frozenset()) for match in puppets_resign(a_day, fresh))


def ring_of_four(a_day: float) -> Iterator[Given]:
    """Three settled players who lose to the farmer in turn."""
    for number in range(MATCHES):
        others = [player for player in (1, 2, 3) if player != 1 + number % 3]
        yield Given(int(number / a_day), (FARMER, *others), (1, 2, 3))


def one_weak_bot(a_day: float) -> Iterator[Given]:
    for number in range(MATCHES):
        yield Given(int(number / a_day), (FARMER, 1, 2), (1, 2, 3))


def sandbag() -> Iterator[Given]:
    """Losing on purpose to strangers who are never the same."""
    for number in range(MATCHES):
        yield Given(number // 10, (FARMER, 1 + 2 * number, 2 + 2 * number), (3, 1, 2))


def run_farm(world: World, matches: Iterator[Given]) -> World:
    for match in matches:
        world.play(match)
    return world


def measure_farms() -> Survey:
    """What each farm gives after 100 matches, the best of several paces."""
    goal = at_most(MOST_POINTS)
    paces = (1000, 12, 6, 4, 3, 2, 1, 0.5)

    def best(name: str, what: str, gains: Sequence[float]) -> Figure:
        return Figure(name, what, max(gains), "points", goal)

    ring = [1, 2, 3]
    bagged = run_farm(World(settled=range(1, 2 * MATCHES + 1)), sandbag())
    figures = [
        best("puppets that resign", "two", [run_farm(World(), puppets_resign(a, MATCHES)).gain for a in paces]),
        best("puppets that resign", "200", [run_farm(World(), puppets_resign(a, 1)).gain for a in paces]),
        best("puppets that lose", "two", [run_farm(World(), puppets_lose(a, MATCHES)).gain for a in paces]),
        best("puppets that lose", "200 new ones", [run_farm(World(), puppets_lose(a, 1)).gain for a in paces]),
        best("a ring of four", "settled", [run_farm(World(ring), ring_of_four(a)).gain for a in paces]),
        best("one weak bot", "twice at the table", [run_farm(World(weak=[1, 2]), one_weak_bot(a)).gain for a in paces]),
        Figure("sandbagging", "what limits go by falls", -best_fall(bagged), "points", goal),
        Figure("sandbagging", "the number itself falls", -bagged.gain, "points"),
    ]
    return Survey("Farms: gain of a settled account after 100 matches", figures, broken=list_missed(figures))


def best_fall(world: World) -> float:
    return best_for_limits(world.numbers) - world.numbers[0]


MOST_MILLISECONDS = 50.0


def measure_pairing(*, waiting: int, runs: int) -> Survey:
    """People of all ratings who wait for twelve kinds of tables since up to two minutes, paired at once."""
    rng, times, paired = Random(1), [], 0
    for _ in range(runs):
        queue = []
        for number in range(waiting):
            seats, rating = rng.choice((3, 4)), rng.gauss(1500, 200)
            table = f"{rng.choice(('en', 'de', 'ru'))}{seats} {rng.choice(('live', 'days'))}"
            blocked = frozenset(rng.sample(range(waiting), 2))
            reach = rng.choice((150.0, 300.0, 5000.0))
            bounds = (rating - reach, rating + reach)
            queue.append(WaitingPlayer(number, table, seats, rating, *bounds, rng.uniform(0, 120), blocked))
        started = process_time()
        groups = pair_waiting(queue)
        times.append(1000 * (process_time() - started))
        paired += sum(map(len, groups))
    name = f"{waiting:,} waiting"
    figures = [
        Figure(name, "median, CPU", median(times), "ms", at_most(MOST_MILLISECONDS)),
        Figure(name, "slowest, CPU", max(times), "ms", at_most(MOST_MILLISECONDS)),
        Figure(name, "sit down at once", 100 * paired / (waiting * runs), "%"),
    ]
    return Survey("Quick pairing", figures, broken=list_missed(figures))
