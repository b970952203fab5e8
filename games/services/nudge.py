"""Nudges to the workers that play: as many as the matches can keep busy. Losing one costs seconds, never a match."""

import structlog
from celery import current_app
from django.db import transaction
from kombu import Producer
from kombu.exceptions import ChannelError, OperationalError

from aurum_league.common.breaker import NO_ANSWER, breaker
from aurum_league.common.broker import send_nudge

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
        with breaker.guarding(OperationalError), current_app.producer_or_acquire() as producer:
            for _ in range(count - _count_waiting(producer, queue)):
                if not send_nudge(TASK, kwargs={"is_live": is_live}, queue=queue, producer=producer):
                    return
    except (OperationalError, *NO_ANSWER) as error:
        log.warning("nudge_failed", task=TASK, error=type(error).__name__)


def _count_waiting(producer: Producer, queue: str) -> int:
    try:
        return int(producer.channel.queue_declare(queue, passive=True).message_count)
    except ChannelError:
        return 0
