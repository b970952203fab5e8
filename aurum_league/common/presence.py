"""Who is here: workers that live, and whether their sandbox holds; people who have a table open.

By worker, and on the clock of the Redis server: what one says, or when it thinks it is, changes nothing about others.
"""

import json
import socket
import time
from collections import Counter
from dataclasses import asdict, dataclass

from django.conf import settings
from redis import Redis

from aurum_league.common.breaker import NO_ANSWER, make_redis_options
from aurum_league.common.broker import connect_live

WORKERS_KEY = "aurum:workers"
SANDBOX_KEY = "aurum:sandboxes"
SECONDS_OF_LIFE = 10
SECONDS_OF_REPORT = 3600
"""How long a sandbox is believed in while no worker is alive: a restart must not refuse uploads."""

PLAYING = "worker"
LIVE = "live"
PATIENT = "patient"


@dataclass(frozen=True)
class SandboxReport:
    is_safe: bool
    reason: str


def name_worker(program: str = PLAYING) -> str:
    """As Celery names it: the program, and the machine."""
    return f"{program}@{socket.gethostname()}"


def report_alive(worker: str = "") -> None:
    """A worker says this every two seconds; one that has been silent for ten no longer counts."""
    with _client() as client:
        now = _read_clock(client)
        client.zadd(WORKERS_KEY, {worker or name_worker(): now})
        client.zremrangebyscore(WORKERS_KEY, 0, now - SECONDS_OF_LIFE)


def report_gone(worker: str = "") -> None:
    with _client() as client:
        client.zrem(WORKERS_KEY, worker or name_worker())
        client.hdel(SANDBOX_KEY, worker or name_worker())


def read_workers() -> Counter[str]:
    """How many of each program are alive."""
    with _client() as client:
        return Counter(worker.partition("@")[0] for worker in _list_alive(client))


def read_worker_count() -> int:
    return read_workers().total()


def report_sandbox(report: SandboxReport, worker: str = "") -> None:
    with _client() as client:
        told = json.dumps({**asdict(report), "at": _read_clock(client)})
        client.hset(SANDBOX_KEY, worker or name_worker(), told)


def read_sandbox_report() -> SandboxReport | None:
    """That of a worker whose sandbox holds, if there is any: only such a worker takes uploaded bots. None of nobody."""
    with _client() as client:
        told = {worker: json.loads(text) for worker, text in client.hgetall(SANDBOX_KEY).items()}
        oldest = _read_clock(client) - SECONDS_OF_REPORT
        alive = set(_list_alive(client))
    fresh = {worker: report for worker, report in told.items() if report["at"] > oldest}
    heard = [report for worker, report in fresh.items() if worker in alive] or list(fresh.values())
    reports = [SandboxReport(report["is_safe"], report["reason"]) for report in heard]
    return max(reports, key=lambda report: report.is_safe, default=None)


SECONDS_PRESENT = 40
"""An open page asks every fifteen seconds; whoever was not heard of for so long has gone."""


def note_present(room: str, who: str) -> list[str]:
    """Say that somebody is in a room, and who else is; nobody is known while Redis is away."""
    key, now = f"aurum:here:{room}", time.time()
    try:
        with connect_live().pipeline(transaction=False) as steps:
            steps.zadd(key, {who: now})
            steps.zremrangebyscore(key, 0, now - SECONDS_PRESENT)
            steps.expire(key, SECONDS_PRESENT)
            steps.zrange(key, 0, -1)
            return [one.decode() for one in steps.execute()[-1]]
    except NO_ANSWER:
        return [who]


def _list_alive(client: Redis) -> list[str]:
    found = client.zrangebyscore(WORKERS_KEY, _read_clock(client) - SECONDS_OF_LIFE, "+inf")
    return [str(worker) for worker in found]


def _read_clock(client: Redis) -> float:
    seconds, microseconds = client.time()
    return float(seconds) + microseconds / 1e6


def _client() -> Redis:
    return Redis.from_url(settings.LIVE_URL, decode_responses=True, **make_redis_options())
