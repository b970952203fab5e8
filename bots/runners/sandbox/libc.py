"""The C library's calls that Python does not offer, with errors raised as OSError."""

import ctypes
import os

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_SECCOMP = 22
PR_SET_NO_NEW_PRIVS = 38
CAPABILITY_VERSION_3 = 0x20080522

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


def _check(answer: int) -> int:
    if answer < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return answer


def call_kernel(number: int, *arguments: object) -> int:
    """Make one raw system call; integers go as 64-bit words."""
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in arguments]
    return _check(_libc.syscall(ctypes.c_long(number), *words))


def call_prctl(option: int, *arguments: object) -> int:
    words = [ctypes.c_ulong(word) if isinstance(word, int) else word for word in arguments]
    words += [ctypes.c_ulong(0)] * (4 - len(words))
    return _check(_libc.prctl(option, *words))


def drop_capabilities() -> None:
    """Give up what root may do beyond an ordinary user; nothing to give up is fine."""
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    none = (ctypes.c_uint32 * 6)()
    _check(_libc.capset(header, none))
