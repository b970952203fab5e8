"""Rated matches read back for a rebuild: in which order a pool rated them, what their results say, what was stored."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from django.db import connection

from tournaments.models import RatingPool
from tournaments.rules.rating_pools import PoolKey, RatedMatch, pool_tables
from tournaments.rules.ratings.live import rated_places
from tournaments.rules.ratings.rankings import IntArray
from tournaments.rules.ratings.replay import RecordedMatch
from tournaments.rules.ratings.values import LiveRating, RatedTable, RatingStep
from tournaments.selectors.fixture_sides import FixtureSides, array_text, read_fixture_sides

MATCHES_A_READ = 5_000

_RECORDED = """
    SELECT array_agg(match_id), array_agg(sequence), array_agg(last) FROM (
        SELECT match_id, min(sequence) AS sequence, max(sequence) AS last FROM tournaments_ratingchange
        WHERE pool_id = %s GROUP BY match_id ORDER BY sequence, match_id
    ) AS recorded
"""
_UNRECORDED = """
    SELECT array_agg(id) FROM (
        SELECT match.id FROM games_match AS match JOIN games_matchresult AS result ON result.match_id = match.id
        WHERE match.is_rated AND match.state = 'finished' AND match.players = %s AND NOT EXISTS (
            SELECT 1 FROM tournaments_ratingchange WHERE match_id = match.id AND pool_id = %s
        )
        ORDER BY result.settled_at, match.id
    ) AS unrecorded
"""
_RESULTS = """
    SELECT result.match_id, array_agg(seat.player_id ORDER BY seat.seat),
           array_agg(player.kind = 'person' ORDER BY seat.seat), result.places, result.forfeits
    FROM games_matchresult AS result
    JOIN games_match AS match ON match.id = result.match_id AND match.is_rated AND match.state = 'finished'
    JOIN games_matchseat AS seat ON seat.match_id = result.match_id
    JOIN games_player AS player ON player.id = seat.player_id
    WHERE result.match_id = ANY(%s::bigint[]) GROUP BY result.match_id
"""
_STEPS = """
    SELECT match_id, player_id, mu_before, sigma_before, mu_after, sigma_after, place, is_forfeit
    FROM tournaments_ratingchange WHERE pool_id = %s AND match_id = ANY(%s::bigint[]) ORDER BY sequence, player_id
"""

StoredStep = tuple[int, int, float, float, float, float, int, bool]
"""Match, player, mu and sigma before and after, place and whether the player forfeited."""


@dataclass(frozen=True, slots=True)
class RatingOrder:
    """Matches in the order in which a pool rates them, and the number that each has there.

    `misnumbered` counts those that were recorded under no number, two, or one that is not their place in the order.
    """

    matches: IntArray
    numbers: IntArray
    first_missing: int | None
    misnumbered: int


def key_of(pool: RatingPool) -> PoolKey:
    return PoolKey(pool.players, pool.is_teams, pool.entry_kind)


def read_rating_order(pool: RatingPool) -> RatingOrder:
    """The recorded order. Matches that should be in it and are not fill its gaps, in the order they were settled."""
    with connection.cursor() as cursor:
        cursor.execute(_RECORDED, [pool.id])
        matches, sequences, last = (np.array(column or [], dtype=np.int64) for column in cursor.fetchone())
        cursor.execute(_UNRECORDED, [pool.players, pool.id])
        unrecorded = cursor.fetchone()[0] or []
    missing = [match.id for match, _ in _read_tables(pool, unrecorded)]
    numbers = np.arange(1, len(matches) + len(missing) + 1)
    gaps = numbers[~np.isin(numbers, sequences)][: len(missing)]
    keys = np.concatenate([sequences, gaps])
    order = np.argsort(keys, kind="stable")
    is_split = np.concatenate([sequences != last, np.ones(len(missing), dtype=bool)])
    return RatingOrder(
        np.concatenate([matches, np.array(missing, dtype=np.int64)])[order],
        keys[order],
        int(gaps[0]) if missing else None,
        int(((keys[order] != numbers) | is_split[order]).sum()),
    )


def read_tables(pool: RatingPool, order: IntArray) -> Iterator[tuple[int, RatedTable]]:
    """What the results say of these matches, in their order; what does not count in the pool is left out."""
    for match, table in _read_tables(pool, order.tolist()):
        yield match.id, table


def read_steps(pool: RatingPool, order: IntArray) -> Iterator[tuple[list[tuple[int, RatedTable]], list[StoredStep]]]:
    """Tables and stored steps side by side, a bounded number of matches at a time; steps by number, then by player."""
    for start in range(0, len(order), MATCHES_A_READ):
        ids = order[start : start + MATCHES_A_READ].tolist()
        yield [(match.id, table) for match, table in _read_tables(pool, ids)], _read_steps(pool, ids)


def read_recorded(pool: RatingPool, order: IntArray) -> Iterator[RecordedMatch]:
    """The same beside the stored steps; a match that does not count comes with a table that moves nobody."""
    for start in range(0, len(order), MATCHES_A_READ):
        ids = order[start : start + MATCHES_A_READ].tolist()
        tables = {match.id: table for match, table in _read_tables(pool, ids)}
        steps: dict[int, list[RatingStep]] = {match_id: [] for match_id in ids}
        for match_id, player, *values, place, is_forfeit in _read_steps(pool, ids):
            before, after = LiveRating(*values[:2]), LiveRating(*values[2:])
            steps[match_id].append(RatingStep(player, before, after, place, is_forfeit))
        for match_id in ids:
            yield RecordedMatch(match_id, tables.get(match_id, NOBODY), tuple(steps[match_id]))


NOBODY = RatedTable(((0,), (1,)), (1, 1), forfeits=frozenset((0, 1)))
"""A table that is not rated, because all its sides forfeit."""


def _read_tables(pool: RatingPool, match_ids: Sequence[int]) -> Iterator[tuple[RatedMatch, RatedTable]]:
    key = key_of(pool)
    for start in range(0, len(match_ids), MATCHES_A_READ):
        ids = match_ids[start : start + MATCHES_A_READ]
        found = {match.id: match for match in _read_results(ids)}
        for match_id in ids:
            match = found.get(match_id)
            for pool_key, table in pool_tables(match) if match else ():
                if pool_key == key and rated_places(table) is not None:
                    yield found[match_id], table


def _read_results(match_ids: Sequence[int]) -> Iterator[RatedMatch]:
    sides = read_fixture_sides(match_ids)
    plain = FixtureSides(False, (0, 0))
    with connection.cursor() as cursor:
        cursor.execute(_RESULTS, [array_text(match_ids)])
        rows = cursor.fetchall()
    for match_id, players, persons, places, forfeits in rows:
        is_void, teams = sides.get(match_id, plain)
        if not is_void:
            yield RatedMatch(match_id, tuple(players), tuple(persons), tuple(places), tuple(forfeits), teams)


def _read_steps(pool: RatingPool, match_ids: Sequence[int]) -> list[StoredStep]:
    with connection.cursor() as cursor:
        cursor.execute(_STEPS, [pool.id, array_text(match_ids)])
        return cursor.fetchall()
