"""The list of a pool: strengths with intervals, the ranks that results leave open, and each bot by its last version.

With many pairs some would always seem apart by luck. So a difference counts only beyond the reach that the largest of
all differences between equals passes in one pool of twenty: Tukey's studentized range, with the variance of each
difference by itself (Kramer), and further where the errors come from few blocks (Dunnett).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import inf, sqrt
from typing import NamedTuple

import numpy as np
import scipy

from tournaments.rules.ratings.fit import PoolFit, fit_pool
from tournaments.rules.ratings.likelihood import FloatArray, IntArray, PoolTables
from tournaments.rules.ratings.values import Estimate, ShownRating, show_strength

CHUNK_ROWS = 1024
CERTAINTY = 0.95
FREEDOMS = np.array([1, 2, 3, 4, 5, 7, 10, 15, 25, 50, 120, 1e6])
"""Reaches between these are interpolated in the inverse of the freedom."""


class RankSpan(NamedTuple):
    """The ranks the results leave open: `best` is the shared rank, one more than those surely better."""

    best: int
    worst: int


def span_ranks(estimates: Mapping[int, Estimate], *, is_zero_sum: bool = False) -> dict[int, RankSpan]:
    """The span of ranks of each, from estimates with errors of their own.

    `is_zero_sum` says that what one wins the others lose, so that two of n estimates differ by n / (n - 1) more than
    their own errors say.
    """
    players, count = list(estimates), len(estimates)
    values = np.array([estimates[player].value for player in players])
    variances = np.array([estimates[player].se for player in players]) ** 2
    freedoms = np.array([estimates[player].freedom for player in players])
    spans: dict[int, RankSpan] = {}
    reaches = _tabulate_reaches(count) if np.isfinite(freedoms).any() else None
    for start in range(0, count, CHUNK_ROWS):
        rows = slice(start, start + CHUNK_ROWS)
        both = variances[None, :] + variances[rows, None]
        reach: float | FloatArray = find_reach(count)
        if reaches is not None:
            reach = _interpolate_reach(reaches, variances, freedoms, rows)
        margin = reach * np.sqrt(both * (count / (count - 1) if is_zero_sum and count > 1 else 1.0))
        spans |= _count_ranks(players[rows], values[None, :] - values[rows, None], margin)
    return spans


def span_fit(fit: PoolFit, players: Sequence[int] | None = None) -> dict[int, RankSpan]:
    """The span of ranks of these players of a fit (all, if none are named), each among those of its own island."""
    chosen = fit.players.tolist() if players is None else list(players)
    rows_of = np.array([fit.find_row(player) for player in chosen], dtype=np.int64)
    spans: dict[int, RankSpan] = {}
    for island in np.unique(fit.islands[rows_of]).tolist():
        rows = rows_of[fit.islands[rows_of] == island]
        reach = find_reach(len(rows))
        for start in range(0, len(rows), CHUNK_ROWS):
            own = rows[start : start + CHUNK_ROWS]
            gap = fit.theta[None, rows] - fit.theta[own, None]
            errors = np.sqrt(fit.difference_variances(own)[:, rows])
            # Nobody differs from himself, however far it reaches: alone it reaches for ever.
            margin = np.where(errors > 0.0, reach, 0.0) * errors
            spans |= _count_ranks(fit.players[own].tolist(), gap, margin)
    return spans


@lru_cache(maxsize=256)
def find_reach(count: int) -> float:
    """How many standard errors of a difference the largest of all differences between `count` equals keeps within.

    The range of normals, summed here: SciPy has it in a part whose loading takes a worker longer than 500 matches.
    """
    if count < 2:
        return inf
    z, step = np.linspace(-9.0, 9.0, 1801, retstep=True)
    density, below = np.exp(-(z**2) / 2) / sqrt(2 * np.pi), scipy.special.ndtr(z)

    def miss(length: float) -> float:
        within = below - scipy.special.ndtr(z - length)
        return count * float((density * within ** (count - 1)).sum() * step) - CERTAINTY

    return float(scipy.optimize.brentq(miss, 0.0, 20.0, xtol=1e-12)) / sqrt(2)


def _count_ranks(players: list[int], gap: FloatArray, margin: FloatArray) -> dict[int, RankSpan]:
    """`gap` is by player and other: how far the other is above."""
    better, worse = (gap > margin).sum(axis=1).tolist(), (gap < -margin).sum(axis=1).tolist()
    return {
        player: RankSpan(1 + above, gap.shape[1] - below)
        for player, above, below in zip(players, better, worse, strict=True)
    }


@lru_cache(maxsize=256)
def _tabulate_reaches(count: int) -> FloatArray:
    """The reach at every freedom of the table: the range of normals, over the root of a chi-square by its freedom."""
    lengths = np.concatenate([np.arange(0.0, 12.0, 0.02), np.geomspace(12.0, 400.0, 200)])
    z = np.linspace(-8.0, 8.0, 161)
    within = scipy.special.ndtr(z[None, :]) - scipy.special.ndtr(z[None, :] - lengths[:, None])
    density = np.exp(-(z**2) / 2) / sqrt(2 * np.pi)
    range_chance = count * (density * within ** (count - 1)).sum(axis=1) * (z[1] - z[0])
    shares = (np.arange(400) + 0.5) / 400
    reaches = []
    for freedom in FREEDOMS:
        scales = np.sqrt(scipy.special.chdtri(freedom, 1 - shares) / freedom)
        chance = np.array([np.interp(length * scales, lengths, range_chance, right=1.0).mean() for length in lengths])
        reaches.append(float(np.interp(CERTAINTY, chance, lengths)) / sqrt(2))
    return np.array(reaches)


def _interpolate_reach(reaches: FloatArray, variances: FloatArray, freedoms: FloatArray, rows: slice) -> FloatArray:
    """The reach of every pair: that at the freedom of each, weighted by their variances (Dunnett's C, 1980).

    At the joint freedom of Welch somebody was parted in 7 to 10 % of rounds of equals with three to eight blocks each.
    """
    own: FloatArray = np.interp(np.clip(1 / freedoms, 1e-6, 1.0), 1 / FREEDOMS[::-1], reaches[::-1])
    # Nobody is parted from an estimate without an error, so that its weight does not matter.
    weights = np.where(np.isfinite(variances) & (variances > 0), variances, 1e-12)
    joint: FloatArray = (own * weights)[None, :] + (own * weights)[rows, None]
    return joint / (weights[None, :] + weights[rows, None])


@dataclass(frozen=True, slots=True)
class PlayerRating:
    """A player of a pool; `strength` is in log-odds against the anchor, or the mean of its island.

    `low` and `high` are the 95 % interval of just that number. Ranks are among the players of the island.
    """

    name: str
    matches: int
    strength: float
    low: float
    high: float
    rating: float
    rating_low: float
    rating_high: float
    rank_best: int
    rank_worst: int
    provisional: bool
    island: int


def rate_players(tables: PoolTables, names: Sequence[str], anchor: int | None = None) -> list[PlayerRating]:
    """Best first, island by island. Players are numbers into `names`; islands are counted from 1, the largest."""
    fit = fit_pool(tables)
    strengths, spans = fit.strengths(anchor), span_fit(fit)
    ratings = []
    for player, matches, island in zip(fit.players.tolist(), fit.matches.tolist(), fit.islands.tolist(), strict=True):
        strength, shown = strengths[player], show_strength(strengths[player])
        ratings.append(
            PlayerRating(
                names[player], matches, strength.value, strength.low, strength.high, shown.number,
                shown.low, shown.high, spans[player].best, spans[player].worst, shown.is_provisional, island + 1,
            )
        )
    return sorted(ratings, key=lambda one: (one.island, -one.strength, one.name))

VERSION_BITS = 32
"""An entity is the player's id shifted by so many bits, plus the version's id; 0 for who has no versions."""


OFFICIAL_COLUMNS = (
    "official", "official_low", "official_high", "lower_bound", "is_provisional", "rank_best", "rank_worst",
)
"""What a fit stores of a player."""


class OfficialRating(NamedTuple):
    """As it is shown, and the ranks it leaves open among those who are not provisional."""

    shown: ShownRating
    span: RankSpan | None

    @property
    def columns(self) -> dict[str, float | int | None]:
        """As it is stored."""
        return dict(zip(OFFICIAL_COLUMNS, (*self.shown, *(self.span or (None, None))), strict=True))


@dataclass(frozen=True, slots=True)
class PoolEntities:
    """Tables whose players are entities; `newest` gives the entity that each player last played as.

    `forerunners` maps a version to the one of the same bot before it, where both have results.
    """

    tables: PoolTables
    newest: dict[int, int]
    forerunners: dict[int, int]


def seats_of_pool(players: int, is_teams: bool) -> tuple[int, int]:
    """How many sides a table of the pool has, and how many rated players a side."""
    return (2, 2) if players == 4 and not is_teams else (2 if is_teams else 3, 1)


def gather_entities(
    sides: int, members: int, seats: IntArray, places: np.ndarray, blocks: IntArray, shares: FloatArray,
    scores: FloatArray,
) -> PoolEntities:
    """A pool's tables in the order they were rated, as its fit takes them: entities, places and scores by match and
    seat, the block of each match and how much of it counts."""
    entities, index = np.unique(seats, return_inverse=True)
    tables = PoolTables(
        entities,
        index.reshape(-1, sides, members).astype(np.int32),
        places.reshape(-1, sides, members)[:, :, 0],
        np.unique(blocks, return_inverse=True)[1],
        shares,
        scores.reshape(-1, sides, members)[:, :, 0],
    )
    return PoolEntities(tables, _find_newest(seats), _find_forerunners(entities.tolist()))


def _find_newest(seats: IntArray) -> dict[int, int]:
    backwards = seats.ravel()[::-1]
    players, first = np.unique(backwards >> VERSION_BITS, return_index=True)
    return dict(zip(players.tolist(), backwards[first].tolist(), strict=True))


def _find_forerunners(entities: list[int]) -> dict[int, int]:
    """Ids of versions rise with time, and `entities` is sorted."""
    return {entity: before for before, entity in pairwise(entities) if before >> VERSION_BITS == entity >> VERSION_BITS}


def rate_officially(fit: PoolFit, newest: Mapping[int, int], anchor_player: int | None) -> dict[int, OfficialRating]:
    """Each player by the version it last played, on the scale where the anchor bot, if it played here, is 1500.

    Who never met the anchor, not even through others (without one: the largest island), cannot be ranked with the
    rest, and stays provisional.
    """
    anchor = None if anchor_player is None else newest.get(anchor_player)
    strengths = fit.strengths(anchor)
    home = 0 if anchor is None else fit.islands[fit.find_row(anchor)]
    shown = {player: show_strength(strengths[entity]) for player, entity in newest.items()}
    for player, entity in newest.items():
        if fit.islands[fit.find_row(entity)] != home:
            shown[player] = shown[player]._replace(is_provisional=True)
    spans = span_fit(fit, [newest[player] for player, one in shown.items() if not one.is_provisional])
    return {player: OfficialRating(one, spans.get(newest[player])) for player, one in shown.items()}
