"""Rating settled matches: each once, in the transaction that settles it, in an order that can be repeated.

The pool's row is the lock: matches of a pool are rated one batch after the other, within a batch by rising id, and
numbered. Pools are locked last of all rows, in the order of their keys.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from struct import Struct
from typing import Any

import structlog
from django.db import connection, transaction

from aurum_league.common.broker import send_nudge
from aurum_league.common.site_events import record_site_event
from games.models import Match
from games.signals import SettledMatch
from tournaments.models import EntryKind, RatingPool
from tournaments.rules.ratings.fit import fit_pool
from tournaments.rules.ratings.listing import OfficialRating, rate_officially
from tournaments.rules.ratings.live import rate_match
from tournaments.rules.ratings.values import (
    LiveRating,
    PoolKey,
    RatedMatch,
    RatedTable,
    RatingStep,
    pool_tables,
    show_live,
)
from tournaments.selectors.rated_matches import find_anchor, read_pool_tables
from tournaments.selectors.schedule import FixtureSides, read_fixture_sides

_LOCK_POOLS = """
    SELECT id, sequence, players, is_teams, entry_kind FROM tournaments_ratingpool
    WHERE (players, is_teams, entry_kind) IN (SELECT * FROM unnest(%s::int[], %s::bool[], %s::text[]))
    ORDER BY players, is_teams, entry_kind FOR NO KEY UPDATE
"""
_CURRENT = "SELECT player_id, mu, sigma FROM tournaments_rating WHERE pool_id = %s AND player_id = ANY(%s)"
_COPY_CHANGES = """
    COPY tournaments_ratingchange (pool_id, match_id, player_id, sequence, mu_before, sigma_before, mu_after,
                                   sigma_after, place, is_forfeit)
    FROM STDIN (FORMAT BINARY)
"""
_CHANGE = Struct(">hiqiqiqiqididididihi?")
"""A row of COPY's binary form: how many fields, then the size and value of each. Writing floats as text costs more."""

_COPY_HEAD = b"PGCOPY\n\xff\r\n\0" + bytes(8)
_COPY_END = b"\xff\xff"
# Numbers the pool's matches with it: every statement under the pool's lock is one that others wait for.
_UPSERT = """
    WITH numbered AS (UPDATE tournaments_ratingpool SET sequence = %s WHERE id = %s)
    INSERT INTO tournaments_rating AS rating (pool_id, player_id, mu, sigma, matches, lower_bound, is_provisional)
    SELECT %s, * FROM unnest(%s::bigint[], %s::float8[], %s::float8[], %s::int[], %s::float8[], %s::bool[])
    ON CONFLICT (pool_id, player_id) DO UPDATE
    SET mu = EXCLUDED.mu, sigma = EXCLUDED.sigma, matches = rating.matches + EXCLUDED.matches
"""
_UPSERT_SHOWN = _UPSERT + ", lower_bound = EXCLUDED.lower_bound, is_provisional = EXCLUDED.is_provisional"

NumberedTable = tuple[int, RatedTable]


@dataclass(slots=True)
class PoolBatch:
    """Steps of one pool in the making: the ratings as they stand, and what is to be written."""

    pool_id: int
    sequence: int
    ratings: dict[int, LiveRating]
    rows: list[bytes] = field(default_factory=list)
    played: Counter[int] = field(default_factory=Counter)

    def rate(self, match_id: int, table: RatedTable) -> None:
        """Rate the next match of the pool; one that every side forfeited takes no number."""
        steps = rate_match(self.ratings, table)
        if steps:
            self.sequence += 1
        for step in steps:
            self.ratings[step.player] = step.after
            self.played[step.player] += 1
            self.rows.append(_pack_change(self.pool_id, match_id, self.sequence, step))

    def write_changes(self, cursor: Any) -> None:
        """Write the rows so far."""
        with cursor.copy(_COPY_CHANGES) as copy:
            copy.write(b"".join((_COPY_HEAD, *self.rows, _COPY_END)))
        self.rows.clear()


