"""All layers of the sandbox, put on by the process that gives itself up to them, in the one order that works."""

import os
import resource
import signal
import sys

from bots.runners.sandbox.landlock import restrict_files
from bots.runners.sandbox.libc import (
    PR_SET_DUMPABLE,
    PR_SET_NO_NEW_PRIVS,
    PR_SET_PDEATHSIG,
    call_prctl,
    drop_capabilities,
)
from bots.runners.sandbox.seccomp import restrict_system_calls

# What pip installed is not Python's own: the site itself may be there.
FOREIGN_TO_PYTHON = ("site-packages", "dist-packages")


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when its parent ends, also when it has ended already."""
    call_prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _limit_resources(memory: int, cpu_seconds: int) -> None:
    limits = {
        resource.RLIMIT_AS: (memory, memory),
        # One second from the signal that can be ignored to the one that cannot.
        resource.RLIMIT_CPU: (cpu_seconds, cpu_seconds + 1),
        resource.RLIMIT_FSIZE: (0, 0),
        resource.RLIMIT_NOFILE: (32, 32),
        resource.RLIMIT_NPROC: (0, 0),
        resource.RLIMIT_CORE: (0, 0),
        resource.RLIMIT_MEMLOCK: (0, 0),
        resource.RLIMIT_MSGQUEUE: (0, 0),
    }
    for kind, (soft, hard) in limits.items():
        ceiling = resource.getrlimit(kind)[1]
        if ceiling != resource.RLIM_INFINITY:
            soft, hard = min(soft, ceiling), min(hard, ceiling)
        resource.setrlimit(kind, (soft, hard))


def _prefer_as_oom_victim() -> None:
    """Should memory run out, a bot goes before the database does."""
    try:
        with open("/proc/self/oom_score_adj", "wb", buffering=0) as file:
            file.write(b"1000")
    except OSError:
        return


class PythonFiles:
    """What Python itself is made of, as far as it lies on the import path: read once, for any number of forks."""

    def __init__(self) -> None:
        self.files: list[str] = []
        self.directories: list[str] = []
        # Of these only the names may be read.
        self.listings: list[str] = []
        for entry in sys.path:
            self._add(entry)

    def _add(self, entry: str) -> None:
        if not os.path.isdir(entry):
            self.files.append(entry)
            return
        with os.scandir(entry) as found:
            members = list(found)
        own = [member for member in members if member.name not in FOREIGN_TO_PYTHON]
        if len(own) == len(members):
            self.directories.append(entry)
            return
        self.listings.append(entry)
        for member in own:
            (self.directories if member.is_dir() else self.files).append(member.path)


def confine(python: PythonFiles, code: str, memory: int, cpu_seconds: int) -> None:
    """Leave this process its open pipes, `python` and `code` to read, and no way back.

    Raises OSError where a layer is missing; the caller then must not run the bot.
    """
    is_directory = os.path.isdir(code)
    files = python.files if is_directory else [*python.files, code]
    directories = [*python.directories, code] if is_directory else python.directories
    _prefer_as_oom_victim()
    _limit_resources(memory, cpu_seconds)
    # Closes /proc/PID/fd, where Landlock lets pipes pass, to other bots of the same user.
    call_prctl(PR_SET_DUMPABLE, 0)
    call_prctl(PR_SET_NO_NEW_PRIVS, 1)
    restrict_files(files, directories, python.listings)
    drop_capabilities()
    restrict_system_calls()
