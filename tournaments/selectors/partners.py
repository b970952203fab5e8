"""Who plays for whom, from the rated matches of a pool: suspect pairs with their evidence, and their joint matches."""

from dataclasses import dataclass, replace
from datetime import datetime
from math import log2

from django.db import connection

from aurum_league.common.cache import read_cached
from games.models import Player
from tournaments.models import RatingPool
from tournaments.rules.collusion import PairEvidence, find_partners
from tournaments.rules.ratings.fit import fit_pool
from tournaments.rules.ratings.listing import VERSION_BITS
from tournaments.selectors.rated_matches import read_pool_tables

PARTNERS_CACHE_SECONDS = 3600
SUSPECT_CHANCE = 0.05
"""Of twenty honest pools, one has a pair that is this unlikely by luck."""

MATCHES_JUDGED = 50_000
"""The latest of a pool: a moderator asks what goes on, and a page waits for the answer."""


@dataclass(frozen=True, slots=True)
class SuspectPair:
    """A pair of a pool, in points by place a joint match beyond what their strengths and other matches say.

    `helped` had more than those say, `helper` less. `chance` is that of such a pair in an honest pool of this size, all
    pairs allowed for.
    """

    pool_id: int
    pool: str
    helped: Player
    helper: Player
    matches: int
    blocks: int
    helped_gain: float
    helper_gain: float
    third_gain: float
    chance: float

    @property
    def is_suspect(self) -> bool:
        return self.chance < SUSPECT_CHANCE

    @property
    def percent(self) -> float:
        """Of honest pools, how many have such a pair."""
        return 100 * self.chance

    @property
    def owners(self) -> set[int | None]:
        return {self.helped.owner_id, self.helper.owner_id}


@dataclass(frozen=True, slots=True)
class JointMatch:
    """A rated match of a pair, with both places (1 is best)."""

    match_id: int
    finished_at: datetime | None
    first_place: int
    second_place: int


def list_pairs(pool: RatingPool, *, limit: int = 20) -> list[SuspectPair]:
    """The pairs of a pool of three players least likely by luck, suspect or not; empty at tables of four.

    Made again when the pool has grown by some part in ten, or an hour has passed.
    """
    if pool.players != 3 or not pool.sequence:
        return []
    key = f"partners:{pool.id}:{int(8 * log2(pool.sequence))}:{limit}"
    found = read_cached(key, PARTNERS_CACHE_SECONDS, lambda: judge_pool(pool)[:limit])
    players = Player.objects.in_bulk({one for pair in found for one in (pair.helped, pair.helper)})
    return [_name_pair(pool, pair, players) for pair in found if {pair.helped, pair.helper} <= players.keys()]


def list_suspect_pairs(*, limit: int = 20) -> list[SuspectPair]:
    """Over all pools of three players, the least likely by luck first; only those an honest pool hardly has."""
    pools = RatingPool.objects.filter(players=3, sequence__gt=0).order_by("id")
    pairs = [pair for pool in pools for pair in list_pairs(pool, limit=limit) if pair.is_suspect]
    return sorted(pairs, key=lambda pair: pair.chance)[:limit]


def judge_pool(pool: RatingPool) -> list[PairEvidence]:
    """Every pair of the pool with enough joint matches, by places alone; the versions of a bot are judged as one."""
    tables = read_pool_tables(pool, pool.sequence, after=max(0, pool.sequence - MATCHES_JUDGED)).tables
    tables = replace(tables, scores=None)
    return find_partners(tables, fit_pool(tables), tables.players >> VERSION_BITS)


_JOINT = """
    SELECT first.match_id, match.finished_at, first.place, second.place
    FROM tournaments_ratingchange AS first
    JOIN tournaments_ratingchange AS second ON second.match_id = first.match_id AND second.player_id = %(second)s
    JOIN games_match AS match ON match.id = first.match_id
    WHERE first.player_id = %(first)s AND first.pool_id = %(pool)s AND second.pool_id = first.pool_id
    ORDER BY first.sequence DESC LIMIT %(limit)s
"""


def list_joint_matches(pool: RatingPool, first: int, second: int, *, limit: int = 200) -> list[JointMatch]:
    """The rated matches of two players at one table of the pool, the newest first."""
    with connection.cursor() as cursor:
        cursor.execute(_JOINT, {"first": first, "second": second, "pool": pool.id, "limit": limit})
        return [JointMatch(*row) for row in cursor.fetchall()]


def _name_pair(pool: RatingPool, pair: PairEvidence, players: dict[int, Player]) -> SuspectPair:
    return SuspectPair(
        pool_id=pool.id,
        pool=str(pool),
        helped=players[pair.helped],
        helper=players[pair.helper],
        matches=pair.matches,
        blocks=pair.blocks,
        helped_gain=pair.helped_gain,
        helper_gain=pair.helper_gain,
        third_gain=pair.third_gain,
        chance=pair.p_value,
    )
