"""Nudges: messages that say there may be work, never what it is. Losing one costs seconds, never a match."""

import structlog
from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

MATCHES_A_NUDGE = 100
MOST_NUDGES = 16
PLAY_QUEUE = "play"
LIVE_QUEUE = "live"
TASK = "games.play_ready_matches"

log = structlog.get_logger()


def nudge_on_commit(matches: int, *, is_live: bool = False) -> None:
    """Wake as many workers as these matches can keep busy, once the transaction has committed."""
    if matches:
        transaction.on_commit(lambda: nudge_workers(matches, is_live=is_live))


def nudge_workers(matches: int, *, is_live: bool = False) -> None:
    """Wake workers now. A broker that does not answer is noted and left to the sweep."""
    count = min(MOST_NUDGES, -(-matches // MATCHES_A_NUDGE))
    try:
        for _ in range(count):
            current_app.send_task(
                TASK, kwargs={"is_live": is_live}, queue=LIVE_QUEUE if is_live else PLAY_QUEUE, expires=60, retry=False
            )
    except (OperationalError, RedisError, OSError) as error:
        log.warning("nudge_failed", error=type(error).__name__)
