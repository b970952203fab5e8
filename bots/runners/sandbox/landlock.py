"""Landlock: the kernel denies every file but those named here, TCP, and signals and abstract sockets to the outside."""

import ctypes
import os

from bots.runners.sandbox.libc import call_kernel

# The same numbers on every architecture (Linux 5.13 and later).
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
CREATE_RULESET_VERSION = 1
RULE_PATH_BENEATH = 1

READ_FILE = 1 << 2
READ_DIR = 1 << 3

# Rights a ruleset can handle, by the ABI that brought them: include/uapi/linux/landlock.h.
FILE_RIGHTS_BY_ABI = {1: (1 << 13) - 1, 2: 1 << 13, 3: 1 << 14, 5: 1 << 15}
TCP_RIGHTS = 0b11
TCP_ABI = 4
SCOPED = 0b11
SCOPE_ABI = 6


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed_access", ctypes.c_uint64), ("parent_fd", ctypes.c_int32))


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


def _allow(ruleset: int, path: str, rights: int) -> None:
    """Paths that are not there, or not ours to open, need no rule."""
    try:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        rule = _PathBeneath(rights, fd)
        call_kernel(ADD_RULE, ruleset, RULE_PATH_BENEATH, ctypes.byref(rule), 0)
    finally:
        os.close(fd)


def restrict_files(files: list[str], directories: list[str], listings: list[str]) -> None:
    """Leave this process nothing but reading: `files`, all beneath `directories`, and only names in `listings`.

    Raises OSError where the kernel has no Landlock. no_new_privs must be set before.
    """
    attributes = _ruleset_attributes(call_kernel(CREATE_RULESET, None, 0, CREATE_RULESET_VERSION))
    ruleset = call_kernel(CREATE_RULESET, ctypes.byref(attributes), ctypes.sizeof(attributes), 0)
    try:
        for path in files:
            _allow(ruleset, path, READ_FILE)
        for path in directories:
            _allow(ruleset, path, READ_FILE | READ_DIR)
        for path in listings:
            _allow(ruleset, path, READ_DIR)
        call_kernel(RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)
