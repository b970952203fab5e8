"""Which estimates the results really part, and the rank that those they do not part share."""

from collections.abc import Mapping
from math import hypot
from typing import NamedTuple

import numpy as np

from tournaments.rules.ratings.scale import INTERVAL_WIDTH
from tournaments.rules.ratings.values import Estimate

CHUNK_ROWS = 1024


class RankSpan(NamedTuple):
    """The ranks the results leave open: `best` is the shared rank, one more than those surely better."""

    best: int
    worst: int


def are_separable(one: Estimate, other: Estimate) -> bool:
    """Whether the 95 % interval of the difference leaves zero out."""
    return abs(one.value - other.value) > INTERVAL_WIDTH * hypot(one.se, other.se)


def span_ranks(estimates: Mapping[int, Estimate]) -> dict[int, RankSpan]:
    """The span of ranks of each: not separable are those whose spans were left open by the same results."""
    players = list(estimates)
    values = np.array([estimates[player].value for player in players])
    variances = np.array([estimates[player].se for player in players]) ** 2
    spans = {}
    for start in range(0, len(players), CHUNK_ROWS):
        rows = slice(start, start + CHUNK_ROWS)
        gap = values[None, :] - values[rows, None]
        margin = INTERVAL_WIDTH * np.sqrt(variances[None, :] + variances[rows, None])
        better, worse = (gap > margin).sum(axis=1), (gap < -margin).sum(axis=1)
        for player, above, below in zip(players[rows], better.tolist(), worse.tolist(), strict=True):
            spans[player] = RankSpan(1 + above, len(players) - below)
    return spans
