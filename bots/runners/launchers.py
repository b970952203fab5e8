"""Two ways to a confined process, cold and from the fork server, which give the same child; and that server's care."""

import contextlib
import fcntl
import json
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

from bots.runners.budget import Limits
from bots.runners.sandbox.libc import SIGINFO_SIZE
from bots.runners.verdict import LaunchError

# Beside this file, but run by path: what they import must stay light.
SANDBOX = Path(__file__).resolve().parent / "sandbox"
SEALS = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL
PYTHON_FLAGS = ("-I", "-S", "-B", "-X", "utf8")


@dataclass(frozen=True)
class Ended:
    """`status` as of wait(2); None where nobody could ask for it."""

    status: int | None
    cpu: float
    peak_memory: int


class Parent(Protocol):
    """Whoever may reap a child."""

    def reap(self, pid: int) -> Ended: ...


CLOSED = -1
# The descriptor at which a process started cold finds the library.
LIBRARY = 3


@dataclass
class Child:
    """A confined process: the referee's ends of its pipes, and a descriptor that tells when it has ended."""

    pid: int
    pidfd: int
    stdin: int
    stdout: int
    stderr: int
    parent: Parent

    def has_ended(self, within: float) -> bool:
        poller = select.poll()
        poller.register(self.pidfd, select.POLLIN)
        return bool(poller.poll(within * 1000))

    def kill(self) -> Ended:
        """Kill and reap; to be called once. The pipes stay open, for what the child has left in them."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)
        return self.parent.reap(self.pid)

    def close_stdin(self) -> None:
        """The child reads what the pipe still holds, and then its end."""
        os.close(self.stdin)
        self.stdin = CLOSED

    def close(self) -> None:
        for fd in (self.pidfd, self.stdin, self.stdout, self.stderr):
            if fd != CLOSED:
                os.close(fd)


class Launcher(Protocol):
    def spawn(self, code: Path, limits: Limits) -> Child: ...

    def close(self) -> None: ...


@dataclass(frozen=True)
class Pipes:
    """Three pipes; `theirs` are the bot's ends."""

    ours: tuple[int, int, int]
    theirs: tuple[int, int, int]

    @classmethod
    def open(cls) -> "Pipes":
        stdin_read, stdin_write = os.pipe()
        stdout_read, stdout_write = os.pipe()
        stderr_read, stderr_write = os.pipe()
        ours = (stdin_write, stdout_read, stderr_read)
        for fd in ours:
            os.set_blocking(fd, False)
        return cls(ours, (stdin_read, stdout_write, stderr_write))

    def close_theirs(self) -> None:
        for fd in self.theirs:
            os.close(fd)

    def close_ours(self) -> None:
        for fd in self.ours:
            os.close(fd)

    def make_child(self, pid: int, parent: Parent) -> Child:
        return Child(pid, os.pidfd_open(pid), *self.ours, parent)


@cache
def open_library(python: str) -> int:
    """Python's library in memory, for every process that this one starts, and sealed. Raises LaunchError."""
    library = os.memfd_create("library", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    command = [python, *PYTHON_FLAGS, str(SANDBOX / "library.py"), str(library)]
    try:
        subprocess.run(command, env={}, cwd="/", pass_fds=(library,), capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        os.close(library)
        raise LaunchError(f"Python's library could not be read: {error}.") from error
    fcntl.fcntl(library, fcntl.F_ADD_SEALS, SEALS)
    return library


def find_python() -> str:
    """The interpreter itself rather than a virtual environment's link to it: its files are Python's own."""
    return os.path.realpath(sys.executable)


class ColdLauncher:
    """A new interpreter for every bot, which the kernel kills when the thread that spawned it ends."""

    def __init__(self, python: str | None = None) -> None:
        self._python = python or find_python()

    def spawn(self, code: Path, limits: Limits) -> Child:
        library = open_library(self._python)
        pipes = Pipes.open()
        numbers = (str(limits.memory), str(limits.cpu_seconds), str(LIBRARY))
        command = [self._python, *PYTHON_FLAGS, str(SANDBOX / "cold.py"), str(os.getpid()), str(code), *numbers]
        streams = [(os.POSIX_SPAWN_DUP2, fd, target) for target, fd in enumerate((*pipes.theirs, library))]
        try:
            pid = os.posix_spawn(self._python, command, {}, file_actions=streams, setsid=True)
        except OSError as error:
            pipes.close_ours()
            raise LaunchError(str(error)) from error
        finally:
            pipes.close_theirs()
        return pipes.make_child(pid, self)

    def reap(self, pid: int) -> Ended:
        _, status, usage = os.wait4(pid, 0)
        return Ended(status, usage.ru_utime + usage.ru_stime, 0)

    def close(self) -> None:
        """Nothing is kept between bots."""


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
