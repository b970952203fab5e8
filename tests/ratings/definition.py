"""The Plackett-Luce model as it is defined, table by table and slowly, to hold the quick one to."""

from collections.abc import Iterable
from itertools import permutations
from random import Random
from typing import NamedTuple

import numpy as np
from scipy.special import softmax

from tournaments.rules.ratings.rankings import FloatArray
from tournaments.rules.ratings.values import RatedTable


class Derived(NamedTuple):
    """The log likelihood of some results, its slope, and the negative of its curvature."""

    value: float
    slope: FloatArray
    information: FloatArray


def derive_likelihood(theta: FloatArray, tables: Iterable[RatedTable]) -> Derived:
    """Players are numbered from 0. The information of a choice is the covariance of who is chosen."""
    value, slope, information = 0.0, np.zeros(len(theta)), np.zeros((len(theta), len(theta)))
    for table in tables:
        orders = [order for order in permutations(range(len(table.sides))) if _fits(order, table.places)]
        for order in orders:
            members = np.array([[player in table.sides[side] for player in range(len(theta))] for side in order])
            for first in range(len(order) - 1):
                left = members[first:].astype(float)
                chances = softmax(left @ theta)
                value += float(np.log(chances[0])) / len(orders)
                slope += (left[0] - chances @ left) / len(orders)
                information += np.cov(left, rowvar=False, aweights=chances, ddof=0) / len(orders)
    return Derived(value, slope, information)


def _fits(order: tuple[int, ...], places: tuple[int, ...]) -> bool:
    return [places[side] for side in order] == sorted(places)


def draw_tables(players: int, blocks: int, seed: int, *, matches: int = 2, sides: int = 3) -> list[RatedTable]:
    """Tables drawn by chance, a third of them with ties: the same players `matches` times in each block.

    The last player sits in the first twelve blocks only. Two sides are pairs of partners.
    """
    rng = Random(seed)
    size = 1 if sides == 3 else 2
    strict = list(permutations(range(1, sides + 1)))
    tied = [(1, 1, 2), (1, 2, 2), (1, 1, 1)] if sides == 3 else [(1, 1)]
    tables = []
    for block in range(blocks):
        seated = rng.sample(range(players if block < 12 else players - 1), sides * size)
        table = tuple(tuple(seated[start : start + size]) for start in range(0, len(seated), size))
        for _ in range(matches):
            places: tuple[int, ...] = rng.choice(tied if rng.random() < 1 / 3 else strict)
            tables.append(RatedTable(table, places, block=3 * block))
    return tables
