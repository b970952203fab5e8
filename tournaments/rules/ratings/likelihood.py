"""The Plackett-Luce likelihood of strict orders: its value, slope and curvature, in pieces of bounded memory."""

from collections.abc import Iterator
from itertools import product

import numpy as np
import scipy
from numpy.typing import NDArray

from tournaments.rules.ratings.rankings import FloatArray, IntArray, Rankings

CHUNK_ROWS = 1 << 12
"""Small enough that the allocator reuses its pages: sixteen times as many rows took four times as long a row."""

OrderArray = NDArray[np.int32]


def _chunks(rankings: Rankings) -> Iterator[tuple[OrderArray, NDArray[np.float32], IntArray]]:
    for start in range(0, len(rankings.weights), CHUNK_ROWS):
        rows = slice(start, start + CHUNK_ROWS)
        yield rankings.order[:, :, rows], rankings.weights[rows], rankings.blocks[rows]


def _choice_chances(theta: FloatArray, order: OrderArray) -> tuple[list[FloatArray], FloatArray]:
    """For each position but the last: the chance of every side still in the running, and the log likelihood a row.

    A side's strength is the sum of its members'.
    """
    strength = theta[order].sum(axis=1)
    strength -= strength.max(axis=0)
    power = np.exp(strength)
    chances, logs = [], np.zeros(order.shape[2])
    for position in range(len(strength) - 1):
        total = power[position:].sum(axis=0)
        chances.append(power[position:] / total)
        logs += strength[position] - np.log(total)
    return chances, logs


def _row_slopes(chances: list[FloatArray], weights: NDArray[np.float32]) -> FloatArray:
    """Slope of each row's log likelihood in the strength of each position."""
    slopes = np.zeros((len(chances) + 1, len(weights)))
    for position, chance in enumerate(chances):
        slopes[position] += 1
        slopes[position:] -= chance
    return slopes * weights


def _add_to_players(sums: FloatArray, order: OrderArray, by_position: FloatArray) -> None:
    """Add each position's number to every member of the side in it."""
    for member in range(order.shape[1]):
        sums += np.bincount(order[:, member].ravel(), weights=by_position.ravel(), minlength=len(sums))


def log_likelihood(theta: FloatArray, rankings: Rankings) -> tuple[float, FloatArray]:
    """The log likelihood of all orders and its gradient."""
    value, gradient = 0.0, np.zeros(len(theta))
    for order, weights, _ in _chunks(rankings):
        chances, logs = _choice_chances(theta, order)
        value += float(logs @ weights)
        _add_to_players(gradient, order, _row_slopes(chances, weights))
    return value, gradient


def information_diagonal(theta: FloatArray, rankings: Rankings) -> FloatArray:
    """The diagonal of the negative Hessian."""
    diagonal = np.zeros(len(theta))
    for order, weights, _ in _chunks(rankings):
        chances, _ = _choice_chances(theta, order)
        curvature = np.zeros((len(order), len(weights)))
        for position, chance in enumerate(chances):
            curvature[position:] += chance * (1 - chance)
        _add_to_players(diagonal, order, curvature * weights)
    return diagonal


def information_matrix(theta: FloatArray, rankings: Rankings) -> FloatArray:
    """The negative Hessian in full: for pools small enough to hold it."""
    size = len(theta)
    flat = np.zeros(size * size)
    for order, weights, _ in _chunks(rankings):
        chances, _ = _choice_chances(theta, order)
        for left, right in product(range(len(order)), repeat=2):
            curve = _row_curvature(chances, left, right) * weights
            for own, other in product(order[left], order[right]):
                np.add.at(flat, own.astype(np.int64) * size + other, curve)
    return flat.reshape(size, size)


def _row_curvature(chances: list[FloatArray], left: int, right: int) -> FloatArray:
    curve = np.zeros(chances[0].shape[1])
    for position, chance in enumerate(chances[: min(left, right) + 1]):
        own, other = chance[left - position], chance[right - position]
        curve += own * ((left == right) - other)
    return curve


def block_scores(theta: FloatArray, rankings: Rankings) -> "scipy.sparse.csr_array":
    """The gradient's share of every block and player: one row a block, summed over its matches."""
    parts = []
    for order, weights, blocks in _chunks(rankings):
        chances, _ = _choice_chances(theta, order)
        slopes = np.broadcast_to(_row_slopes(chances, weights)[:, None], order.shape)
        parts.append((slopes.ravel(), np.broadcast_to(blocks, order.shape).ravel(), order.ravel()))
    values, row, column = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    shape = (int(rankings.blocks.max()) + 1, len(theta))
    return scipy.sparse.coo_array((values, (row, column)), shape=shape).tocsr()
