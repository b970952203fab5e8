"""The rated matches of a pool as columns for the official fit: every version of a bot is an entity of its own."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from django.db import connection

from tournaments.models import RatingPool
from tournaments.rules.ratings.rankings import IntArray, PoolTables

MATCHES_A_FIT_READ = 50_000
VERSION_BITS = 32
"""An entity is the player's id shifted by so many bits, plus the version's id; 0 for who has no versions."""

_STEPS = """
    SELECT array_agg(sequence), array_agg(player_id), array_agg(version), array_agg(place), array_agg(block)
    FROM (
        SELECT change.sequence, change.player_id, change.place, uuid_hash_extended(match.deals, 0) AS block,
               CASE WHEN seat.agent LIKE 'version:%%' THEN substring(seat.agent FROM 9)::bigint ELSE 0 END AS version
        FROM tournaments_ratingchange AS change
        JOIN games_match AS match ON match.id = change.match_id
        LEFT JOIN games_matchseat AS seat
          ON seat.match_id = change.match_id AND seat.player_id = change.player_id
         AND (seat.seat = seat.side OR NOT %(is_teams)s)
        WHERE change.pool_id = %(pool)s AND change.sequence > %(after)s AND change.sequence <= %(upto)s
        ORDER BY change.sequence, seat.side, change.player_id
    ) AS step
"""


@dataclass(frozen=True, slots=True)
class PoolEntities:
    """Tables whose players are entities; `newest` gives the entity that each player last played as.

    `forerunners` maps a version to the one of the same bot before it, where both have results.
    """

    tables: PoolTables
    newest: dict[int, int]
    forerunners: dict[int, int]


def read_pool_tables(pool: RatingPool, upto: int) -> PoolEntities:
    """Every match of the pool up to this number. One whose steps are not all there is left out: a rebuild finds it."""
    sides, members = (2, 2) if pool.players == 4 and not pool.is_teams else (2 if pool.is_teams else 3, 1)
    chunks = list(_read_chunks(pool, upto, sides * members))
    seats = np.concatenate([entities for entities, _, _ in chunks]) if chunks else np.empty((0, sides * members), int)
    places = np.concatenate([place for _, place, _ in chunks]) if chunks else np.empty((0, sides * members), np.int8)
    blocks = np.concatenate([block for _, _, block in chunks]) if chunks else np.empty(0, int)
    entities, index = np.unique(seats, return_inverse=True)
    tables = PoolTables(
        entities,
        index.reshape(-1, sides, members).astype(np.int32),
        places.reshape(-1, sides, members)[:, :, 0],
        np.unique(blocks, return_inverse=True)[1],
    )
    return PoolEntities(tables, _find_newest(seats), _find_forerunners(entities.tolist()))


def _read_chunks(pool: RatingPool, upto: int, seats: int) -> Iterator[tuple[IntArray, np.ndarray, IntArray]]:
    """Entities and places by match and seat, and the block of each match, a bounded number of matches at a time."""
    for after in range(0, upto, MATCHES_A_FIT_READ):
        with connection.cursor() as cursor:
            last = min(after + MATCHES_A_FIT_READ, upto)
            cursor.execute(_STEPS, {"pool": pool.id, "is_teams": pool.is_teams, "after": after, "upto": last})
            columns = cursor.fetchone()
        if columns[0] is None:
            continue
        sequence, players, versions, places, blocks = (np.array(column, dtype=np.int64) for column in columns)
        _, index, counts = np.unique(sequence, return_inverse=True, return_counts=True)
        is_whole = counts[index] == seats
        entities = (players << VERSION_BITS) + versions
        yield (
            entities[is_whole].reshape(-1, seats),
            places[is_whole].astype(np.int8).reshape(-1, seats),
            blocks[is_whole][::seats],
        )


def _find_newest(seats: IntArray) -> dict[int, int]:
    backwards = seats.ravel()[::-1]
    players, first = np.unique(backwards >> VERSION_BITS, return_index=True)
    return dict(zip(players.tolist(), backwards[first].tolist(), strict=True))


def _find_forerunners(entities: list[int]) -> dict[int, int]:
    """Ids of versions rise with time, and `entities` is sorted."""
    return {
        entity: before
        for before, entity in pairwise(entities)
        if before >> VERSION_BITS == entity >> VERSION_BITS
    }
