"""Islands: players who never met, not even through others, cannot be compared; each group has a scale of its own."""

import numpy as np
import scipy

from tournaments.rules.ratings.rankings import FloatArray, IntArray, PoolTables


def find_islands(tables: PoolTables) -> IntArray:
    """The number of each player's island: 0 for the largest; of two alike, for the one with the lower id first."""
    players = len(tables.players)
    seats = tables.sides.reshape(len(tables.sides), int(np.prod(tables.sides.shape[1:])))
    first, others = np.repeat(seats[:, 0], seats.shape[1] - 1), seats[:, 1:].ravel()
    met = scipy.sparse.coo_array((np.ones(len(first)), (first, others)), shape=(players, players))
    labels = scipy.sparse.csgraph.connected_components(met, directed=False)[1]
    _, start, index, sizes = np.unique(labels, return_index=True, return_inverse=True, return_counts=True)
    number = np.empty(len(sizes), dtype=np.int64)
    number[np.lexsort((start, -sizes))] = np.arange(len(sizes))
    return number[index]


def centre_islands(theta: FloatArray, islands: IntArray) -> FloatArray:
    """Strengths less the mean of each island."""
    centred: FloatArray = theta - (np.bincount(islands, weights=theta) / np.bincount(islands))[islands]
    return centred
