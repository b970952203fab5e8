"""Nudging the sweep: a message that says there may be work. Losing one costs a minute, never a version."""

import structlog
from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

TASK = "bots.sweep"

log = structlog.get_logger()


def nudge_sweep_on_commit() -> None:
    transaction.on_commit(_nudge)


def _nudge() -> None:
    try:
        current_app.send_task(TASK, expires=60, retry=False)
    except (OperationalError, RedisError, OSError) as error:
        log.warning("nudge_failed", error=type(error).__name__)
