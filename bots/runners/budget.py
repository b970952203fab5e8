"""What one answer may cost, and whose fault it is when it costs more."""

import time

from bots.runners.clocks import is_held_by_others, is_ready, read_cpu_time, read_queue_time
from bots.runners.verdict import Fault, Verdict
from bots.runners.wall_bank import WallBank

LEAST_OF_A_SPINNER = 0.01
"""Whoever is ready and uses less of the time than this was not let run."""


class Budget:
    """Begins to count when made. `cpu_end` is on the process's own CPU clock, `wall` in seconds from now.

    No more wall time than the bank allows; the bank itself is charged by whoever takes the answer.
    """

    def __init__(self, pid: int, cpu_now: float, cpu_end: float, wall: float, bank: WallBank) -> None:
        self._pid = pid
        self._cpu_end = cpu_end
        self._wall = wall
        self._bank = bank
        self._started = time.monotonic()
        allowed = bank.allow(wall)
        self._is_cut = allowed < wall
        self._wall_end = self._started + allowed
        # One look halfway is needed to tell a sleeper from a starved process.
        self.first_wait = max(0.0, min(cpu_end - cpu_now, allowed / 2))
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
        if now >= self._wall_end and self._is_cut:
            self._extend(now)
        if now >= self._wall_end:
            raise self._judge_wall(now, cpu)
        if self._watch is None:
            self._watch = (now, cpu, read_queue_time(self._pid))
            self._was_ready = is_ready(self._pid)
        return min(self._cpu_end - cpu, self._wall_end - now)

    def _extend(self, now: float) -> None:
        """By what the bank gives back for time in the queue; raises Fault where the bank is spent all the same."""
        allowed = self._bank.allow(self._wall)
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
