"""Which faults strike, how often and for how long, the diary of it, and the poison that kills from within.

Workers of the arena have this module as their Celery application: the site's own, with house bots that take their time.
"""

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random, SystemRandom
from typing import Any

import psycopg
import redis
from celery.signals import worker_init, worker_process_init

from aurum_league.celery import app
from aurum_league.embedded.layout import OWNER_ROLE, POSTGRES_PORT, SITE_ROLE, list_processes, works_in
from aurum_league.embedded.postgres import find_postmaster
from aurum_league.settings.connections import CELERY_DATABASE, redis_url
from benchmarks.site import Arena, signal_process
from games.play.agents import Agent, AgentKind, AgentRef, SeatOrder

__all__ = ["POISON_AGENT", "FaultSchedule", "Strike", "app", "list_faults"]

POISON_AGENT = AgentRef("poison", "kill")
SECONDS_TO_SIT_DOWN = 0.007
"""Three seats make a match of some 20 ms, so that a batch lasts seconds and faults strike in the midst of it."""

KILLS = ("worker killed", "child killed", "postgres killed", "postgres cut", "worker frozen")
"""Faults that can take a match from the worker that plays it."""


@dataclass
class Strike:
    """One fault; `until` is when what it took away was there again, None while it is not."""

    fault: str
    at: float
    until: float | None = None


@dataclass(frozen=True)
class PlannedFault:
    """Seconds between two strikes of a kind, on average, and the longest that its victim stays away."""

    every: float
    longest: float
    strike: Callable[[Arena, Random], None]
    mend: Callable[[Arena], None] = Arena.tend


def kill_worker(arena: Arena, rng: Random) -> None:
    """The worker's main process, whose children are left behind."""
    arena.programs[rng.choice([*arena.workers, "live"])].kill()


def kill_child(arena: Arena, rng: Random) -> None:
    children = [pid for name in (*arena.workers, "live") for pid in arena.list_children(name)]
    if children:
        signal_process(rng.choice(children), signal.SIGKILL)


def flush_redis(arena: Arena, rng: Random) -> None:
    with suppress(redis.RedisError):
        redis.Redis.from_url(redis_url(CELERY_DATABASE), socket_timeout=3).flushall()


def kill_redis(arena: Arena, rng: Random) -> None:
    arena.held_down.add("redis")
    for process in list_processes():
        if works_in(process.pid, arena.layout.valkey):
            signal_process(process.pid, signal.SIGKILL)


def return_redis(arena: Arena) -> None:
    arena.held_down.discard("redis")
    arena.tend()


def hang_redis(arena: Arena, rng: Random) -> None:
    """It takes connections and answers nothing; whoever tends the servers asks nothing of it, and wakes it in time."""
    arena.held_down.add("redis hung")
    for process in list_processes():
        if works_in(process.pid, arena.layout.valkey):
            signal_process(process.pid, signal.SIGSTOP)


def wake_redis(arena: Arena) -> None:
    arena.held_down.discard("redis hung")
    for process in list_processes():
        if works_in(process.pid, arena.layout.valkey):
            signal_process(process.pid, signal.SIGCONT)


_CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND usename = %s"


def cut_postgres(arena: Arena, rng: Random) -> None:
    """Every line to it is cut, in the midst of whatever is being said."""
    with suppress(psycopg.OperationalError), psycopg.connect(**_owner(arena), autocommit=True) as owner:
        owner.execute(_CUT, [SITE_ROLE])


def _owner(arena: Arena) -> dict[str, Any]:
    return {"host": str(arena.layout.run), "port": POSTGRES_PORT, "user": OWNER_ROLE, "dbname": "postgres"}


def kill_postgres(arena: Arena, rng: Random) -> None:
    arena.held_down.add("postgres")
    pid = find_postmaster(arena.layout)
    if pid:
        signal_process(pid, signal.SIGKILL)


def return_postgres(arena: Arena) -> None:
    arena.held_down.discard("postgres")
    arena.tend()


def freeze_worker(arena: Arena, rng: Random) -> None:
    arena.signal_program(arena.workers[0], signal.SIGSTOP)


