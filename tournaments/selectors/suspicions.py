"""What the numbers say of people: who plays for whom, which accounts belong together, whose rating jumped."""

from collections.abc import Iterator
from typing import NamedTuple

from django.db import connection

from games.models import Player, PlayerKind
from tournaments.rules.cases import (
    LARGEST_P,
    MEETINGS_BY_ADDRESS,
    MEETINGS_BY_DEVICE,
    RatingRise,
)
from tournaments.rules.ratings.fit import fit_pool
from tournaments.rules.ratings.likelihood import PoolTables
from tournaments.rules.ratings.values import LiveRating, RatedTable, show_live
from tournaments.rules.statistics.collusion import PairEvidence, find_partners

MATCHES_READ = 50_000
DAYS_READ = 180

# Rated or not: whoever plays for another does so wherever they meet. House bots are kept, for strengths hang on them.
_TABLES = """
    SELECT array_agg(seat.player_id ORDER BY seat.seat), result.places, result.forfeits,
           uuid_hash_extended(match.deals, 0)
    FROM (
        SELECT * FROM games_match AS match
        WHERE match.state = 'finished' AND match.players = 3 AND match.kind IN ('casual', 'tournament')
          AND match.finished_at > now() - make_interval(days => %s)
          AND EXISTS (
              SELECT FROM games_matchseat AS one JOIN games_player AS player ON player.id = one.player_id
              WHERE one.match_id = match.id AND player.kind IN ('person', 'guest')
          )
        ORDER BY match.finished_at DESC LIMIT %s
    ) AS match
    JOIN games_matchresult AS result ON result.match_id = match.id AND result.kind <> 'void'
    JOIN games_matchseat AS seat ON seat.match_id = match.id
    GROUP BY match.id, match.deals, result.places, result.forfeits
    HAVING count(DISTINCT seat.player_id) = 3
"""
_LINKED = """
    SELECT one.user_id, other.user_id,
           count(DISTINCT one.month) FILTER (WHERE one.kind = 'device'),
           count(DISTINCT one.month) FILTER (WHERE one.kind = 'address')
    FROM aurum_league_trace AS one
    JOIN aurum_league_trace AS other ON other.digest = one.digest AND other.user_id > one.user_id
    WHERE one.digest IN (SELECT digest FROM aurum_league_trace GROUP BY digest HAVING count(*) BETWEEN 2 AND %s)
    GROUP BY one.user_id, other.user_id
"""
MOST_BEHIND_ONE = 12
"""Accounts behind one address or device; more of them are a school or a café, and say nothing."""

_MET = """
    SELECT count(*) FROM games_matchseat AS one
    JOIN games_matchseat AS other ON other.match_id = one.match_id AND other.owner_id = %s
    JOIN games_match AS match ON match.id = one.match_id AND match.is_rated AND match.state = 'finished'
    WHERE one.owner_id = %s
"""
_RISES = """
    SELECT DISTINCT ON (change.pool_id, change.player_id) change.player_id, change.mu_before, change.sigma_before,
           rating.mu, rating.sigma, count(*) OVER (PARTITION BY change.pool_id, change.player_id)
    FROM tournaments_ratingchange AS change
    JOIN games_match AS match ON match.id = change.match_id AND match.finished_at > now() - interval '30 days'
    JOIN games_player AS player ON player.id = change.player_id AND player.kind = 'person'
    JOIN tournaments_rating AS rating ON rating.pool_id = change.pool_id AND rating.player_id = change.player_id
    ORDER BY change.pool_id, change.player_id, change.sequence
"""


def list_partners() -> list[PairEvidence]:
    """Pairs at tables of three, rated or not, that an honest pool hardly has; none of them with a house bot."""
    with connection.cursor() as cursor:
        cursor.execute(_TABLES, [DAYS_READ, MATCHES_READ])
        tables = PoolTables.from_tables(_read(row) for row in cursor.fetchall())
    if not len(tables.sides):
        return []
    found = [pair for pair in find_partners(tables, fit_pool(tables)) if pair.p_value < LARGEST_P]
    house = set(Player.objects.filter(kind=PlayerKind.HOUSE).values_list("pk", flat=True))
    return [pair for pair in found if pair.helped not in house and pair.helper not in house]


def _read(row: tuple[list[int], list[int], list[int], int]) -> RatedTable:
    players, places, forfeits, block = row
    sides = tuple((player,) for player in players)
    return RatedTable(sides, tuple(places), frozenset(players[seat] for seat in forfeits), block=block)


class Link(NamedTuple):
    """Two accounts: in how many months they had a device and an address in common, and their rated matches."""

    first: int
    second: int
    devices: int
    addresses: int
    rated_matches: int


def list_links() -> Iterator[Link]:
    """Accounts that had something in common and met in rated play often enough to be looked at."""
    with connection.cursor() as cursor:
        cursor.execute(_LINKED, [MOST_BEHIND_ONE])
        for first, second, devices, addresses in cursor.fetchall():
            cursor.execute(_MET, [first, second])
            met = cursor.fetchone()[0]
            if met >= (MEETINGS_BY_DEVICE if devices else MEETINGS_BY_ADDRESS):
                yield Link(first, second, devices, addresses, met)


def list_jumps() -> Iterator[tuple[int, RatingRise]]:
    """People whose rating rose within a month by far more than its error."""
    with connection.cursor() as cursor:
        cursor.execute(_RISES)
        rows = cursor.fetchall()
    for player, mu_before, sigma_before, mu, sigma, matches in rows:
        before, after = show_live(LiveRating(mu_before, sigma_before)), show_live(LiveRating(mu, sigma))
        rise = RatingRise(before.number, (before.high - before.low) / (2 * 1.96), after.number, matches)
        if rise.is_jump:
            yield player, rise
