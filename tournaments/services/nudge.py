"""Nudges to move stages on: losing one costs seconds, because the sweep looks at every stage that plays."""

import structlog
from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

ADVANCE_TASK = "tournaments.advance_tournament"

log = structlog.get_logger()


def nudge_tournament_on_commit(tournament_id: int) -> None:
    """Have a worker move a tournament on, once the transaction has committed."""
    transaction.on_commit(lambda: nudge_tournament(tournament_id))


def nudge_tournament(tournament_id: int) -> None:
    """Send the message now. A broker that does not answer is noted and left to the sweep."""
    try:
        current_app.send_task(ADVANCE_TASK, args=[tournament_id], expires=60, retry=False)
    except (OperationalError, RedisError, OSError) as error:
        log.warning("nudge_failed", error=type(error).__name__)
