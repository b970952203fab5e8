"""Statistics of a stage or a player: where one sits, how often bids are met, what gold brings, how rounds end."""

from dataclasses import dataclass
from math import sqrt
from typing import Any

from django.core.cache import cache
from django.db import connection
from scipy import stats

from tournaments.models import Stage
from tournaments.rules.pairing import HOUSE, TableKind
from tournaments.rules.statistics.bias import PositionBias, measure_first_player_bias, measure_seat_bias
from tournaments.selectors.results import read_stage_results

KEPT_SECONDS = 24 * 3600

_OF_STAGE = """
    SELECT holder.id, match.deals, result.*, (holder.seat - 1) %% cardinality(result.places) + 1 AS side
    FROM tournaments_fixturematch AS fm
    JOIN tournaments_fixture AS fixture ON fixture.id = fm.fixture_id AND fixture.state = 'settled'
    JOIN games_match AS match ON match.id = fm.match_id
    JOIN games_matchresult AS result ON result.match_id = fm.match_id
    CROSS JOIN LATERAL unnest(fm.entrants) WITH ORDINALITY AS holder (id, seat)
    WHERE fm.stage_id = %(id)s AND (holder.seat <= cardinality(result.places) OR NOT %(has_sides)s)
      AND NOT holder.seat - 1 = ANY(result.forfeits)
"""
_OF_PLAYER = """
    SELECT match.players AS id, match.deals, result.*, seat.side + 1 AS side
    FROM games_matchseat AS seat
    JOIN games_match AS match ON match.id = seat.match_id AND match.kind IN ('tournament', 'casual')
    JOIN games_matchresult AS result ON result.match_id = seat.match_id
    WHERE seat.player_id = %(id)s AND NOT seat.seat = ANY(result.forfeits)
"""
_BIDS = """
    WITH part AS ({parts}), block AS (
        SELECT id, count(*) AS matches, sum(rounds) AS rounds, sum(exact_bids[side]) AS exact, sum(bids[side]) AS bids,
               sum(tricks[side]) AS tricks, sum(gold_points[side]) AS gold, sum(totals[side]) AS total,
               sum(nuggets[side]) AS nuggets
        FROM part WHERE rounds > 0 GROUP BY id, deals
    )
    SELECT id, sum(matches), sum(rounds), sum(exact), sum(bids), sum(tricks), sum(gold), sum(total), sum(nuggets),
           count(*), avg(exact::float8 / rounds), stddev_samp(exact::float8 / rounds)
    FROM block GROUP BY id ORDER BY id
"""
_ROUNDS = """
    SELECT count(*), COALESCE(sum(result.rounds), 0), COALESCE(sum(result.ends[1]), 0),
           COALESCE(sum(result.ends[2]), 0), COALESCE(sum(result.ends[3]), 0),
           count(*) FILTER (WHERE cardinality(result.forfeits) > 0), count(*) FILTER (WHERE result.lots)
    FROM tournaments_fixturematch AS fm
    JOIN tournaments_fixture AS fixture ON fixture.id = fm.fixture_id AND fixture.state = 'settled'
    JOIN games_matchresult AS result ON result.match_id = fm.match_id
    WHERE fm.stage_id = %s
"""


@dataclass(frozen=True, slots=True)
class BidStatistics:
    """Sums over all rounds of one entrant, or of one player by size of table, which is then the `id`.

    `exact_low` and `exact_high` bound the share of exact bids at 95 %, from blocks; None where there is only one.
    """

    id: int
    matches: int
    rounds: int
    exact: int
    bids: int
    tricks: int
    gold_points: int
    total: int
    nuggets: int
    blocks: int
    exact_low: float | None
    exact_high: float | None

    @property
    def exact_share(self) -> float:
        return self.exact / self.rounds

    def a_round(self, total: int) -> float:
        """A sum for each round."""
        return total / self.rounds


@dataclass(frozen=True, slots=True)
class RoundStatistics:
    """How the rounds of a stage ended: nobody could lead, nobody could play, or gold was declined."""

    matches: int
    rounds: int
    no_lead: int
    no_play: int
    declined_gold: int
    matches_with_forfeit: int
    matches_by_lot: int


@dataclass(frozen=True, slots=True)
class StageBias:
    """Whether it matters where one sits, and how far from the first player."""

    seat: PositionBias
    first_player: PositionBias


def read_stage_bids(stage: Stage) -> dict[int, BidStatistics]:
    """By entrant; those of filling house bots are left out."""
    has_sides = stage.tournament.table_kind == TableKind.TEAMS4
    rows = _read_bids(_OF_STAGE, {"id": stage.id, "has_sides": has_sides})
    return {row.id: row for row in rows if row.id != HOUSE}


def read_player_bids(player_id: int) -> dict[int, BidStatistics]:
    """By size of table, over all tournaments and casual matches."""
    return {row.id: row for row in _read_bids(_OF_PLAYER, {"id": player_id})}


def read_stage_rounds(stage: Stage) -> RoundStatistics:
    with connection.cursor() as cursor:
        cursor.execute(_ROUNDS, [stage.id])
        return RoundStatistics(*cursor.fetchone())


def read_stage_bias(stage: Stage) -> StageBias:
    """Kept by the version of the results."""
    key = f"bias-{stage.id}-{stage.results_version}"
    known: StageBias | None = cache.get(key)
    if known is None:
        results = read_stage_results(stage, TableKind(stage.tournament.table_kind))
        known = StageBias(measure_seat_bias(results), measure_first_player_bias(results))
        cache.set(key, known, KEPT_SECONDS)
    return known


def _read_bids(parts: str, arguments: dict[str, Any]) -> list[BidStatistics]:
    with connection.cursor() as cursor:
        cursor.execute(_BIDS.format(parts=parts), arguments)
        return [_bid_statistics(row) for row in cursor.fetchall()]


def _bid_statistics(row: tuple[Any, ...]) -> BidStatistics:
    blocks, mean, deviation = row[9:]
    values = (*row[:10], *_bound_share(blocks, mean, deviation))
    return BidStatistics(*values)


def _bound_share(blocks: int, mean: float, deviation: float | None) -> tuple[float | None, float | None]:
    if not deviation:
        return None, None
    reach = float(stats.t.ppf(0.975, blocks - 1)) * deviation / sqrt(blocks)
    return max(0.0, mean - reach), min(1.0, mean + reach)
