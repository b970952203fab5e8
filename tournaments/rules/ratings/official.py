"""The official rating of a pool: every version of a bot is fitted by itself, and a bot shows the one it last played."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from tournaments.rules.ratings.fit import PoolFit
from tournaments.rules.ratings.listing import RankSpan, span_fit
from tournaments.rules.ratings.rankings import FloatArray, IntArray, PoolTables
from tournaments.rules.ratings.values import ShownRating, show_strength

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
    sides: int, members: int, seats: IntArray, places: np.ndarray, blocks: IntArray, shares: FloatArray
) -> PoolEntities:
    """A pool's tables in the order they were rated, as its fit takes them: entities and places by match and seat, the
    block of each match and how much of it counts."""
    entities, index = np.unique(seats, return_inverse=True)
    tables = PoolTables(
        entities,
        index.reshape(-1, sides, members).astype(np.int32),
        places.reshape(-1, sides, members)[:, :, 0],
        np.unique(blocks, return_inverse=True)[1],
        shares,
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
