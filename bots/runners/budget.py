"""What a bot may use: the limits of its process, what one answer may cost, and the wall time of all its answers."""

import math
import time
from dataclasses import dataclass

from bots.runners.cores import is_held_by_others, is_ready, read_cpu_time, read_queue_time
from bots.runners.verdict import Fault, Verdict

KILOBYTE = 1024
MEGABYTE = 1024 * KILOBYTE
MOST_PATIENCE_WITH_CORE = 1.0


@dataclass(frozen=True)
class Limits:
    """Times in seconds, sizes in bytes. CPU time is what a bot is charged; wall time is there for those who sleep."""

    bank_cpu: float = 10.0
    decision_cpu: float = 2.0
    # For the first answer, which pays for the bot's imports and tables as well; not taken from the bank.
    start_cpu: float = 3.0
    # How long the platform may take to have the process confined.
    start_wall: float = 10.0
    wall_factor: float = 5.0
    # On the wall, for all answers of a match together. Time in the queue for a core is not counted.
    bank_wall: float = 30.0
    # Of that, how long a bot may wait without working before its match goes where it holds up nobody.
    patience: float = math.inf
    # Address space, not resident memory: Python itself and its library take about 45 MB of it.
    memory: int = 256 * MEGABYTE
    line: int = 64 * KILOBYTE
    # What is kept of it: four seats of a match have a megabyte together.
    stderr: int = 250 * KILOBYTE
    # Messages that a bot has left unread, beyond what the pipe itself holds.
    unread: int = 1 * MEGABYTE

    @property
    def takes_core(self) -> bool:
        """Whoever may be kept waiting for long takes no core: it would stand idle, and those who work go without."""
        return self.patience <= MOST_PATIENCE_WITH_CORE or math.isinf(self.patience)

    @property
    def cpu_seconds(self) -> int:
        """The kernel's own last limit, out of a fair bot's reach."""
        return math.ceil(self.start_cpu + self.bank_cpu + self.decision_cpu) + 1


class WallBank:
    """Charged with every answer; given back what the bot or its referee spent in the queue for a core.

    The queues are looked at only when the bank runs low, so that a decision costs nothing more.
    """

    def __init__(self, pid: int, seconds: float) -> None:
        self._pid = pid
        self._seconds = seconds
        self.left = seconds
        self._queued = self._read_queues()

    def charge(self, seconds: float) -> None:
        self.left = max(0.0, self.left - seconds)

    def allow(self, wanted: float, pending: float = 0.0) -> float:
        """What there is of the seconds wanted; `pending` are those that it will yet be charged with."""
        if self.left < wanted:
            queued = self._read_queues()
            self.left = min(self._seconds + pending, self.left + max(0.0, queued - self._queued))
            self._queued = queued
        return min(wanted, self.left)

    def _read_queues(self) -> float:
        return (read_queue_time(self._pid) or 0.0) + (read_queue_time("thread-self") or 0.0)


LEAST_WAIT = 0.01
LEAST_OF_A_SPINNER = 0.01
"""Whoever is ready and uses less of the time than this was not let run."""


class Budget:
    """Begins to count when made. `cpu_end` is on the process's own CPU clock, `wall` in seconds from now.

    No more wall time than the bank allows; the bank itself is charged by whoever takes the answer.
    """

    def __init__(
        self, pid: int, cpu_now: float, cpu_end: float, wall: float, bank: WallBank, patience: WallBank
    ) -> None:
        self._pid = pid
        self._cpu_start = cpu_now
        self._cpu_end = cpu_end
        self._wall = wall
        self._bank = bank
        self._patience = patience
        self._started = time.monotonic()
        allowed = bank.allow(wall)
        self._is_cut = allowed < wall
        self._wall_end = self._started + allowed
        # One look halfway is needed to tell a sleeper from a starved process.
        self.first_wait = max(0.0, min(cpu_end - cpu_now, allowed / 2, patience.left))
        self._watch: tuple[float, float, float | None] | None = None
        self._was_ready = False

    def check(self) -> float:
        """Seconds until it can be spent at the earliest; raises Fault when it is."""
        cpu = read_cpu_time(self._pid)
        now = time.monotonic()
        if cpu is None:
            # Its pipes tell how it ended, unless a fork of the worker holds them open.
            if now >= self._wall_end:
                raise Fault(Verdict.PLATFORM, "The process is gone, and nobody saw it go.")
            return self._wall_end - now
        if cpu >= self._cpu_end:
            raise Fault(Verdict.TIMEOUT_CPU, "The answer took more CPU time than was left.")
        idle = (now - self._started) - (cpu - self._cpu_start)
        if idle > self._patience.allow(idle + LEAST_WAIT, idle):
            raise Fault(Verdict.SLEEPS, "The bot waits without working.")
        if now >= self._wall_end and self._is_cut:
            self._extend(now)
        if now >= self._wall_end:
            raise self._judge_wall(now, cpu)
        if self._watch is None:
            self._watch = (now, cpu, read_queue_time(self._pid))
            self._was_ready = is_ready(self._pid)
        return min(self._cpu_end - cpu, self._wall_end - now, self._patience.left - idle + LEAST_WAIT)

    def _extend(self, now: float) -> None:
        """By what the bank gives back for time in the queue; raises Fault where the bank is spent all the same."""
        allowed = self._bank.allow(self._wall, now - self._started)
        self._is_cut = allowed < self._wall
        self._wall_end = self._started + allowed
        if self._is_cut and now >= self._wall_end and not is_held_by_others(self._pid):
            raise Fault(
                Verdict.TIMEOUT_WALL,
                "The bot's answers took more time on the wall than a match allows, and the machine was not to blame.",
            )

    def _judge_wall(self, now: float, cpu: float) -> Fault:
        """The bot's fault only if it slept by its own will for most of the time watched."""
        queue = read_queue_time(self._pid)
        fault = Fault(Verdict.TIMEOUT_WALL, "No answer came, and hardly any CPU time was used.")
        platform = Fault(Verdict.PLATFORM, "The machine was too busy to let the bot think.")
        if is_held_by_others(self._pid) or self._watch is None:
            return platform
        now_before, cpu_before, queue_before = self._watch
        watched = now - now_before
        busy = cpu - cpu_before
        # Time in the queue is counted only when it ends: who never got a CPU has none, and was ready at both looks.
        if self._was_ready and is_ready(self._pid) and busy < watched * LEAST_OF_A_SPINNER:
            return platform
        if queue is not None and queue_before is not None:
            busy += queue - queue_before
        return platform if busy > watched / 2 else fault
