"""What workers tell the rest of the site about themselves: that they live, and whether their sandbox holds."""

import socket
import time
from dataclasses import asdict, dataclass

from django.conf import settings
from redis import Redis

from aurum_league.common.breaker import make_redis_options

WORKERS_KEY = "aurum:workers"
SANDBOX_KEY = "aurum:sandbox"
SECONDS_OF_LIFE = 10


@dataclass(frozen=True)
class SandboxReport:
    is_safe: bool
    reason: str


def report_alive(worker: str = "") -> None:
    """A worker says this every two seconds; one that has been silent for ten no longer counts."""
    now = time.time()
    with _client() as client:
        client.zadd(WORKERS_KEY, {worker or socket.gethostname(): now})
        client.zremrangebyscore(WORKERS_KEY, 0, now - SECONDS_OF_LIFE)


def report_gone(worker: str = "") -> None:
    with _client() as client:
        client.zrem(WORKERS_KEY, worker or socket.gethostname())


def read_worker_count() -> int:
    with _client() as client:
        return int(client.zcount(WORKERS_KEY, time.time() - SECONDS_OF_LIFE, "+inf"))


def report_sandbox(report: SandboxReport) -> None:
    with _client() as client:
        client.hset(SANDBOX_KEY, mapping={key: str(value) for key, value in asdict(report).items()})


def read_sandbox_report() -> SandboxReport | None:
    """None until a worker has reported."""
    with _client() as client:
        fields: dict[str, str] = client.hgetall(SANDBOX_KEY)
    return SandboxReport(fields["is_safe"] == "True", fields["reason"]) if fields else None


def _client() -> Redis:
    return Redis.from_url(settings.LIVE_URL, decode_responses=True, **make_redis_options())
