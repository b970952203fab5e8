"""Rated matches of a pool read back: as columns for the official fit, and in order for a rebuild."""

from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from struct import Struct
from typing import Any

import numpy as np
from django.db import connection

from aurum_league.common.sql import array_text
from games.models import Player
from games.play.agents import AgentKind
from tournaments.models import RatingPool
from tournaments.rules.ratings.likelihood import FloatArray, IntArray
from tournaments.rules.ratings.listing import VERSION_BITS, PoolEntities, gather_entities, seats_of_pool
from tournaments.rules.ratings.live import RecordedMatch, rated_places
from tournaments.rules.ratings.values import LiveRating, PoolKey, RatedMatch, RatedTable, RatingStep, pool_tables
from tournaments.selectors.schedule import FixtureSides, fetch_fixture_sides

MATCHES_A_FIT_READ = 50_000

_STEPS = f"""
    SELECT array_agg(share), array_agg(sequence), array_agg(player_id), array_agg(version), array_agg(place),
           array_agg(block), array_agg(score)
    FROM (
        SELECT match.share, change.sequence, change.player_id, change.place,
               uuid_hash_extended(match.deals, 0) AS block,
               CASE WHEN cardinality(result.forfeits) = 0 THEN result.totals[seat.side + 1]::float8
                    ELSE 'NaN' END AS score,
               CASE WHEN seat.agent LIKE '{AgentKind.VERSION.prefix}%%'
                    THEN substring(seat.agent FROM {len(AgentKind.VERSION.prefix) + 1})::bigint ELSE 0 END AS version
        FROM tournaments_ratingchange AS change
        JOIN games_match AS match ON match.id = change.match_id
        LEFT JOIN games_matchresult AS result ON result.match_id = change.match_id
        LEFT JOIN games_matchseat AS seat
          ON seat.match_id = change.match_id AND seat.player_id = change.player_id
         AND (seat.seat = seat.side OR NOT %(is_teams)s)
        WHERE change.pool_id = %(pool)s AND change.sequence > %(after)s AND change.sequence <= %(upto)s
        ORDER BY change.sequence, seat.side, change.player_id
    ) AS step
"""


ANCHOR_SLUG = "house-counting"


def find_anchor() -> int | None:
    """The house bot that has 1500 in every pool where it played."""
    return Player.objects.filter(slug=ANCHOR_SLUG).values_list("pk", flat=True).first()


def read_pool_tables(pool: RatingPool, upto: int, *, after: int = 0) -> PoolEntities:
    """Every match after one number up to another; one whose steps are not all there is left out: a rebuild finds it."""
    sides, members = seats_of_pool(pool.players, pool.is_teams)
    chunks = list(_read_chunks(pool, upto, sides * members, after))
    seats = np.empty((0, sides * members), int)
    nothing = (seats, seats.astype(np.int8), np.empty(0, int), np.empty(0), seats.astype(float))
    columns = zip(*chunks, strict=True) if chunks else ((one,) for one in nothing)
    return gather_entities(sides, members, *(np.concatenate(column) for column in columns))


def _read_chunks(
    pool: RatingPool, upto: int, seats: int, first: int
) -> Iterator[tuple[IntArray, np.ndarray, IntArray, FloatArray, FloatArray]]:
    """Entities and places by match and seat, block and share of each match, scores by match and seat, a bounded number
    of matches at a time."""
    for after in range(first, upto, MATCHES_A_FIT_READ):
        with connection.cursor() as cursor:
            last = min(after + MATCHES_A_FIT_READ, upto)
            cursor.execute(_STEPS, {"pool": pool.id, "is_teams": pool.is_teams, "after": after, "upto": last})
            columns = cursor.fetchone()
        if columns[0] is None:
            continue
        shares, scores = (np.array(columns[number], dtype=np.float64) for number in (0, -1))
        sequence, players, versions, places, blocks = (np.array(column, dtype=np.int64) for column in columns[1:-1])
        _, index, counts = np.unique(sequence, return_inverse=True, return_counts=True)
        is_whole = counts[index] == seats
        entities = (players << VERSION_BITS) + versions
        yield (
            entities[is_whole].reshape(-1, seats),
            places[is_whole].astype(np.int8).reshape(-1, seats),
            blocks[is_whole][::seats],
            shares[is_whole][::seats],
            scores[is_whole].reshape(-1, seats),
        )


