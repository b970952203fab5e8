"""Samples of everything that could grow: memory and files of each program, connections, leases, Redis."""

from collections.abc import Iterable
from pathlib import Path

import redis
from django.db import connection
from django.utils import timezone

from aurum_league.chaos.arena import Arena
from aurum_league.embedded.process_table import PROC, list_processes, works_in
from aurum_league.settings.connections import CELERY_DATABASE, redis_url
from games.models import Match, MatchState

MEGABYTE = 1_000_000

Sample = dict[str, float]


def take_sample(arena: Arena) -> Sample:
    """A number for each thing that is watched, by its name."""
    sample: Sample = {}
    for name, program in arena.programs.items():
        pids = [program.pid, *arena.list_children(name)]
        sample[f"{name}: memory in MB"] = sum(map(_read_memory, pids)) / MEGABYTE
        sample[f"{name}: open files"] = sum(map(_count_files, pids))
    sample["postgres: connections"] = _count_connections()
    sample["redis: memory in MB"], sample["redis: clients"], sample["redis: messages waiting"] = _read_redis()
    valkey = [process.pid for process in list_processes() if works_in(process.pid, arena.layout.valkey)]
    sample["redis: open files"] = sum(map(_count_files, valkey))
    sample["leases held"] = Match.objects.filter(state=MatchState.PLAYING).count()
    sample["leases run out"] = Match.objects.filter(state=MatchState.PLAYING, lease_until__lt=timezone.now()).count()
    return sample


def _read_memory(pid: int) -> float:
    """What the process has for itself, in bytes; what it shares with its parent is counted there."""
    for line in _read_lines(PROC / str(pid) / "status"):
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) * 1024
    return 0


def _count_files(pid: int) -> int:
    try:
        return sum(1 for _ in (PROC / str(pid) / "fd").iterdir())
    except OSError:
        return 0


def _read_lines(path: Path) -> Iterable[str]:
    try:
        return path.read_text().splitlines()
    except OSError:
        return ()


def _count_connections() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
        return int(cursor.fetchone()[0])


def _read_redis() -> tuple[float, int, int]:
    with redis.Redis.from_url(redis_url(CELERY_DATABASE), socket_timeout=5) as client:
        waiting = sum(int(client.llen(queue)) for queue in ("play", "live", "celery"))
        memory = int(client.info("memory")["used_memory"]) / MEGABYTE
        return memory, int(client.info("clients")["connected_clients"]), waiting
