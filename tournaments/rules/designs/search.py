"""Which groups act on the points of a starter for n entrants, and the search for starters by annealing."""

from array import array
from dataclasses import dataclass
from itertools import combinations
from math import ceil, floor
from random import Random

from tournaments.rules.designs.anneal import COUNT_CAP, Annealing
from tournaments.rules.designs.formulas import Ints, Starter, Table

PARTNER_WEIGHT = 3
"""At tables of four a wrong partnership costs more than a wrong opposition: partners are to be exact."""

# Parity rules the usual group out for these: half the period with twice the classes, or one matchday fewer.
SINGLE_EXCEPTIONS = {
    3: (1, 3, 0, 1), 4: (1, 4, 0, 1), 5: (1, 5, 0, 1), 6: (1, 6, 0, 1), 7: (1, 7, 0, 1),
    8: (1, 8, 0, 3), 12: (1, 12, 0, 4), 13: (1, 13, 0, 5),
    18: (4, 4, 2, 2), 20: (5, 4, 0, 2), 37: (9, 4, 1, 2),
    25: (11, 2, 3, 1), 44: (21, 2, 2, 1), 49: (23, 2, 3, 1), 56: (27, 2, 2, 1), 61: (29, 2, 3, 1),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shape:
    """The group (modulus, classes, fixed points), the number of base matchdays, and the tables of a starter."""

    size: int
    modulus: int
    classes: int
    fixed: int
    bases: int
    at_most: int | None = None
    """Upper limit of meetings, with no lower one; None asks for counts as equal as arithmetic allows."""
    transversals: tuple[Table, ...] = ()

    @property
    def entrants(self) -> int:
        return self.modulus * self.classes + self.fixed

    @property
    def seated(self) -> int:
        return self.entrants - self.entrants % self.size

    def group_of(self, point: int) -> int:
        moving = self.modulus * self.classes
        return point // self.modulus if point < moving else self.classes + point - moving


def single_shape(n: int) -> Shape:
    """Three players, each pair at most once, in as many matchdays as the group gives."""
    if n in SINGLE_EXCEPTIONS:
        return Shape(3, *SINGLE_EXCEPTIONS[n], at_most=1)
    if n % 12 == 9:
        m = n // 3
        lines = tuple((0, m + a, 2 * m + 2 * a % m) for a in range(1, (m + 1) // 2))
        return Shape(3, m, 3, 0, 1, at_most=1, transversals=lines)
    if n % 6 in (0, 4):
        return Shape(3, n // 2 - 1, 2, 2, 1, at_most=1)
    if n % 6 == 2:
        return Shape(3, n // 2, 2, 0, 1, at_most=1)
    return Shape(3, (n - 1) // 2, 2, 1, 1, at_most=1)


def double_shape(n: int) -> Shape:
    """Three players, each pair twice, or once or twice where two entrants have a bye each matchday."""
    if n == 6:
        return Shape(3, 1, 6, 0, 10)
    if n % 12 == 10:
        return Shape(3, n // 2, 2, 0, 2)
    return Shape(3, n - 1, 1, 1, 1) if n % 3 == 0 else Shape(3, n, 1, 0, 1)


def whist_shape(n: int) -> Shape:
    """Four players with rotating partners: partners once, opponents twice, or as near as byes let them."""
    return Shape(4, n - 1, 1, 1, 1) if n % 4 == 0 else Shape(4, n, 1, 0, 1)


def pair_orbits(shape: Shape) -> tuple[Ints, list[int]]:
    """The orbit number of every pair of points, and per orbit how many meetings of a pair one occurrence makes."""
    n, m = shape.entrants, shape.modulus
    moving = m * shape.classes
    orbit: Ints = array("i", [0] * (n * n))
    numbers: dict[tuple[int, int, int], int] = {}
    meetings: list[int] = []
    for p in range(n):
        for q in range(p + 1, n):
            a, b = shape.group_of(p), shape.group_of(q)
            step = 0 if q >= moving else (q - p) % m
            key = (a, b, min(step, (m - step) % m) if a == b else step)
            if key not in numbers:
                numbers[key] = len(meetings)
                is_half = a == b and 2 * step == m
                meetings.append(m if p >= moving else 2 if is_half else 1)
            orbit[p * n + q] = orbit[q * n + p] = numbers[key]
    return orbit, meetings


def count_costs(shape: Shape, meetings: list[int]) -> Ints:
    """The price of every count of every orbit, partners before opponents; free where within the limits wished."""
    n, matchdays = shape.entrants, shape.bases * shape.modulus
    tables = shape.seated // shape.size * matchdays
    pairs = n * (n - 1) / 2
    costs: Ints = array("i")
    for pairs_a_table, weight in ((3, 1), (0, 0)) if shape.size == 3 else ((2, PARTNER_WEIGHT), (4, 1)):
        mean = tables * pairs_a_table / pairs
        low, high = (floor(mean), ceil(mean)) if shape.at_most is None else (0, shape.at_most)
        for each in meetings:
            for count in range(COUNT_CAP):
                off = max(0, low - count * each, count * each - high)
                costs.append(weight * min(off, 20) ** 2)
    return costs


def first_places(shape: Shape, rng: Random) -> Ints:
    """Random base matchdays whose byes go to one point after another of each class, so that byes are spread evenly."""
    byes_a_base = shape.entrants - shape.seated
    place: Ints = array("i")
    for base in range(shape.bases):
        resting = []
        for number in range(base * byes_a_base, (base + 1) * byes_a_base):
            resting.append(number % shape.classes * shape.modulus + number // shape.classes % shape.modulus)
        playing = [point for point in range(shape.entrants) if point not in resting]
        rng.shuffle(playing)
        place.extend(playing + resting)
    return place


def search_starter(shape: Shape, rng: Random, coolings: int, steps: int) -> tuple[Starter, int]:
    """The best starter of so many coolings and its cost; 0, which ends the search, means every orbit is as wished."""
    orbit, meetings = pair_orbits(shape)
    costs = count_costs(shape, meetings)
    n, size = shape.entrants, shape.size
    group = array("i", [shape.group_of(point) for point in range(n)])
    best: tuple[Starter, int] | None = None
    for _ in range(coolings):
        place = first_places(shape, rng)
        counted: Ints = array("i", [0] * (len(costs) // COUNT_CAP))
        for line in shape.transversals:
            for p, q in combinations(line, 2):
                counted[orbit[p * n + q]] += 1
        seed = rng.randrange(1 << 30)
        cost = Annealing(place, size, n, shape.seated, group, orbit, costs, counted, seed).run(steps)
        if best is None or cost < best[1]:
            bases = [list(place[start : start + shape.seated]) for start in range(0, len(place), n)]
            tables = tuple(tuple(tuple(b[t : t + size]) for t in range(0, shape.seated, size)) for b in bases)
            best = Starter(shape.modulus, shape.classes, shape.fixed, tables, shape.transversals), cost
        if cost == 0:
            break
    assert best is not None, "at least one cooling"
    return best