def find_rated_tables(matches: Sequence[SettledMatch]) -> dict[PoolKey, list[NumberedTable]]:
    """What is to be rated of matches that have just been settled, by pool; nothing is locked yet.

    A fixture is made void only while none of its matches is under way: what is read of it now still holds later.
    """
    tables: dict[PoolKey, list[NumberedTable]] = {}
    for match in _rated_matches(matches):
        for key, table in pool_tables(match):
            tables.setdefault(key, []).append((match.id, table))
    return tables


def record_ratings(*, tables: Mapping[PoolKey, Sequence[NumberedTable]]) -> None:
    """Rate matches that have just been settled; the caller's transaction settles them. A match twice is an error."""
    if not tables:
        return
    for key, (pool_id, sequence) in lock_pools(tables).items():
        _rate_pool(pool_id, sequence, tables[key], is_shown_live=key.entry_kind != EntryKind.BOTS)


def _rated_matches(matches: Iterable[SettledMatch]) -> Iterator[RatedMatch]:
    """A match that ended after its fixture was made void counts for nothing."""
    rated = sorted((match for match in matches if match.is_rated), key=lambda match: match.id)
    sides = read_fixture_sides([match.id for match in rated])
    shares = _read_shares([match.id for match in rated if any(seat.is_person for seat in match.seats)])
    plain = FixtureSides(False, (0, 0))
    for match in rated:
        is_void, teams = sides.get(match.id, plain)
        if not is_void:
            yield RatedMatch(
                match.id,
                tuple(seat.player for seat in match.seats),
                tuple(seat.is_person for seat in match.seats),
                tuple(match.summary.places),
                tuple(match.summary.forfeits),
                teams,
                shares.get(match.id, 1.0),
                tuple(match.summary.early),
            )


def _read_shares(match_ids: Sequence[int]) -> dict[int, float]:
    """How much of each match counts, where that is not all of it; only people's matches fade."""
    if not match_ids:
        return {}
    return dict(Match.objects.filter(id__in=match_ids).exclude(share=1.0).values_list("id", "share"))


def lock_pools(keys: Iterable[PoolKey]) -> dict[PoolKey, tuple[int, int]]:
    """The pools of these keys, made where missing, locked in the order of their keys: id and last number of each."""
    wanted = sorted(keys)
    found = _lock_found(wanted)
    if len(found) < len(wanted):
        for key in wanted:
            pool, is_new = RatingPool.objects.get_or_create(**key._asdict())
            if is_new:
                record_site_event("pool_made", actor=None, pool=str(pool))
        found = _lock_found(wanted)
    return found


def _lock_found(keys: Sequence[PoolKey]) -> dict[PoolKey, tuple[int, int]]:
    with connection.cursor() as cursor:
        cursor.execute(_LOCK_POOLS, [list(column) for column in zip(*keys, strict=True)])
        return {PoolKey(*key): (pool_id, sequence) for pool_id, sequence, *key in cursor.fetchall()}


def _rate_pool(pool_id: int, sequence: int, tables: Sequence[NumberedTable], *, is_shown_live: bool) -> None:
    players = sorted({player for _, table in tables for side in table.sides for player in side})
    with connection.cursor() as cursor:
        cursor.execute(_CURRENT, [pool_id, players])
        ratings = {player: LiveRating(mu, sigma) for player, mu, sigma in cursor.fetchall()}
        batch = PoolBatch(pool_id, sequence, ratings)
        for match_id, table in tables:
            batch.rate(match_id, table)
        batch.write_changes(cursor)
        cursor.execute(_UPSERT_SHOWN if is_shown_live else _UPSERT, _upsert_values(batch, is_shown_live))


def _upsert_values(batch: PoolBatch, is_shown_live: bool) -> list[Any]:
    """Bots have no place in the list before a fit gave them one; where there are people the live rating does."""
    players = sorted(batch.played)
    after = [batch.ratings[player] for player in players]
    shown = [show_live(rating) for rating in after] if is_shown_live else []
    return [
        batch.sequence,
        batch.pool_id,
        batch.pool_id,
        players,
        [rating.mu for rating in after],
        [rating.sigma for rating in after],
        [batch.played[player] for player in players],
        [one.lower_bound for one in shown] or [None] * len(players),
        [one.is_provisional for one in shown] or [True] * len(players),
    ]


