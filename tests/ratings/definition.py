"""The model of who wins as it is defined, table by table and slowly, to hold the quick one to."""

from collections.abc import Iterable
from itertools import combinations, permutations
from random import Random
from typing import NamedTuple

import numpy as np
from scipy.special import expit, softmax

from tournaments.rules.ratings.likelihood import FloatArray, Point
from tournaments.rules.ratings.values import RatedTable


class Derived(NamedTuple):
    """The log likelihood of some results, its slope, and the negative of its curvature, all in the strengths."""

    value: float
    slope: FloatArray
    information: FloatArray


def derive_likelihood(point: Point, tables: Iterable[RatedTable]) -> Derived:
    """Players are numbered from 0. The information of a choice is the covariance of what is credited to whom."""
    theta = point.theta
    value, slope, information = 0.0, np.zeros(len(theta)), np.zeros((len(theta), len(theta)))
    played = list(tables)
    is_shared = any(table.places.count(min(table.places)) > 1 for table in played)
    for table in played:
        members = np.array([[player in side for player in range(len(theta))] for side in table.sides], dtype=float)
        sides = range(len(table.sides))
        ways = [way for size in sides for way in combinations(sides, size + 1) if is_shared or size == 0]
        credits = np.array([members[list(way)].mean(axis=0) for way in ways])
        chances = softmax(credits @ theta + point.tie * np.array([len(way) - 1 for way in ways]))
        winners = tuple(side for side in sides if table.places[side] == min(table.places))
        won = ways.index(winners)
        value += float(np.log(chances[won]))
        slope += credits[won] - chances @ credits
        information += np.cov(credits, rowvar=False, aweights=chances, ddof=0)
        rest = sorted((table.places[side], side) for side in sides if side not in winners)
        if len(rest) == 2 and rest[0][0] != rest[1][0]:
            lead = members[rest[0][1]] - members[rest[1][1]]
            chance = float(expit(point.second * lead @ theta))
            value += float(np.log(chance))
            slope += point.second * (1 - chance) * lead
            information += point.second**2 * chance * (1 - chance) * np.outer(lead, lead)
    return Derived(value, slope, information)


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
