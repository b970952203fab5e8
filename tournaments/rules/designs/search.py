"""Finds starters by annealing and prints them as JSON: `python -m tournaments.rules.designs.search single 8 64`."""

import argparse
import json
import sys
from array import array
from collections.abc import Callable
from itertools import combinations
from random import Random

from tournaments.rules.designs.anneal import COUNT_CAP, Annealing
from tournaments.rules.designs.shapes import Shape, count_costs, double_shape, pair_orbits, single_shape, whist_shape
from tournaments.rules.designs.starter import Ints, Starter

SHAPES: dict[str, Callable[[int], Shape]] = {"single": single_shape, "double": double_shape, "whist": whist_shape}


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("family", choices=SHAPES)
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("--coolings", type=int, default=50, help="most coolings for each n")
    parser.add_argument("--steps", type=int, default=400_000, help="steps of one cooling")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    for n in range(asked.first, asked.last + 1):
        starter, cost = search_starter(SHAPES[asked.family](n), Random(asked.seed), asked.coolings, asked.steps)
        row = {"n": n, "m": starter.modulus, "c": starter.classes, "f": starter.fixed, "base": starter.base}
        if starter.transversals:
            row["transversals"] = starter.transversals
        print(json.dumps(row), flush=True)
        print(f"n={n} cost={cost}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