def _pack_change(pool_id: int, match_id: int, sequence: int, step: RatingStep) -> bytes:
    player, (mu, sigma), (mu_after, sigma_after), place, is_forfeit = step
    ids = (8, pool_id, 8, match_id, 8, player, 8, sequence)
    return _CHANGE.pack(10, *ids, 8, mu, 8, sigma, 8, mu_after, 8, sigma_after, 2, place, 1, is_forfeit)


FIT_TASK = "tournaments.fit_ratings"

_WRITE = """
    UPDATE tournaments_rating AS rating
    SET official = fit.value, official_low = fit.low, official_high = fit.high, lower_bound = fit.bound,
        is_provisional = fit.is_provisional, rank_best = fit.best, rank_worst = fit.worst
    FROM unnest(%s::bigint[], %s::float8[], %s::float8[], %s::float8[], %s::float8[], %s::bool[], %s::int[], %s::int[])
         AS fit (player, value, low, high, bound, is_provisional, best, worst)
    WHERE rating.pool_id = %s AND rating.player_id = fit.player
"""
_KEEP = """
    INSERT INTO tournaments_fitstate (pool_id, player_id, sequence, value, low, high, at)
    SELECT rating.pool_id, rating.player_id, %(sequence)s, rating.official, rating.official_low, rating.official_high,
           now()
    FROM tournaments_rating AS rating
    WHERE rating.pool_id = %(pool)s AND rating.official IS NOT NULL AND rating.player_id IN (
        SELECT player_id FROM tournaments_ratingchange
        WHERE pool_id = %(pool)s AND sequence > %(before)s AND sequence <= %(sequence)s
    )
    ON CONFLICT (pool_id, player_id, sequence) DO UPDATE
    SET value = EXCLUDED.value, low = EXCLUDED.low, high = EXCLUDED.high, at = EXCLUDED.at
"""

log = structlog.get_logger()


def fit_due_pools() -> int:
    """Fit every pool of bots that has results since its last fit; how many were fitted."""
    due = RatingPool.objects.filter(entry_kind=EntryKind.BOTS).order_by("id").values_list("id", flat=True)
    return sum(fit_ratings(pool_id=pool_id) for pool_id in due)


def fit_ratings(*, pool_id: int) -> bool:
    """Fit a pool up to its last rated match and store the ratings; False where nothing is new.

    People are not fitted: their skill drifts, and the live rating follows it.
    """
    pool = RatingPool.objects.get(pk=pool_id)
    if pool.entry_kind != EntryKind.BOTS or pool.sequence == pool.fitted_sequence:
        return False
    entities = read_pool_tables(pool, pool.sequence)
    fit = fit_pool(entities.tables, entities.forerunners)
    if not fit.is_converged:
        log.warning("fit_not_converged", pool=str(pool), matches=pool.sequence)
    return _store_fit(pool, rate_officially(fit, entities.newest, find_anchor()))


@transaction.atomic
def _store_fit(pool: RatingPool, ratings: Mapping[int, OfficialRating]) -> bool:
    """Under the pool's lock; a fit that another one has overtaken is dropped. History is kept for who has played."""
    locked = RatingPool.objects.select_for_update(no_key=True).get(pk=pool.pk)
    if locked.fitted_sequence != pool.fitted_sequence:
        return False
    rows = [(player, *one.columns.values()) for player, one in sorted(ratings.items())]
    with connection.cursor() as cursor:
        cursor.execute(_WRITE, [*map(list, zip(*rows, strict=True)), pool.id])
        cursor.execute(_KEEP, {"pool": pool.id, "sequence": pool.sequence, "before": locked.fitted_sequence})
        cursor.execute(
            "UPDATE tournaments_ratingpool SET fitted_sequence = %s, fitted_at = now() WHERE id = %s",
            [pool.sequence, pool.id],
        )
    return True


def nudge_fit_on_commit() -> None:
    """Have a worker fit what is due once this commits; where the broker does not answer, the next tick does it."""
    transaction.on_commit(lambda: send_nudge(FIT_TASK, expires=600))
