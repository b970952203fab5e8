"""The list of a pool: everybody's strength and rating with their intervals, and the ranks the results leave open."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.rules.ratings.fit import fit_pool
from tournaments.rules.ratings.rankings import PoolTables
from tournaments.rules.ratings.scale import INTERVAL_WIDTH, show_strength
from tournaments.rules.ratings.separable import span_fit
from tournaments.rules.ratings.values import Estimate


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
    against, own, spans = fit.estimates(anchor), fit.estimates(), span_fit(fit)
    ratings = []
    for player, matches, island in zip(fit.players.tolist(), fit.matches.tolist(), fit.islands.tolist(), strict=True):
        value, se, _ = against[player]
        shown = show_strength(Estimate(value, se), own[player].se)
        ratings.append(
            PlayerRating(
                names[player], matches, value, value - INTERVAL_WIDTH * se, value + INTERVAL_WIDTH * se,
                shown.number, shown.low, shown.high, spans[player].best, spans[player].worst, shown.is_provisional,
                island + 1,
            )
        )
    return sorted(ratings, key=lambda one: (one.island, -one.strength, one.name))
