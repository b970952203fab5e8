"""What is kept to be quick and can be made again: while Redis is away nothing is, and pages are read all the same."""

from typing import Any

from django.core.cache import cache
from redis.exceptions import RedisError


def read_kept(key: str) -> Any:
    """None where nothing is kept, or nobody knows."""
    try:
        return cache.get(key)
    except (RedisError, OSError):
        return None


def keep(key: str, value: object, seconds: int) -> None:
    try:
        cache.set(key, value, seconds)
    except (RedisError, OSError):
        return
