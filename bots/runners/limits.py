"""What a bot process may use, as one frozen value."""

import math
from dataclasses import dataclass

KILOBYTE = 1024
MEGABYTE = 1024 * KILOBYTE


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
    # Address space, not resident memory: Python itself and its library take about 45 MB of it.
    memory: int = 256 * MEGABYTE
    line: int = 64 * KILOBYTE
    stderr: int = 16 * KILOBYTE
    # Messages that a bot has left unread, beyond what the pipe itself holds.
    unread: int = 1 * MEGABYTE

    @property
    def cpu_seconds(self) -> int:
        """The kernel's own last limit, out of a fair bot's reach."""
        return math.ceil(self.start_cpu + self.bank_cpu + self.decision_cpu) + 1
