"""The fork server's own process: Python warmed once, no secrets, and a fork for every bot that is asked for.

Run as `python -I -S -B zygote.py PARENT CONTROL_FD`. Requests and answers are datagrams of JSON on the control socket:
`{"op": "spawn", "code", "memory", "cpu_seconds"}` with the three pipe ends as descriptors, answered `{"pid"}`;
`{"op": "reap", "pid"}`, answered `{"status", "cpu", "peak_memory"}`. A child stays unreaped, and so its pid its own,
until the referee asks.
"""

import bisect  # noqa: F401
import collections  # noqa: F401
import functools  # noqa: F401
import gc
import heapq  # noqa: F401
import itertools  # noqa: F401
import json
import math  # noqa: F401
import os
import random  # noqa: F401
import signal
import socket
import sys

sys.path.append(os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", "..")))

from bots.runners.sandbox.bot_main import run_confined
from bots.runners.sandbox.confine import PythonFiles, die_with_parent

sys.path.pop()

LARGEST_REQUEST = 16_384
Message = dict[str, object]


class Zygote:
    """Holds what every fork needs, and the pids that nobody has asked for yet."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._python = PythonFiles()
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
            run_confined(self._python, code, memory, cpu_seconds)
        finally:
            os._exit(1)

    def _reap(self, pid: int) -> Message:
        _, status, usage = os.wait4(pid, 0)
        self._children.discard(pid)
        return {"status": status, "cpu": usage.ru_utime + usage.ru_stime, "peak_memory": usage.ru_maxrss * 1024}


if __name__ == "__main__":
    if os.getppid() != int(sys.argv[1]):
        sys.exit(1)
    zygote = Zygote(socket.socket(fileno=int(sys.argv[2])))
    gc.collect()
    gc.freeze()
    zygote.serve()