MATCHES_A_READ = 5_000

_RECORDED = """
    SELECT string_agg(int8send(match_id), ''::bytea), string_agg(int8send(sequence), ''::bytea),
           string_agg(int8send(last), ''::bytea)
    FROM (
        SELECT match_id, min(sequence) AS sequence, max(sequence) AS last FROM tournaments_ratingchange
        WHERE pool_id = %s GROUP BY match_id ORDER BY sequence, match_id
    ) AS recorded
"""
_UNRECORDED = """
    SELECT string_agg(int8send(id), ''::bytea) FROM (
        SELECT match.id FROM games_match AS match JOIN games_matchresult AS result ON result.match_id = match.id
        WHERE match.is_rated AND match.state = 'finished' AND match.players = %s AND result.kind <> 'void'
          AND NOT EXISTS (
            SELECT 1 FROM tournaments_ratingchange WHERE match_id = match.id AND pool_id = %s
        )
        ORDER BY result.settled_at, match.id
    ) AS unrecorded
"""
_PACKED_RESULTS = """
    SELECT string_agg(packed, ''::bytea) FROM (
        SELECT int8send(result.match_id) || string_agg(int8send(seat.player_id), ''::bytea ORDER BY seat.seat)
               || string_agg(boolsend(player.kind = 'person'), ''::bytea ORDER BY seat.seat)
               || float8send(match.share)
               || int2send(result.places[1]) || int2send(result.places[2]) || COALESCE(int2send(result.places[3]), '')
               AS packed
        FROM games_matchresult AS result
        JOIN games_match AS match ON match.id = result.match_id AND match.is_rated AND match.state = 'finished'
        JOIN games_matchseat AS seat ON seat.match_id = result.match_id
        JOIN games_player AS player ON player.id = seat.player_id
        WHERE result.match_id = ANY(%s::bigint[]) AND result.kind <> 'void' GROUP BY result.match_id, match.share
    ) AS row
"""
_FORFEITS = """
    SELECT match_id, forfeits, early FROM games_matchresult
    WHERE match_id = ANY(%s::bigint[]) AND cardinality(forfeits) > 0
"""
_PACKED_STEPS = """
    SELECT string_agg(
        int8send(match_id) || int8send(player_id) || float8send(mu_before) || float8send(sigma_before)
        || float8send(mu_after) || float8send(sigma_after) || int2send(place) || boolsend(is_forfeit),
        ''::bytea ORDER BY sequence, player_id
    )
    FROM tournaments_ratingchange WHERE pool_id = %s AND match_id = ANY(%s::bigint[])
"""

RESULTS = {3: Struct(">q3q3?d3h"), 4: Struct(">q4q4?d2h")}
"""A result as Postgres sends it, by players at the table: match, players and persons by seat, share, places by side."""

STEP = Struct(">qqddddh?")
"""A step as Postgres sends it: match, player, mu and sigma before and after, place, whether the player forfeited.

Comparing bytes takes a fraction of what reading numbers does, and tells any two bits apart.
"""


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
        matches, sequences, last = map(_unpack_numbers, cursor.fetchone())
        cursor.execute(_UNRECORDED, [pool.players, pool.id])
        unrecorded = _unpack_numbers(cursor.fetchone()[0])
    missing = [match_id for match_id, _ in read_tables(pool, unrecorded)]
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
    for results in _read_ahead(pool, order):
        yield from _rated_tables(pool, results)


def read_steps(pool: RatingPool, order: IntArray) -> Iterator[tuple[list[tuple[int, RatedTable]], bytes]]:
    """Tables and their stored steps, packed by number, then by player; a bounded number of matches at a time."""
    for results in _read_ahead(pool, order, with_steps=True):
        yield list(_rated_tables(pool, results)), results.steps


