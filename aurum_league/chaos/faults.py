"""Which faults strike, and how often: seconds between two of a kind, as in the trials the design was chosen by."""

import time
from collections import Counter
from collections.abc import Callable
from random import Random

from aurum_league.chaos.arena import Arena

Fault = Callable[[Arena, Random], None]

FAULTS: dict[str, tuple[float, Fault]] = {
    "worker killed": (12.0, Arena.kill_worker),
    "child killed": (3.0, Arena.kill_child),
    "redis flushed": (9.0, Arena.flush_redis),
    "redis killed": (17.0, Arena.kill_redis),
    "postgres killed": (15.0, Arena.kill_postgres),
    "worker frozen": (40.0, Arena.freeze_worker),
}


class FaultSchedule:
    """Strikes each fault when its time has come; waits vary by a half either way."""

    def __init__(self, arena: Arena, rng: Random) -> None:
        self.arena = arena
        self.rng = rng
        self.struck: Counter[str] = Counter()
        self.due = {name: time.monotonic() + self._wait(seconds) for name, (seconds, _) in FAULTS.items()}

    def strike(self) -> None:
        for name, (seconds, fault) in FAULTS.items():
            if time.monotonic() > self.due[name]:
                fault(self.arena, self.rng)
                self.struck[name] += 1
                self.due[name] = time.monotonic() + self._wait(seconds)

    def _wait(self, seconds: float) -> float:
        return seconds * self.rng.uniform(0.5, 1.5)
