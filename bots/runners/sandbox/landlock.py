"""Landlock: the kernel denies every file, TCP, and signals and abstract sockets to the outside."""

import ctypes
import os

from bots.runners.sandbox.libc import call_kernel

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
