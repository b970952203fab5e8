"""The fork server's own process: Python warmed once, no secrets, and a fork for every bot that is asked for.

Run as `python -I -S -B zygote.py PARENT CONTROL_FD LIBRARY_FD`. Requests and answers are datagrams of JSON on the
control socket: `{"op": "spawn", "code", "memory", "cpu_seconds"}` with the three pipe ends as descriptors, answered
`{"pid"}`; `{"op": "reap", "pid"}`, answered `{"status", "cpu", "peak_memory"}`. A child stays unreaped, and so its pid
its own, until the referee asks.
"""

import dataclasses  # noqa: F401
import gc
import heapq  # noqa: F401
import json
import os
import random  # noqa: F401
import signal
import socket
import sys
import typing  # noqa: F401

sys.path.append(os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", "..")))

from bots.runners.sandbox.bot_main import forget_site, open_streams, read_library, run_confined
from bots.runners.sandbox.confine import die_with_parent
from bots.runners.sandbox.libc import map_file
from bots.runners.sandbox.library import load_extensions
from bots.runners.sandbox.memory_files import MemoryFiles

sys.path.pop()

LARGEST_REQUEST = 16_384
Message = dict[str, object]


class Zygote:
    """Holds what every fork needs, and the pids that nobody has asked for yet."""

    def __init__(self, control: socket.socket, library: MemoryFiles) -> None:
        self._control = control
        self._library = library
        self._pid = os.getpid()
        self._children: set[int] = set()

    def serve(self) -> None:
        """Answer until the other side is gone, then leave nobody behind."""
        while True:
            message, pipes, _, _ = socket.recv_fds(self._control, LARGEST_REQUEST, 3)
            if not message:
                break
            answer = self._answer(json.loads(message), pipes)
            for pipe in pipes:
                os.close(pipe)
            self._control.send(json.dumps(answer).encode())
        for pid in self._children:
            os.kill(pid, signal.SIGKILL)

    def _answer(self, request: dict[str, str | int], pipes: list[int]) -> Message:
        try:
            if request["op"] == "spawn":
                return self._spawn(str(request["code"]), int(request["memory"]), int(request["cpu_seconds"]), pipes)
            return self._reap(int(request["pid"]))
        except OSError as error:
            return {"error": str(error)}

    def _spawn(self, code: str, memory: int, cpu_seconds: int, pipes: list[int]) -> Message:
        pid = os.fork()
        if pid == 0:
            self._become_bot(code, memory, cpu_seconds, pipes)
        self._children.add(pid)
        return {"pid": pid}

    def _become_bot(self, code: str, memory: int, cpu_seconds: int, pipes: list[int]) -> None:
        """Never returns: from here on this is a bot's process."""
        try:
            os.setsid()
            die_with_parent(self._pid)
            for target, pipe in enumerate(pipes):
                os.dup2(pipe, target)
            os.closerange(3, os.sysconf("SC_OPEN_MAX"))
            run_confined(self._library, code, memory, cpu_seconds)
        finally:
            os._exit(1)

    def _reap(self, pid: int) -> Message:
        _, status, usage = os.wait4(pid, 0)
        self._children.discard(pid)
        return {"status": status, "cpu": usage.ru_utime + usage.ru_stime, "peak_memory": usage.ru_maxrss * 1024}


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
    zygote = Zygote(socket.socket(fileno=int(sys.argv[2])), read_library(map_file(library)))
    os.close(library)
    load_extensions()
    open_streams_of_bots()
    forget_site()
    gc.collect()
    gc.freeze()
    zygote.serve()
