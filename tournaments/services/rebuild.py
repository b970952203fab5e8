"""Rebuilding live ratings from the results alone: saying what differs, bit for bit, and putting it right."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from django.db import connection, transaction
from django.db.models import Min

from aurum_league.common.site_events import record_site_event
from aurum_league.common.sql import one_snapshot
from games.models import Match
from tournaments.models import EntryKind, FitState, Rating, RatingChange, RatingPool
from tournaments.rules.ratings.live import (
    UNRATED,
    DifferenceKind,
    RatingDifference,
    find_rating_differences,
    rate_match,
    rate_sides,
    rated_places,
)
from tournaments.rules.ratings.values import LiveRating, RatedTable, show_live
from tournaments.selectors.rated_matches import (
    STEP,
    RatingOrder,
    read_rating_order,
    read_recorded,
    read_steps,
    read_tables,
)
from tournaments.services.ratings import PoolBatch, fit_due_pools, nudge_fit_on_commit

DIFFERENCES_SHOWN = 20
ROWS_A_WRITE = 20_000

_BEFORE = """
    SELECT DISTINCT ON (player_id) player_id, mu_after, sigma_after FROM tournaments_ratingchange
    WHERE pool_id = %s AND sequence < %s ORDER BY player_id, sequence DESC
"""
_COUNT = """
    UPDATE tournaments_rating AS rating SET mu = now.mu, sigma = now.sigma, matches = now.matches
    FROM (
        SELECT DISTINCT ON (player_id) player_id, mu_after AS mu, sigma_after AS sigma,
               count(*) OVER (PARTITION BY player_id) AS matches
        FROM tournaments_ratingchange WHERE pool_id = %(pool)s ORDER BY player_id, sequence DESC
    ) AS now
    WHERE rating.pool_id = %(pool)s AND rating.player_id = now.player_id
"""
_ADD = """
    INSERT INTO tournaments_rating (pool_id, player_id, mu, sigma, matches, is_provisional)
    SELECT DISTINCT pool_id, player_id, 0, 0, 0, true FROM tournaments_ratingchange WHERE pool_id = %(pool)s
    ON CONFLICT DO NOTHING
"""
_DROP = """
    DELETE FROM tournaments_rating AS rating WHERE pool_id = %(pool)s AND NOT EXISTS (
        SELECT 1 FROM tournaments_ratingchange AS change
        WHERE change.pool_id = rating.pool_id AND change.player_id = rating.player_id
    )
"""


@dataclass(frozen=True, slots=True)
class RebuildReport:
    """What a rebuild found in one pool: how many differences of each kind, and the first of them."""

    pool: str
    matches: int
    counts: dict[DifferenceKind, int]
    misnumbered: int
    first: tuple[RatingDifference, ...]

    @property
    def is_clean(self) -> bool:
        return not self.counts and not self.misnumbered


def audit_pool(*, pool_id: int) -> RebuildReport:
    """Rate all matches of a pool again and compare every stored step and rating; writes nothing.

    It reads one state of the database while matches go on being settled.
    """
    with one_snapshot():
        pool = RatingPool.objects.get(pk=pool_id)
        return _audit(pool, read_rating_order(pool))


@transaction.atomic
def rebuild_pool(*, pool_id: int) -> RebuildReport:
    """The same, and where anything differs write what the results give. Matches of the pool settle when it is done."""
    pool = RatingPool.objects.select_for_update(no_key=True).get(pk=pool_id)
    order = read_rating_order(pool)
    report = _audit(pool, order)
    if not report.is_clean:
        _write_again(pool, order, 1)
        differences = sum(report.counts.values()) + report.misnumbered
        record_site_event("pool_fixed", actor=None, pool=report.pool, differences=differences)
    return report


@dataclass(frozen=True, slots=True)
class RatingShift:
    """What a live rating is and would be without some matches, on the displayed scale."""

    pool: RatingPool
    player: int
    before: float
    after: float


def preview_without(*, match_ids: Sequence[int]) -> list[RatingShift]:
    """Every live rating that would differ had these matches never counted, the most changed first; writes nothing."""
    with one_snapshot():
        changed = RatingChange.objects.filter(match_id__in=match_ids).values("pool")
        pools = list(RatingPool.objects.filter(pk__in=changed).order_by("id"))
        shifts = [shift for pool in pools for shift in _shift_pool(pool, frozenset(match_ids))]
    return sorted(shifts, key=lambda shift: -abs(shift.after - shift.before))


SHIFT_SHOWN = 0.05


def _shift_pool(pool: RatingPool, left_out: frozenset[int]) -> Iterator[RatingShift]:
    changes = RatingChange.objects.filter(pool=pool, match_id__in=left_out)
    start = changes.aggregate(first=Min("sequence"))["first"]
    order = read_rating_order(pool)
    with connection.cursor() as cursor:
        cursor.execute(_BEFORE, [pool.id, start])
        ratings = {player: LiveRating(mu, sigma) for player, mu, sigma in cursor.fetchall()}
    for match_id, table in read_tables(pool, order.matches[int(np.searchsorted(order.numbers, start)) :]):
        if match_id not in left_out:
            ratings.update((step.player, step.after) for step in rate_match(ratings, table))
    for player, mu, sigma in Rating.objects.filter(pool=pool).values_list("player_id", "mu", "sigma"):
        before, after = show_live(LiveRating(mu, sigma)).number, show_live(ratings.get(player, UNRATED)).number
        if abs(after - before) >= SHIFT_SHOWN:
            yield RatingShift(pool, player, before, after)


def refresh_ratings() -> int:
    """A rating tick: rate again what follows a corrected result, then fit what is new; how many pools were fitted."""
    rebuild_corrected_pools()
    return fit_due_pools()


def rebuild_corrected_pools() -> int:
    """Rate again what came after a corrected result, in every pool that has one; how many pools."""
    due = list(RatingPool.objects.filter(rebuild_from__isnull=False).order_by("id").values_list("id", flat=True))
    for pool_id in due:
        with transaction.atomic():
            pool = RatingPool.objects.select_for_update(no_key=True).get(pk=pool_id)
            if pool.rebuild_from is not None:
                start = pool.rebuild_from
                _write_again(pool, read_rating_order(pool), start)
                record_site_event("pool_rebuilt", actor=None, pool=str(pool), start=start)
    return len(due)


def note_corrected_results(*, match_ids: Sequence[int]) -> None:
    """Have the pools of these matches rated again from the first of them on; the caller's transaction corrects them."""
    players = set(Match.objects.filter(id__in=match_ids, is_rated=True).values_list("players", flat=True))
    pools = RatingPool.objects.filter(players__in=players).order_by("players", "is_teams", "entry_kind")
    changes = RatingChange.objects.filter(match_id__in=match_ids)
    first = dict(changes.values_list("pool_id").annotate(first=Min("sequence")).order_by())
    for pool in pools.select_for_update(no_key=True):
        start = first.get(pool.id, pool.sequence + 1)
        pool.rebuild_from = min(start, pool.rebuild_from or start)
        pool.save(update_fields=("rebuild_from",))
        nudge_fit_on_commit()


