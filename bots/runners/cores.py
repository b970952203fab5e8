"""One core for a referee and its bots: a question that wakes another core from its sleep takes twice as long."""

import os
import socket
import threading
from contextlib import suppress

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
