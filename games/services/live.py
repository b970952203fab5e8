"""Matches that wait for people and connected bots: where they stand, who is awaited, and until when."""

import json
import uuid
from collections.abc import Sequence
from typing import Any

from django.db import connection, transaction

from games.models import SeatFailure
from games.play.table import Table
from games.rules.match import pack_log
from games.services.lease import LIVE_PRIORITY, ClaimedMatch
from games.services.nudge import nudge_on_commit
from games.services.settle import failure_row
from games.signals import match_moved

# Three players who bid at once: when one of them has bid, the clocks of the others go on from where they started.
_STILL_AWAITED = "cardinality(awaited) > cardinality(%(awaited)s::smallint[]) AND awaited @> %(awaited)s::smallint[]"
_WAIT = f"""
    UPDATE games_match
    SET state = 'waiting', lease_token = NULL, lease_until = NULL, attempt = 0, log = %(log)s, awaited = %(awaited)s,
        clocks = %(clocks)s, trouble = '',
        awaited_since = CASE WHEN {_STILL_AWAITED} THEN awaited_since ELSE now() END,
        deadline = CASE WHEN {_STILL_AWAITED} THEN awaited_since ELSE now() END + make_interval(secs => %(seconds)s)
    WHERE id = %(id)s AND lease_token = %(token)s AND state = 'playing'
"""
_HAND_OVER = """
    UPDATE games_match
    SET state = 'ready', lease_token = NULL, lease_until = NULL, attempt = 0, log = %(log)s, awaited = %(awaited)s,
        clocks = %(clocks)s, deadline = NULL, priority = GREATEST(priority, %(priority)s)
    WHERE id = %(id)s AND lease_token = %(token)s AND state = 'playing'
"""
DEFAULT_BANK = 600.0


@transaction.atomic
def store_waiting(*, claimed: ClaimedMatch, table: Table, awaited: Sequence[int], token: uuid.UUID) -> bool:
    """Note where a match stands and who is awaited until when; False where the lease was lost."""
    clocks = _clocks(claimed, table)
    seconds = seconds_allowed(claimed.clock, clocks, awaited)
    return _store(_WAIT, claimed, table, token, {"awaited": list(awaited), "clocks": clocks, "seconds": seconds})


@transaction.atomic
def hand_over(*, claimed: ClaimedMatch, table: Table, awaited: Sequence[int], token: uuid.UUID) -> bool:
    """Note where a match stands and leave the next decision, a slow agent's, to a worker."""
    values: dict[str, Any] = {"awaited": list(awaited), "clocks": _clocks(claimed, table), "priority": LIVE_PRIORITY}
    is_stored = _store(_HAND_OVER, claimed, table, token, values)
    nudge_on_commit(int(is_stored), is_live=True)
    return is_stored


def _clocks(claimed: ClaimedMatch, table: Table) -> dict[str, dict[str, float]]:
    return {**claimed.clocks, "strikes": {str(seat): count for seat, count in table.strikes.items()}}


def _store(statement: str, claimed: ClaimedMatch, table: Table, token: uuid.UUID, values: dict[str, Any]) -> bool:
    arguments = {**values, "clocks": json.dumps(values["clocks"]), "log": pack_log(table.match.log)}
    with connection.cursor() as cursor:
        cursor.execute(statement, {**arguments, "id": claimed.id, "token": token})
        if not cursor.rowcount:
            return False
    failures = [failure_row(claimed.id, failure) for failure in table.failures]
    SeatFailure.objects.bulk_create(failures, ignore_conflicts=True)
    transaction.on_commit(lambda: match_moved.send(sender=None, match_id=claimed.id))
    return True


def seconds_allowed(
    clock: dict[str, float] | None, clocks: dict[str, dict[str, float]], awaited: Sequence[int]
) -> float:
    """How long the awaited seats may take: a set time for each decision, or what is left of the shortest bank."""
    if clock is None:
        return DEFAULT_BANK
    if "each" in clock:
        return clock["each"]
    banks = clocks.get("banks", {})
    return min(banks.get(str(seat), clock["bank"]) for seat in awaited)
