"""The time a process has used, read from outside it: on a CPU, and in the queue for one."""

import time

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
