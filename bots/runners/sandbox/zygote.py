"""The fork server's own process: Python warmed once, no secrets, and a fork for every bot that is asked for.

Every bot begins with a copy of this process's memory, so that it must never hold a word about another bot, not even in
memory that was freed. Run as `python -I -S -B zygote.py PARENT CONTROL_FD LIBRARY_FD`. On the control socket come
- `s` with a socket: fork. It is the child that reads what to run from that socket, and answers its number on it.
- `r` with a descriptor of a process: wait for its end. What the kernel tells of it is passed on byte by byte from a
  buffer that is wiped. A child stays unreaped, and so its number its own, until the referee asks.
"""

import contextlib
import dataclasses  # noqa: F401
import gc
import heapq  # noqa: F401
import json
import os
import random  # noqa: F401
import socket
import sys
import typing  # noqa: F401
from collections.abc import Callable
from functools import partial

sys.path.append(os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", "..")))

from bots.runners.sandbox.bot_main import forget_site, open_streams, read_library, run_confined
from bots.runners.sandbox.confine import die_with_parent
from bots.runners.sandbox.libc import map_file, pass_on_end
from bots.runners.sandbox.library import load_extensions

sys.path.pop()

LARGEST_REQUEST = 16_384
# What a fork does with its code, memory and CPU seconds; it confines itself first, and never returns.
Run = Callable[[str, int, int], None]
SPAWN = b"s"
# Beyond the numbers that Python keeps for good, and as many as a free list or two can hold.
FIRST_LARGE_NUMBER, WIPED_NUMBERS = 1 << 20, 512


class Zygote:
    """Whatever differs from bot to bot stays out of its memory: only descriptors pass through, always of one number."""

    def __init__(self, control: socket.socket, run: Run) -> None:
        self._control = control
        self._run = run
        self._pid = os.getpid()

    def serve(self) -> None:
        """Answer until the other side is gone; the kernel then ends the children of this process."""
        while True:
            order, fds, _, _ = socket.recv_fds(self._control, len(SPAWN), 1)
            if not order:
                return
            if order == SPAWN:
                self._spawn(fds[0])
            else:
                pass_on_end(fds[0], self._control.fileno())
            os.close(fds[0])

    def _spawn(self, channel: int) -> None:
        """Where there can be no fork the channel is closed, which is an answer too."""
        with contextlib.suppress(OSError):
            if os.fork() == 0:
                self._become_bot(channel)
        # Its number would be left in memory that the next fork can read: that memory is given out and freed again.
        [number + FIRST_LARGE_NUMBER for number in range(WIPED_NUMBERS)]

    def _become_bot(self, channel: int) -> None:
        """Never returns: from here on this is a bot's process."""
        try:
            os.setsid()
            die_with_parent(self._pid)
            with socket.socket(fileno=channel) as referee:
                message, pipes, _, _ = socket.recv_fds(referee, LARGEST_REQUEST, 3)
                referee.send(str(os.getpid()).encode())
            request = json.loads(message)
            for target, pipe in enumerate(pipes):
                os.dup2(pipe, target)
            os.closerange(3, os.sysconf("SC_OPEN_MAX"))
            self._run(request["code"], request["memory"], request["cpu_seconds"])
        finally:
            os._exit(1)


def open_streams_of_bots() -> None:
    """Once for all forks, each of which puts its own pipes in the place of these."""
    kept = [os.dup(fd) for fd in range(3)]
    ends = os.pipe()
    for fd, end in enumerate((ends[0], ends[1], ends[1])):
        os.dup2(end, fd)
    open_streams()
    for fd, old in enumerate(kept):
        os.dup2(old, fd)
    for fd in (*kept, *ends):
        os.close(fd)


if __name__ == "__main__":
    if os.getppid() != int(sys.argv[1]):
        sys.exit(1)
    library = int(sys.argv[3])
    run = partial(run_confined, read_library(map_file(library)))
    zygote = Zygote(socket.socket(fileno=int(sys.argv[2])), run)
    os.close(library)
    load_extensions()
    open_streams_of_bots()
    forget_site()
    gc.collect()
    gc.freeze()
    zygote.serve()
