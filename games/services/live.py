"""Matches that wait for people and connected bots: where they stand, who is awaited, and answers as they come."""

import json
import uuid
from collections.abc import Sequence

from django.db import connection, transaction

from games.models import SeatFailure
from games.play.table import Table
from games.rules.match import pack_log
from games.services.lease import ClaimedMatch
from games.services.settle import failure_row
from games.signals import match_moved

_WAIT = """
    UPDATE games_match
    SET state = 'waiting', lease_token = NULL, lease_until = NULL, attempt = 0, log = %(log)s, awaited = %(awaited)s,
        clocks = %(clocks)s, awaited_since = now(), deadline = now() + make_interval(secs => %(seconds)s)
    WHERE id = %(id)s AND lease_token = %(token)s AND state = 'playing'
"""
DEFAULT_BANK = 600.0


@transaction.atomic
def store_waiting(*, claimed: ClaimedMatch, table: Table, awaited: Sequence[int], token: uuid.UUID) -> bool:
    """Note where a match stands and who is awaited until when; False where the lease was lost."""
    clocks = {**claimed.clocks, "strikes": {str(seat): count for seat, count in table.strikes.items()}}
    with connection.cursor() as cursor:
        cursor.execute(
            _WAIT,
            {
                "log": pack_log(table.match.log),
                "awaited": list(awaited),
                "clocks": json.dumps(clocks),
                "seconds": seconds_allowed(claimed.clock, clocks, awaited),
                "id": claimed.id,
                "token": token,
            },
        )
        if not cursor.rowcount:
            return False
    SeatFailure.objects.bulk_create(
        [failure_row(claimed.id, failure) for failure in table.failures], ignore_conflicts=True
    )
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
