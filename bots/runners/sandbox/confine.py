"""All layers of the sandbox, Landlock among them, put on by the process itself in the one order that works."""

import ctypes
import os
import resource
import signal

from bots.runners.sandbox.libc import (
    PR_SET_DUMPABLE,
    PR_SET_NO_NEW_PRIVS,
    PR_SET_PDEATHSIG,
    call_kernel,
    call_prctl,
    drop_capabilities,
)
from bots.runners.sandbox.seccomp import restrict_system_calls

# The same numbers on every architecture (Linux 5.13 and later).
CREATE_RULESET, RESTRICT_SELF = 444, 446
CREATE_RULESET_VERSION = 1

# Rights a ruleset can handle, by the ABI that brought them: include/uapi/linux/landlock.h.
FILE_RIGHTS_BY_ABI = {1: (1 << 13) - 1, 2: 1 << 13, 3: 1 << 14, 5: 1 << 15}
TCP_RIGHTS = 0b11
TCP_ABI = 4
SCOPED = 0b11
SCOPE_ABI = 6


def read_landlock_abi() -> int:
    """The kernel's Landlock version; 0 where there is none."""
    try:
        return call_kernel(CREATE_RULESET, None, 0, CREATE_RULESET_VERSION)
    except OSError:
        return 0


def _ruleset_attributes(abi: int) -> ctypes.Array[ctypes.c_uint64]:
    file_rights = sum(rights for since, rights in FILE_RIGHTS_BY_ABI.items() if since <= abi)
    words = [file_rights]
    if abi >= TCP_ABI:
        words.append(TCP_RIGHTS)
    if abi >= SCOPE_ABI:
        words.append(SCOPED)
    return (ctypes.c_uint64 * len(words))(*words)


def deny_files() -> None:
    """Leave this process no file at all. Raises OSError where there is no Landlock. no_new_privs must be set before."""
    attributes = _ruleset_attributes(call_kernel(CREATE_RULESET, None, 0, CREATE_RULESET_VERSION))
    ruleset = call_kernel(CREATE_RULESET, ctypes.byref(attributes), ctypes.sizeof(attributes), 0)
    try:
        call_kernel(RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


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
