"""The referee's side of the fork server: bots in a few milliseconds, and a new server when one has died."""

import json
import os
import socket
import struct
import subprocess
import threading
from pathlib import Path

from bots.runners.budget import Limits
from bots.runners.launchers import PYTHON_FLAGS, SANDBOX, Child, Ended, Pipes, find_python, open_library
from bots.runners.sandbox.libc import SIGINFO_SIZE
from bots.runners.verdict import LaunchError

# The script that forks, and its options beyond the three that every zygote has.
ZYGOTE = (str(SANDBOX / "zygote.py"),)
LARGEST_ANSWER = 4096
# The server only forks and waits for the killed: silence this long means that it is stuck.
ANSWER_SECONDS = 30.0
DYING_SECONDS = 0.5
# The orders, explained where they are taken: sandbox/zygote.py.
SPAWN, REAP = b"s", b"r"
# Places in struct siginfo.
SIGINFO_CODE, SIGINFO_STATUS = 8, 24
LOST = Ended(None, 0.0, 0)


def _read_end(answer: bytes) -> Ended:
    """From struct siginfo and struct rusage, as the kernel wrote them; nothing came of a child that is not there."""
    if not any(answer):
        return LOST
    code, status = (struct.unpack_from("i", answer, place)[0] for place in (SIGINFO_CODE, SIGINFO_STATUS))
    seconds, micros, more_seconds, more_micros, peak = struct.unpack_from("5l", answer, SIGINFO_SIZE)
    cpu = seconds + more_seconds + (micros + more_micros) / 1e6
    return Ended(status << 8 if code == os.CLD_EXITED else status, cpu, peak * 1024)


class _Server:
    """One zygote process, the socket to it, and the parent of its bots."""

    def __init__(self, python: str, zygote: tuple[str, ...]) -> None:
        self.owner = os.getpid()
        self._lock = threading.Lock()
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control.settimeout(ANSWER_SECONDS)
        script, *options = zygote
        fds = (theirs.fileno(), open_library(python))
        command = [python, *PYTHON_FLAGS, script, str(self.owner), *map(str, fds), *options]
        with theirs:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={},
                cwd="/",
                pass_fds=fds,
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    def spawn(self, request: bytes, pipes: tuple[int, ...]) -> int:
        """The number of a new bot process. Raises OSError when the server is dead or stuck, and stops it then."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with ours:
            ours.settimeout(ANSWER_SECONDS)
            # What to run is for the new process alone: the server forks it without a look.
            socket.send_fds(ours, [request], pipes)
            try:
                with theirs, self._lock:
                    socket.send_fds(self._control, [SPAWN], [theirs.fileno()])
                answer = ours.recv(LARGEST_ANSWER)
                if not answer and self._has_died():
                    raise ConnectionResetError("the fork server has died")
            except OSError:
                self.stop()
                raise
        if not answer:
            raise LaunchError("the fork server could not fork.")
        return int(answer)

    def _has_died(self) -> bool:
        """Its sockets close a little before the kernel says so."""
        try:
            self._process.wait(DYING_SECONDS)
        except subprocess.TimeoutExpired:
            return False
        return True

    def reap(self, pid: int) -> Ended:
        """Of a child whose server has died only that it was killed is known: the kernel saw to it."""
        try:
            child = os.pidfd_open(pid)
        except OSError:
            return LOST
        try:
            with self._lock:
                socket.send_fds(self._control, [REAP], [child])
                return _read_end(self._control.recv(LARGEST_ANSWER))
        except OSError:
            self.stop()
            return LOST
        finally:
            os.close(child)

    def stop(self) -> None:
        """Its bots end with it. In a fork of the owner only the socket's copy is closed."""
        self._control.close()
        if self.owner == os.getpid():
            self._process.kill()
            self._process.wait()


class ForkServer:
    """A launcher for many threads; its server starts when the first bot is asked for, and anew when it has died."""

    def __init__(self, python: str | None = None, zygote: tuple[str, ...] = ZYGOTE) -> None:
        self._python = python or find_python()
        self._zygote = zygote
        self._server: _Server | None = None
        self._lock = threading.Lock()
        os.register_at_fork(after_in_child=self._forget)

    def _forget(self) -> None:
        """A forked worker has a server of its own: two must not talk on one socket."""
        self._lock = threading.Lock()
        self.close()

    def _spawn_once(self, request: bytes, pipes: Pipes) -> Child:
        with self._lock:
            if self._server is None:
                self._server = _Server(self._python, self._zygote)
            server = self._server
        try:
            return pipes.make_child(server.spawn(request, pipes.theirs), server)
        except OSError:
            with self._lock:
                if self._server is server:
                    self._server = None
            raise

    def spawn(self, code: Path, limits: Limits) -> Child:
        pipes = Pipes.open()
        told = {"code": str(code), "memory": limits.memory, "cpu_seconds": limits.cpu_seconds}
        request = json.dumps(told).encode()
        try:
            try:
                return self._spawn_once(request, pipes)
            except OSError:
                return self._spawn_once(request, pipes)
        except LaunchError:
            pipes.close_ours()
            raise
        except OSError as error:
            pipes.close_ours()
            raise LaunchError(str(error)) from error
        finally:
            pipes.close_theirs()

    @property
    def server_pid(self) -> int | None:
        """None while no server is needed yet."""
        return None if self._server is None else self._server.pid

    def close(self) -> None:
        with self._lock:
            server, self._server = self._server, None
        if server is not None:
            server.stop()
