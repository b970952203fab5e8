"""What the numbers say of people: who plays for whom, which accounts belong together, whose rating jumped."""

from collections.abc import Iterator
from typing import NamedTuple

from django.db import connection

from games.models import Player, PlayerKind
from games.play.agents import AgentKind
from tournaments.rules.cases import (
    LARGEST_P,
    MEETINGS_BY_ADDRESS,
    MEETINGS_BY_DEVICE,
    RatingRise,
)
from tournaments.rules.collusion import PairEvidence, find_givers, find_partners
from tournaments.rules.ratings.fit import fit_pool
from tournaments.rules.ratings.likelihood import PoolTables
from tournaments.rules.ratings.values import LiveRating, RatedTable, show_live

MATCHES_READ = 50_000
DAYS_READ = 180

# Rated or not: whoever plays for another does so wherever they meet. House bots are kept, for strengths hang on them.
_TABLES = """
    WITH chosen AS MATERIALIZED (
        SELECT match.id, match.deals FROM games_match AS match
        WHERE match.state = 'finished' AND match.players = %(players)s AND match.kind IN ('casual', 'tournament')
          AND match.finished_at > now() - make_interval(days => %(days)s)
          AND EXISTS (
              SELECT FROM games_matchseat AS one WHERE one.match_id = match.id AND one.agent LIKE %(people)s
          )
        ORDER BY match.finished_at DESC LIMIT %(limit)s
    )
    SELECT at_table.players, result.places, result.forfeits, uuid_hash_extended(chosen.deals, 0)
    FROM chosen
    JOIN games_matchresult AS result ON result.match_id = chosen.id AND result.kind <> 'void'
    -- By match, so that no plan multiplies results with seats.
    CROSS JOIN LATERAL (
        SELECT array_agg(seat.player_id ORDER BY seat.side, seat.seat) AS players,
               count(DISTINCT seat.player_id) AS different
        FROM games_matchseat AS seat WHERE seat.match_id = chosen.id
    ) AS at_table
    WHERE at_table.different = %(players)s
"""
_LINKED = """
    SELECT link.first, link.second, link.devices, link.addresses,
           (SELECT count(*) FROM games_matchseat AS own
            JOIN games_matchseat AS beside ON beside.match_id = own.match_id AND beside.owner_id = link.second
            JOIN games_match AS match ON match.id = own.match_id AND match.is_rated AND match.state = 'finished'
            WHERE own.owner_id = link.first),
           EXISTS (SELECT FROM games_player AS player
                   WHERE player.owner_id IN (link.first, link.second) AND player.suspended_until > now())
    FROM (
        SELECT one.user_id AS first, other.user_id AS second,
               count(DISTINCT one.month) FILTER (WHERE one.kind = 'device') AS devices,
               count(DISTINCT one.month) FILTER (WHERE one.kind = 'address') AS addresses
        FROM aurum_league_trace AS one
        JOIN aurum_league_trace AS other ON other.digest = one.digest AND other.user_id > one.user_id
        WHERE one.digest IN (SELECT digest FROM aurum_league_trace GROUP BY digest HAVING count(*) BETWEEN 2 AND %s)
        GROUP BY one.user_id, other.user_id
    ) AS link
"""
MOST_BEHIND_ONE = 12
"""Accounts behind one address or device; more of them are a school or a café, and say nothing."""

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
    """Pairs that an honest pool hardly has, rated or not: at tables of three who plays for whom, at tables of two sides
    who gives matches away to an opponent. None of them with a house bot."""
    pools = [(judge, _read_tables(players)) for players, judge in JUDGES.items()]
    found = [pair for judge, tables in pools if len(tables.sides) for pair in judge(tables, fit_pool(tables))]
    house = set(Player.objects.filter(kind=PlayerKind.HOUSE).values_list("pk", flat=True))
    return [pair for pair in found if pair.p_value < LARGEST_P and not house & {pair.helped, pair.helper}]


JUDGES = {3: find_partners, 4: find_givers}


def _read_tables(players: int) -> PoolTables:
    with connection.cursor() as cursor:
        about: dict[str, str | int] = {
            "players": players,
            "people": f"{AgentKind.PERSON.prefix}%",
            "days": DAYS_READ,
            "limit": MATCHES_READ,
        }
        cursor.execute(_TABLES, about)
        return PoolTables.from_tables(_read(row) for row in cursor.fetchall())


def _read(row: tuple[list[int], list[int], list[int], int]) -> RatedTable:
    """Players come by side: at a table of four those of seats 0 and 2, then those of 1 and 3."""
    players, places, forfeits, block = row
    is_of_three = len(players) == 3
    sides = tuple((player,) for player in players) if is_of_three else (tuple(players[:2]), tuple(players[2:]))
    by_seat = players if is_of_three else [players[place] for place in (0, 2, 1, 3)]
    return RatedTable(sides, tuple(places), frozenset(by_seat[seat] for seat in forfeits), block=block)


class Link(NamedTuple):
    """Two accounts: in how many months they had a device and an address in common, their rated matches, and whether one
    of them is suspended now."""

    first: int
    second: int
    devices: int
    addresses: int
    rated_matches: int
    is_suspended: bool

    @property
    def is_case(self) -> bool:
        """They met in rated play often enough, or somebody who is suspended goes on under another name."""
        if self.devices:
            return self.is_suspended or self.rated_matches >= MEETINGS_BY_DEVICE
        return self.rated_matches >= MEETINGS_BY_ADDRESS


def list_links() -> list[Link]:
    """Accounts that had something in common and should be looked at."""
    with connection.cursor() as cursor:
        cursor.execute(_LINKED, [MOST_BEHIND_ONE])
        return [link for row in cursor.fetchall() if (link := Link(*row)).is_case]


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
