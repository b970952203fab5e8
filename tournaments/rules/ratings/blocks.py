"""Matches on shared deals: how alike their results are, and so how many matches of its own each is worth."""

import numpy as np

from tournaments.rules.ratings.likelihood import Point, side_information, side_scores
from tournaments.rules.ratings.rankings import FloatArray, IntArray, PoolTables, Wins

PRIOR_LIKENESS, PRIOR_BLOCKS = 0.1, 4.0
"""Results on shared deals are believed to be a little alike, as strongly as if so many blocks had shown it."""

LEAST_VARIANCE = 0.5
"""A block is never taken to be worth more than twice its matches."""


def group_matches(tables: PoolTables) -> IntArray | None:
    """A number for each match: the same for the same sides on the same deals; None where no two are."""
    if len(np.unique(tables.blocks)) == len(tables.blocks):
        return None
    sides = np.sort(tables.sides, axis=2)
    sides = np.take_along_axis(sides, np.argsort(sides[:, :, :1], axis=1), axis=1)
    keys = tables.blocks.astype(np.uint64)
    for column in sides.reshape(len(sides), -1).T.astype(np.uint64):
        # A multiplicative hash (Knuth's constant for 64 bits): two groups fall together once in 2**64.
        keys = (keys ^ (column + np.uint64(1))) * np.uint64(0x9E3779B97F4A7C15)
        keys ^= keys >> np.uint64(29)
    groups = np.unique(keys, return_inverse=True)[1]
    return groups if groups.max() + 1 < len(groups) else None


def weigh_matches(point: Point, wins: Wins, groups: IntArray, covariance: FloatArray) -> FloatArray:
    """What each match is worth: 1 / (1 + (m - 1) r) in a group of m, where r is how alike results in a group are.

    Weighted so, the information of the likelihood is the inverse of the variance of its peak, with blocks as without.
    `r` is found from how far the sums of the groups' scores vary beyond what the model gives each match by itself; the
    part that fitting took away from them (the leverage) is added again. `covariance` is that of an unweighted fit: a
    matrix, or the diagonal of a large pool.
    """
    sizes = np.bincount(groups)
    seen, expected = _compare_groups(point, wins, groups, covariance)
    excess, room = float((seen - expected).sum()), float(((sizes - 1) * expected).sum())
    prior = PRIOR_BLOCKS * room / max(int(np.count_nonzero(sizes > 1)), 1)
    likeness = (excess + prior * PRIOR_LIKENESS) / (room + prior)
    likeness = min(max(likeness, (LEAST_VARIANCE - 1) / (int(sizes.max()) - 1)), 1.0)
    weights: FloatArray = 1 / (1 + (sizes[groups] - 1) * likeness)
    return weights


def _compare_groups(
    point: Point, wins: Wins, groups: IntArray, covariance: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """For each group: the square of its summed score, in units of the fit's uncertainty, and what is expected of it.

    Sides sit in other seats from match to match of a group, so each group's sides are brought into one order first.
    """
    names = wins.order.min(axis=1)
    ranked = np.argsort(names, axis=0)
    scores = np.take_along_axis(side_scores(point, wins), ranked, axis=0)
    information = side_information(point, wins)
    information = np.take_along_axis(information, ranked[:, None], axis=0)
    information = np.take_along_axis(information, ranked[None, :], axis=1)
    count = int(groups.max()) + 1
    first = np.unique(groups, return_index=True)[1]
    members = np.take_along_axis(wins.order, ranked[:, None], axis=0)[:, :, first]
    score = np.stack([np.bincount(groups, weights=row, minlength=count) for row in scores])
    curve = np.stack([[np.bincount(groups, weights=cell, minlength=count) for cell in row] for row in information])
    local = side_covariance(members, covariance)
    pulled = np.einsum("stg,tug->sug", local, curve)
    seen = np.einsum("sg,stg,tg->g", score, local, score)
    expected = np.einsum("ssg->g", pulled) - np.einsum("stg,tsg->g", pulled, pulled)
    return seen, np.maximum(expected, 0.0)


def side_covariance(members: np.ndarray, covariance: FloatArray) -> FloatArray:
    """The covariance of the sides' strengths, by side, side and column of `members`: sums over their members."""
    if covariance.ndim == 2:
        return covariance[members[:, None, :, None], members[None, :, None, :]].sum(axis=(2, 3))
    sides = len(members)
    return np.eye(sides)[:, :, None] * covariance[members].sum(axis=1)[:, None, :]
