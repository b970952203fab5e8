"""Finds starters by annealing."""

from array import array
from itertools import combinations
from random import Random

from tournaments.rules.designs.anneal import COUNT_CAP, Annealing
from tournaments.rules.designs.shapes import Shape, count_costs, pair_orbits
from tournaments.rules.designs.starter import Ints, Starter


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
