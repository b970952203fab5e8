"""Settling: matches that were played to their end become results, once, whoever else tries.

Only rows whose lease token still stands are settled; results, ratings and tournament progress follow in the same
transaction, so that a match either counts in full or not at all. What concerns a worker's own matches alone is written
and checked first: rows that the settlings of all workers change are locked last, and for as short as may be.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection, transaction

from aurum_league.common.sql import array_text, execute_together
from games.models import PlayerKind, SeatFailure
from games.play.table import Failure, Summary
from games.services.lease import ClaimedMatch, limit_transaction
from games.signals import SettledMatch, SettledSeat, match_moved, matches_settled

_FENCE = """
    UPDATE games_match
    SET state = 'finished', finished_at = now(), lease_token = NULL, lease_until = NULL, log = '', awaited = '{}',
        deadline = NULL, trouble = ''
    WHERE id = ANY(%s) AND lease_token = %s AND state = 'playing'
    RETURNING id, finished_at
"""
_COPY = """
    COPY games_matchresult (match_id, places, nuggets, totals, exact_bids, bids, tricks, gold_points, forfeits, rounds,
                            ends, first_seat, lots, log, cpu_us, is_by_hand, settled_at, early)
    FROM STDIN
"""


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    claimed: ClaimedMatch
    summary: Summary
    failures: tuple[Failure, ...]
    cpu_us: int = 0


@transaction.atomic
def settle_matches(*, played: Sequence[PlayedMatch], token: uuid.UUID) -> frozenset[int]:
    """Write the results of played matches; the ids that were still this worker's to settle."""
    with connection.cursor() as cursor:
        # Keys are looked up as rows are written: at the commit it would be done under the locks that follow.
        ids = [match.claimed.id for match in played]
        begun = (limit_transaction(), "SET CONSTRAINTS ALL IMMEDIATE", _FENCE)
        ended_at = dict(execute_together(cursor, *begun, params=[ids, token])[-1])
        settled = frozenset(ended_at)
        mine = [match for match in played if match.claimed.id in settled]
        if not mine:
            return settled
        with cursor.copy(_COPY) as copy:
            for match in mine:
                copy.write_row(_result_row(match, ended_at[match.claimed.id]))
        failures = [failure_row(match.claimed.id, failure) for match in mine for failure in match.failures]
        if failures:
            SeatFailure.objects.bulk_create(failures, ignore_conflicts=True)
    matches_settled.send(sender=None, matches=tuple(settled_match(match.claimed, match.summary) for match in mine))
    transaction.on_commit(lambda: _tell_moved([match for match in mine if match.claimed.clock]))
    return settled


def _tell_moved(live: Sequence[PlayedMatch]) -> None:
    for match in live:
        agents = tuple(seat.agent for seat in match.claimed.seats)
        match_moved.send(sender=None, match_id=match.claimed.id, agents=agents, version=len(match.summary.log) // 2 + 1)


def _result_row(match: PlayedMatch, settled_at: object) -> tuple[object, ...]:
    summary = match.summary
    return (
        match.claimed.id,
        array_text(summary.places),
        array_text(summary.nuggets),
        array_text(summary.totals),
        array_text(summary.exact_bids),
        array_text(summary.bids),
        array_text(summary.tricks),
        array_text(summary.gold_points),
        array_text(summary.forfeits),
        summary.rounds,
        array_text(summary.ends),
        summary.first_seat,
        summary.lots,
        summary.log,
        match.cpu_us,
        False,
        settled_at,
        array_text(summary.early),
    )


def failure_row(match_id: int, failure: Failure) -> SeatFailure:
    fault = failure.fault
    return SeatFailure(
        match_id=match_id,
        seat=failure.seat,
        step=failure.step,
        verdict=fault.verdict,
        detail=fault.detail[:4000],
        asked=fault.asked[:70_000],
        answered=fault.answered[:70_000],
        stderr=fault.stderr[:17_000],
    )


def settled_match(claimed: ClaimedMatch, summary: Summary) -> SettledMatch:
    return SettledMatch(
        id=claimed.id,
        kind=claimed.kind,
        ruleset=claimed.ruleset,
        players=len(claimed.seats),
        is_rated=claimed.is_rated,
        deals=str(claimed.deals),
        seats=tuple(
            SettledSeat(seat.seat, seat.side, seat.player, seat.agent, seat.kind == PlayerKind.PERSON)
            for seat in claimed.seats
        ),
        summary=summary,
    )