def thaw_worker(arena: Arena) -> None:
    """By now its matches are somebody else's, and it does not know."""
    arena.signal_program(arena.workers[0], signal.SIGCONT)


def list_faults(lease: float) -> dict[str, PlannedFault]:
    """Times shrink with the lease, so that a short trial sees every kind; a freeze always outlasts it."""
    part = lease / 30
    return {
        "worker killed": PlannedFault(12 * part, 0, kill_worker),
        "child killed": PlannedFault(3 * part, 0, kill_child),
        "redis flushed": PlannedFault(9 * part, 0, flush_redis),
        "redis killed": PlannedFault(17 * part, 8 * part, kill_redis, return_redis),
        "redis hung": PlannedFault(21 * part, 6 * part, hang_redis, wake_redis),
        "postgres cut": PlannedFault(11 * part, 0, cut_postgres),
        "postgres killed": PlannedFault(15 * part, 2 * part, kill_postgres, return_postgres),
        "worker frozen": PlannedFault(45 * part, lease * 1.2, freeze_worker, thaw_worker),
    }


@dataclass
class FaultSchedule:
    """Strikes each fault when its time has come since it was last mended; waits vary by a half either way."""

    arena: Arena
    rng: Random
    faults: dict[str, PlannedFault]
    diary: list[Strike] = field(default_factory=list)

    def __post_init__(self) -> None:
        now = time.time()
        self._due = {name: now + self._wait(fault) for name, fault in self.faults.items()}
        self._away: dict[str, tuple[Strike, float]] = {}

    @property
    def has_struck_all(self) -> bool:
        return {strike.fault for strike in self.diary} == set(self.faults)

    def strike(self) -> None:
        for name, fault in self.faults.items():
            if name not in self._away and time.time() > self._due[name]:
                done = Strike(name, time.time())
                self.diary.append(done)
                fault.strike(self.arena, self.rng)
                self._away[name] = (done, time.time() + fault.longest * self.rng.uniform(0.5, 1))

    def mend(self, *, everything: bool = False) -> None:
        """Bring back what was away long enough, or all that is."""
        for name, (done, until) in list(self._away.items()):
            if everything or time.time() > until:
                self.faults[name].mend(self.arena)
                done.until = time.time()
                del self._away[name]
                self._due[name] = done.until + self._wait(self.faults[name])

    def _wait(self, fault: PlannedFault) -> float:
        return fault.every * self.rng.uniform(0.5, 1.5)


def _kill_worker(order: SeatOrder) -> Agent:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("unreachable")


def _open_slowly(order: SeatOrder) -> Agent:
    from bots.brains import make_brain

    time.sleep(SECONDS_TO_SIT_DOWN)
    return make_brain(order.agent.id, order.bot_seed)


POINTS = ("SET state = 'finished'", "SET CONSTRAINTS", "FOR NO KEY UPDATE", "tournaments_ratingpool SET sequence")
"""What is said at the points of a settling: the fence, before the first lock that is shared, under each, at the end."""

ONE_IN = 50


@worker_process_init.connect
def die_in_settlings(**details: object) -> None:
    """Now and then a process kills itself right before or after it has said one of these."""
    from django.db import connection

    from games.services.lease import SUSPECTS_TOGETHER

    chance, is_batch = SystemRandom(), False

    def die_sometimes(execute: Any, statement: Any, values: Any, *about: Any) -> Any:
        nonlocal is_batch
        if POINTS[0] in str(statement):
            # A match that is played alone because workers died on it would be taken for what kills them.
            is_batch = len(values[0]) > SUSPECTS_TOGETHER
        is_point = is_batch and any(point in str(statement) for point in POINTS)
        moment = chance.randrange(2 * ONE_IN) if is_point else -1
        if moment == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        answer = execute(statement, values, *about)
        if moment == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        return answer

    connection.execute_wrappers.append(die_sometimes)


@worker_init.connect
def serve_poison(**details: object) -> None:
    from games.play.agents import register_agents

    register_agents(POISON_AGENT.kind, _kill_worker)
    register_agents(AgentKind.HOUSE, _open_slowly)
