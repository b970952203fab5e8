"""All layers of the sandbox, put on by the process that gives itself up to them, in the one order that works."""

import os
import resource
import signal

from bots.runners.sandbox.landlock import deny_files
from bots.runners.sandbox.libc import (
    PR_SET_DUMPABLE,
    PR_SET_NO_NEW_PRIVS,
    PR_SET_PDEATHSIG,
    call_prctl,
    drop_capabilities,
)
from bots.runners.sandbox.seccomp import restrict_system_calls


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


def confine(memory: int, cpu_seconds: int) -> None:
    """Leave this process its open pipes and its memory, and no way back.

    Raises OSError where a layer is missing; the caller then must not run the bot.
    """
    _prefer_as_oom_victim()
    _limit_resources(memory, cpu_seconds)
    # Closes /proc/PID/fd, where Landlock lets pipes pass, to other bots of the same user.
    call_prctl(PR_SET_DUMPABLE, 0)
    call_prctl(PR_SET_NO_NEW_PRIVS, 1)
    deny_files()
    drop_capabilities()
    restrict_system_calls()
