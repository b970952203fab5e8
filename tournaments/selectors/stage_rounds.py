"""Sums over the rounds of a stage, by entrant: bids, tricks and gold, and how rounds ended."""

from dataclasses import dataclass

from django.core.cache import cache
from django.db import connection

from tournaments.models import Stage

KEPT_SECONDS = 24 * 3600
_SIDES = """
    SELECT held.entrant, sum(r.rounds), sum(r.bids[held.side]), sum(r.tricks[held.side]),
           sum(r.exact_bids[held.side]), sum(r.gold_points[held.side]), sum(r.nuggets[held.side])
    FROM tournaments_fixturematch AS fm
    JOIN games_matchresult AS r ON r.match_id = fm.match_id AND NOT r.is_by_hand
    CROSS JOIN LATERAL (
        SELECT DISTINCT seat.entrant, (seat.number - 1) %% cardinality(r.places) + 1 AS side
        FROM unnest(fm.entrants) WITH ORDINALITY AS seat (entrant, number)
    ) AS held
    WHERE fm.stage_id = %s GROUP BY held.entrant
"""
_ENDS = """
    SELECT coalesce(sum(r.ends[1]), 0), coalesce(sum(r.ends[2]), 0), coalesce(sum(r.ends[3]), 0)
    FROM tournaments_fixturematch AS fm
    JOIN games_matchresult AS r ON r.match_id = fm.match_id AND NOT r.is_by_hand WHERE fm.stage_id = %s
"""


@dataclass(frozen=True, slots=True)
class RoundSums:
    """One entrant's sums; `rounds` counts each round once."""

    entrant: int
    rounds: int
    bids: int
    tricks: int
    exact: int
    gold_points: int
    nuggets: int


@dataclass(frozen=True, slots=True)
class StageRounds:
    """`ends` counts rounds that ended because nobody could lead, nobody could play, or gold was declined."""

    sides: tuple[RoundSums, ...]
    ends: tuple[int, int, int]


def read_stage_rounds(stage: Stage) -> StageRounds:
    """Two queries, kept by the version of the results."""
    key = f"rounds-{stage.id}-{stage.results_version}"
    known: StageRounds | None = cache.get(key)
    if known is None:
        with connection.cursor() as cursor:
            cursor.execute(_SIDES, [stage.id])
            sides = tuple(RoundSums(*row) for row in cursor.fetchall())
            cursor.execute(_ENDS, [stage.id])
            known = StageRounds(sides, cursor.fetchone())
        cache.set(key, known, KEPT_SECONDS)
    return known
