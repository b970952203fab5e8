"""Two ways to a confined process, cold and from the fork server, which give the same child."""

import contextlib
import fcntl
import os
import select
import signal
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

from bots.runners.budget import Limits
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
