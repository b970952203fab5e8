"""How sure a standing is: each entrant's mean points a match, with the standard error that its blocks give."""

from collections.abc import Iterable
from itertools import count

import numpy as np

from tournaments.rules.ratings.values import Estimate
from tournaments.rules.standings.results import Scoring, TableResult
from tournaments.rules.standings.tally import UNITS, arrange_results, credit_seats


def estimate_points(results: Iterable[TableResult], scoring: Scoring) -> dict[int, Estimate]:
    """Mean points of each entrant who played; infinite error for one block alone, which can part nobody."""
    entrants, blocks, points = [], [], []
    alone = count(1)
    for arrays in arrange_results(results):
        seats = arrays.entrants.shape[1]
        entrants.append(arrays.entrants.ravel())
        points.append(credit_seats(arrays, scoring)[1].ravel() / UNITS)
        keys = [-next(alone) if result.block is None else result.block for result in arrays.results]
        blocks.append(np.repeat(keys, seats))
    if not entrants:
        return {}
    pairs, index = np.unique(
        np.column_stack([np.concatenate(entrants), np.concatenate(blocks)]), axis=0, return_inverse=True
    )
    means = np.bincount(index, weights=np.concatenate(points)) / np.bincount(index)
    ids, owner = np.unique(pairs[:, 0], return_inverse=True)
    met = np.bincount(owner)
    mean = np.bincount(owner, weights=means) / met
    squares = np.bincount(owner, weights=(means - mean[owner]) ** 2)
    error = np.where(met > 1, np.sqrt(squares / np.maximum(met - 1, 1) / met), np.inf)
    return {
        entrant: Estimate(value, se, max(blocks_met - 1, 1))
        for entrant, value, se, blocks_met in zip(
            ids.tolist(), mean.tolist(), error.tolist(), met.tolist(), strict=True
        )
    }
