"""The fork server's own process: Python warmed once, no secrets, and a fork for every bot that is asked for.

Run as `python -I -S -B zygote.py PARENT CONTROL_FD`. Requests and answers are datagrams of JSON on the control socket:
`{"op": "spawn", "code", "memory", "cpu_seconds"}` with the three pipe ends as descriptors, answered `{"pid"}`;
`{"op": "reap", "pid"}`, answered `{"status", "cpu", "peak_memory"}`. A child stays unreaped, and so its pid its own,
until the referee asks.
"""

import os
import sys

sys.path.append(os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", "..")))

import bisect  # noqa: F401
import collections  # noqa: F401
import functools  # noqa: F401
import gc
import heapq  # noqa: F401
import itertools  # noqa: F401
import json
import math  # noqa: F401
import random  # noqa: F401
import signal
import socket

from bots.runners.sandbox.bot_main import run_confined
from bots.runners.sandbox.confine import die_with_parent

LARGEST_REQUEST = 16_384


def _become_bot(server: int, request: dict[str, object], pipes: list[int]) -> None:
    """Never returns: from here on this is a bot's process."""
    try:
        os.setsid()
        die_with_parent(server)
        for target, pipe in enumerate(pipes):
            os.dup2(pipe, target)
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        gc.unfreeze()
        run_confined(str(request["code"]), int(str(request["memory"])), int(str(request["cpu_seconds"])))
    finally:
        os._exit(1)


def _spawn(request: dict[str, object], pipes: list[int], children: set[int]) -> dict[str, object]:
    server = os.getpid()
    pid = os.fork()
    if pid == 0:
        _become_bot(server, request, pipes)
    children.add(pid)
    return {"pid": pid}


def _reap(pid: int, children: set[int]) -> dict[str, object]:
    _, status, usage = os.wait4(pid, 0)
    children.discard(pid)
    return {"status": status, "cpu": usage.ru_utime + usage.ru_stime, "peak_memory": usage.ru_maxrss * 1024}


def serve(control: socket.socket) -> None:
    """Answer until the other side is gone, then leave nobody behind."""
    children: set[int] = set()
    while True:
        message, pipes, _, _ = socket.recv_fds(control, LARGEST_REQUEST, 3)
        if not message:
            break
        request = json.loads(message)
        try:
            is_spawn = request["op"] == "spawn"
            answer = _spawn(request, pipes, children) if is_spawn else _reap(request["pid"], children)
        except OSError as error:
            answer = {"error": str(error)}
        for pipe in pipes:
            os.close(pipe)
        control.send(json.dumps(answer).encode())
    for pid in children:
        os.kill(pid, signal.SIGKILL)


if __name__ == "__main__":
    if os.getppid() != int(sys.argv[1]):
        sys.exit(1)
    gc.collect()
    gc.freeze()
    serve(socket.socket(fileno=int(sys.argv[2])))