def _audit(pool: RatingPool, order: RatingOrder) -> RebuildReport:
    """All that differs; finding that nothing does takes half the time."""
    counts: dict[DifferenceKind, int] = {}
    first: list[RatingDifference] = []
    current = {
        player: LiveRating(mu, sigma)
        for player, mu, sigma in Rating.objects.filter(pool=pool).values_list("player_id", "mu", "sigma")
    }
    if not order.misnumbered and _is_as_replayed(pool, order, current):
        return RebuildReport(str(pool), len(order.matches), {}, 0, ())
    for difference in find_rating_differences(read_recorded(pool, order.matches), current):
        counts[difference.kind] = counts.get(difference.kind, 0) + 1
        if len(first) < DIFFERENCES_SHOWN:
            first.append(difference)
    return RebuildReport(str(pool), len(order.matches), counts, order.misnumbered, tuple(first))


def _is_as_replayed(pool: RatingPool, order: RatingOrder, current: Mapping[int, LiveRating]) -> bool:
    """Whether every stored step and rating is, bit for bit, what a replay gives; stops at the first that is not."""
    ratings: dict[int, LiveRating] = {}
    for tables, stored in read_steps(pool, order.matches):
        if b"".join(_replay_steps(ratings, tables)) != stored:
            return False
    return ratings == current


def _replay_steps(ratings: dict[int, LiveRating], tables: Iterable[tuple[int, RatedTable]]) -> Iterator[bytes]:
    """Rate tables on; their steps as they should be stored, packed."""
    for match_id, table in tables:
        places = rated_places(table)
        if places is None:
            continue
        steps = []
        for side, place, changed in zip(table.sides, places, rate_sides(ratings, table, places), strict=True):
            for player, after in zip(side, changed, strict=True):
                before = ratings.get(player, UNRATED)
                packed = STEP.pack(match_id, player, *before, *after, place, player in table.forfeits)
                steps.append((player, packed))
                ratings[player] = after
        steps.sort()
        yield from (packed for _, packed in steps)


def _write_again(pool: RatingPool, order: RatingOrder, start: int) -> None:
    """Replace every step from number `start` on, or from the first that is missing; the pool's row is locked."""
    start = min(start, order.first_missing or start)
    kept = int(np.searchsorted(order.numbers, start))
    with connection.cursor() as cursor:
        cursor.execute(_BEFORE, [pool.id, start])
        ratings = {player: LiveRating(mu, sigma) for player, mu, sigma in cursor.fetchall()}
        cursor.execute("DELETE FROM tournaments_ratingchange WHERE pool_id = %s AND sequence >= %s", [pool.id, start])
        batch = PoolBatch(pool.id, start - 1, ratings)
        for match_id, table in read_tables(pool, order.matches[kept:]):
            batch.rate(match_id, table)
            if len(batch.rows) >= ROWS_A_WRITE:
                batch.write_changes(cursor)
        batch.write_changes(cursor)
        for statement in (_ADD, _DROP, _COUNT):
            cursor.execute(statement, {"pool": pool.id})
    pool.sequence = batch.sequence
    pool.rebuild_from = None
    pool.fitted_sequence = 0
    pool.save(update_fields=("sequence", "rebuild_from", "fitted_sequence"))
    FitState.objects.filter(pool=pool, sequence__gt=pool.sequence).delete()
    if pool.entry_kind != EntryKind.BOTS:
        _show_again(pool)
    nudge_fit_on_commit()


def _show_again(pool: RatingPool) -> None:
    ratings = list(Rating.objects.filter(pool=pool))
    for rating in ratings:
        shown = show_live(LiveRating(rating.mu, rating.sigma))
        rating.lower_bound, rating.is_provisional = shown.lower_bound, shown.is_provisional
    Rating.objects.bulk_update(ratings, ["lower_bound", "is_provisional"], batch_size=1000)
