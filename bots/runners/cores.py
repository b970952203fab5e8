"""One core for a referee and its bots, and the time a process has used, read from outside it."""

import os
import socket
import threading
import time
from contextlib import suppress

NANOSECONDS = 1e9


def cpu_clock_of(pid: int) -> int:
    """The clock id that clock_getcpuclockid(3) gives: the pid's complement, and 2 for the scheduler's exact count."""
    return (~pid << 3) | 2


def read_cpu_time(pid: int) -> float | None:
    """Seconds of CPU used by all of the process; None once it is gone."""
    try:
        return time.clock_gettime(cpu_clock_of(pid))
    except OSError:
        return None


def read_queue_time(pid: int | str) -> float | None:
    """Seconds the process was ready to run while others ran; None where the kernel does not tell.

    `thread-self` stands for the calling thread.
    """
    try:
        with open(f"/proc/{pid}/schedstat", "rb") as file:
            return int(file.read().split()[1]) / NANOSECONDS
    except (OSError, ValueError, IndexError):
        return None


def is_held_by_others(pid: int) -> bool:
    """Whether the process waits for a disk or was stopped: neither is in a confined bot's power."""
    return _read_state(pid) in (b"D", b"T", b"t")


def is_ready(pid: int) -> bool:
    """Whether the process runs or waits for a CPU."""
    return _read_state(pid) == b"R"


def _read_state(pid: int) -> bytes:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0]
    except (OSError, IndexError):
        return b""


def read_peak_memory(pid: int) -> int:
    """Bytes resident at most; 0 once the process is gone. (wait4's figure counts what the parent had before exec.)"""
    try:
        with open(f"/proc/{pid}/status", "rb") as file:
            for line in file:
                if line.startswith(b"VmHWM:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


CLAIM = "aurum-core"


class SharedCore:
    """A thread's core while it has bots to ask: taken with the first of them, given back with the last.

    No two referees of a machine take the same core, and who finds none free leaves the choice to the kernel.
    """

    def __init__(self) -> None:
        self.thread = threading.get_native_id()
        self._bots: set[int] = set()
        self._all: set[int] = set()
        self._claim: socket.socket | None = None

    def join(self, pid: int) -> None:
        """Move a bot to the core, and the referee with its first bot."""
        if not self._bots:
            self._all = os.sched_getaffinity(self.thread)
            self._take()
        self._bots.add(pid)
        with suppress(OSError):
            os.sched_setaffinity(pid, os.sched_getaffinity(self.thread))

    def leave(self, pid: int) -> None:
        self._bots.discard(pid)
        if not self._bots and self._claim is not None:
            self._claim.close()
            self._claim = None
            with suppress(OSError):
                os.sched_setaffinity(self.thread, self._all)

    def _take(self) -> None:
        for core in sorted(self._all):
            claim = _claim(core)
            if claim is not None:
                self._claim = claim
                os.sched_setaffinity(self.thread, {core})
                return


def _claim(core: int) -> socket.socket | None:
    """A name that one process at a time can hold, and that the kernel frees when it dies."""
    claim = socket.socket(socket.AF_UNIX)
    try:
        claim.bind(f"\0{CLAIM}-{core}")
    except OSError:
        claim.close()
        return None
    return claim


_of_this_thread = threading.local()


def find_shared_core() -> SharedCore:
    """The calling thread's own; a fork of it begins anew."""
    core: SharedCore | None = getattr(_of_this_thread, "core", None)
    if core is None or core.thread != threading.get_native_id():
        core = _of_this_thread.core = SharedCore()
    return core
