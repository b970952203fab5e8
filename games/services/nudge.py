"""Words over Redis: nudges that there may be work, and notes to open pages. Losing one costs seconds, never a match."""

import json
from functools import cache
from typing import Any

import redis
import structlog
from celery import current_app
from django.conf import settings
from django.db import transaction
from kombu import Producer
from kombu.exceptions import ChannelError, OperationalError
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
    """Wake workers now, as far as nobody else has yet. A broker that does not answer is noted and left to the sweep."""
    queue = LIVE_QUEUE if is_live else PLAY_QUEUE
    count = min(MOST_NUDGES, -(-matches // MATCHES_A_NUDGE))
    try:
        with current_app.producer_or_acquire() as producer:
            for _ in range(count - _count_waiting(producer, queue)):
                current_app.send_task(
                    TASK, kwargs={"is_live": is_live}, queue=queue, expires=60, retry=False, producer=producer
                )
    except (OperationalError, RedisError, OSError) as error:
        log.warning("nudge_failed", error=type(error).__name__)


def _count_waiting(producer: Producer, queue: str) -> int:
    try:
        return int(producer.channel.queue_declare(queue, passive=True).message_count)
    except ChannelError:
        return 0


@cache
def _client() -> redis.Redis:
    return redis.Redis.from_url(settings.CACHES["default"]["LOCATION"], socket_timeout=2, socket_connect_timeout=2)


def publish(channel: str, payload: dict[str, Any]) -> None:
    """Tell whoever listens; a broker that does not answer is noted, and the listeners' own reload repairs it."""
    try:
        _client().publish(f"aurum:{channel}", json.dumps(payload))
    except (redis.RedisError, OSError) as error:
        log.warning("publish_failed", channel=channel, error=type(error).__name__)
