"""The wall time that all answers of a bot may take in a match: whoever only sleeps must not hold a table for long."""

from bots.runners.clocks import read_queue_time


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

    def allow(self, wanted: float) -> float:
        """What there is of the seconds wanted."""
        if self.left < wanted:
            queued = self._read_queues()
            self.left = min(self._seconds, self.left + max(0.0, queued - self._queued))
            self._queued = queued
        return min(wanted, self.left)

    def _read_queues(self) -> float:
        return (read_queue_time(self._pid) or 0.0) + (read_queue_time("thread-self") or 0.0)