def read_recorded(pool: RatingPool, order: IntArray) -> Iterator[RecordedMatch]:
    """The same match by match; one that does not count comes with a table that moves nobody."""
    for results in _read_ahead(pool, order, with_steps=True):
        tables = dict(_rated_tables(pool, results))
        steps: dict[int, list[RatingStep]] = {match_id: [] for match_id in results.ids}
        for match_id, player, *values, place, is_forfeit in STEP.iter_unpack(results.steps):
            before, after = LiveRating(*values[:2]), LiveRating(*values[2:])
            steps[match_id].append(RatingStep(player, before, after, place, is_forfeit))
        for match_id in results.ids:
            yield RecordedMatch(match_id, tables.get(match_id, NOBODY), tuple(steps[match_id]))


NOBODY = RatedTable(((0,), (1,)), (1, 1), forfeits=frozenset((0, 1)))
"""A table that is not rated, because all its sides forfeit."""


@dataclass(frozen=True, slots=True)
class PackedResults:
    """Some matches as they came from the database; `steps` is empty where nobody asked for them.

    `forfeits` holds the seats, all and those that came early.
    """

    ids: Sequence[int]
    results: bytes
    forfeits: dict[int, tuple[tuple[int, ...], tuple[int, ...]]]
    sides: dict[int, FixtureSides]
    steps: bytes


def _unpack_numbers(packed: bytes | None) -> IntArray:
    return np.frombuffer(packed or b"", dtype=">i8").astype(np.int64)


def _read_ahead(pool: RatingPool, order: IntArray, *, with_steps: bool = False) -> Iterator[PackedResults]:
    """A bounded number of matches at a time; the database looks up the next while the caller is at work on these.

    It reads by the caller's own connection, and so what the caller's transaction sees.
    """
    connection.ensure_connection()
    parts = (order[start : start + MATCHES_A_READ].tolist() for start in range(0, len(order), MATCHES_A_READ))
    with ThreadPoolExecutor(1, thread_name_prefix="read-ahead") as reader:
        ahead: Future[PackedResults] | None = None
        for ids in parts:
            ready, ahead = ahead, reader.submit(_read_packed, connection.connection, pool.id, ids, with_steps)
            if ready is not None:
                yield ready.result()
        if ahead is not None:
            yield ahead.result()


def _read_packed(psycopg_connection: Any, pool_id: int, ids: Sequence[int], with_steps: bool) -> PackedResults:
    asked = array_text(ids)
    with psycopg_connection.cursor() as cursor:
        sides = fetch_fixture_sides(cursor, asked)
        cursor.execute(_FORFEITS, [asked])
        forfeits = {match_id: (tuple(seats), tuple(early)) for match_id, seats, early in cursor.fetchall()}
        cursor.execute(_PACKED_RESULTS, [asked])
        results = cursor.fetchone()[0] or b""
        steps = b""
        if with_steps:
            cursor.execute(_PACKED_STEPS, [pool_id, asked])
            steps = cursor.fetchone()[0] or b""
    return PackedResults(ids, results, forfeits, sides, steps)


def _rated_tables(pool: RatingPool, packed: PackedResults) -> Iterator[tuple[int, RatedTable]]:
    """The tables that count in the pool, in the order of the ids."""
    key = key_of(pool)
    found = {match.id: match for match in _unpack_results(pool.players, packed)}
    for match_id in packed.ids:
        match = found.get(match_id)
        for pool_key, table in pool_tables(match) if match else ():
            if pool_key == key and rated_places(table) is not None:
                yield match_id, table


def _unpack_results(seats: int, packed: PackedResults) -> Iterator[RatedMatch]:
    """A match that ended after its fixture was made void counts for nothing."""
    plain = FixtureSides(False, (0, 0))
    for match_id, *values in RESULTS[seats].iter_unpack(packed.results):
        is_void, teams = packed.sides.get(match_id, plain)
        if not is_void:
            players, persons, share = values[:seats], values[seats : 2 * seats], values[2 * seats]
            forfeits, early = packed.forfeits.get(match_id, ((), ()))
            places = tuple(values[2 * seats + 1 :])
            yield RatedMatch(match_id, tuple(players), tuple(persons), places, forfeits, teams, share, early)
