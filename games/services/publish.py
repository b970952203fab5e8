"""Publishing: short notes on Redis channels for pages and streams that are open now. Nobody's truth depends on one."""

import json
from functools import cache
from typing import Any

import redis
import structlog
from django.conf import settings

log = structlog.get_logger()


@cache
def _client() -> redis.Redis:
    return redis.Redis.from_url(settings.CACHES["default"]["LOCATION"], socket_timeout=2, socket_connect_timeout=2)


def publish(channel: str, payload: dict[str, Any]) -> None:
    """Tell whoever listens; a broker that does not answer is noted, and the listeners' own reload repairs it."""
    try:
        _client().publish(f"aurum:{channel}", json.dumps(payload))
    except (redis.RedisError, OSError) as error:
        log.warning("publish_failed", channel=channel, error=type(error).__name__)
