"""The official fit: strengths of all bots of a pool from all its results at once, at every tick and stage's end."""

from collections.abc import Mapping
from typing import NamedTuple

import structlog
from django.db import connection, transaction

from aurum_league.common.broker import send_nudge
from games.models import Player
from games.services.players import HOUSE_SLUG
from tournaments.models import EntryKind, RatingPool
from tournaments.rules.ratings.fit import PoolFit, fit_pool
from tournaments.rules.ratings.values import POINTS_PER_UNIT, ShownRating, show_strength
from tournaments.selectors.rated_matches import read_pool_tables

ANCHOR_SLUG = f"{HOUSE_SLUG}counting"
FIT_TASK = "tournaments.fit_ratings"

_WRITE = """
    UPDATE tournaments_rating AS rating
    SET official = fit.value, official_se = fit.se, lower_bound = fit.low, is_provisional = fit.is_provisional
    FROM unnest(%s::bigint[], %s::float8[], %s::float8[], %s::float8[], %s::bool[])
         AS fit (player, value, se, low, is_provisional)
    WHERE rating.pool_id = %s AND rating.player_id = fit.player
"""
_KEEP = """
    INSERT INTO tournaments_fitstate (pool_id, player_id, sequence, value, se, at)
    SELECT rating.pool_id, rating.player_id, %(sequence)s, rating.official, rating.official_se, now()
    FROM tournaments_rating AS rating
    WHERE rating.pool_id = %(pool)s AND rating.official IS NOT NULL AND rating.player_id IN (
        SELECT player_id FROM tournaments_ratingchange
        WHERE pool_id = %(pool)s AND sequence > %(before)s AND sequence <= %(sequence)s
    )
    ON CONFLICT (pool_id, player_id, sequence) DO UPDATE SET value = EXCLUDED.value, se = EXCLUDED.se, at = EXCLUDED.at
"""

log = structlog.get_logger()


class OfficialRating(NamedTuple):
    shown: ShownRating
    se: float


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
    return _store_fit(pool, rate_officially(fit, entities.newest))


def rate_officially(fit: PoolFit, newest: Mapping[int, int]) -> dict[int, OfficialRating]:
    """Each player by the version it last played, on the scale where the anchor bot, if it played here, is 1500.

    Who never met the anchor, not even through others (without one: the largest island), cannot be ranked with the
    rest, and stays provisional.
    """
    anchor_player = Player.objects.filter(slug=ANCHOR_SLUG).first()
    anchor = newest.get(anchor_player.id) if anchor_player else None
    own, against = fit.estimates(), fit.estimates(anchor)
    home = 0 if anchor is None else fit.islands[fit.find_row(anchor)]
    ratings = {}
    for player, entity in newest.items():
        shown = show_strength(against[entity], own[entity].se)
        if fit.islands[fit.find_row(entity)] != home:
            shown = shown._replace(is_provisional=True)
        ratings[player] = OfficialRating(shown, POINTS_PER_UNIT * against[entity].se)
    return ratings


@transaction.atomic
def _store_fit(pool: RatingPool, ratings: Mapping[int, OfficialRating]) -> bool:
    """Under the pool's lock; a fit that another one has overtaken is dropped. History is kept for who has played."""
    locked = RatingPool.objects.select_for_update(no_key=True).get(pk=pool.pk)
    if locked.fitted_sequence != pool.fitted_sequence:
        return False
    rows = [
        (player, one.shown.number, one.se, one.shown.lower_bound, one.shown.is_provisional)
        for player, one in sorted(ratings.items())
    ]
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
