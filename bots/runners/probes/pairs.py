"""Ways to leave word for another process: each has one who writes and one who reads, now or in the next match.

A way is open where what is read differs once it was written. Whatever is created is removed by `clean_up`.
"""

import contextlib
import ctypes
import json
import os
import resource
import socket
import time
from collections.abc import Callable
from typing import Any

from bots.runners.probes.system_calls import AT_CWD, AT_EMPTY_PATH, ask, call, open_path

Context = dict[str, Any]
Deed = Callable[[Context], object]

KEY = 0x41555255
KEY_NAME = b"aurum-probe"
USER_KEYRING, KEYCTL_SEARCH, KEYCTL_UNLINK = -4, 10, 9
FUTEX_WAIT, FUTEX_WAKE = 0, 1
LOCK_EXCLUSIVE, LOCK_NOW = 2, 4
STATX_EVERYTHING = 0xFFF
IPC_CREATE, IPC_REMOVE = 0o1000, 0
HOLD_SECONDS = 5
WAKE_SECONDS = 0.5

_kept: list[object] = []
"""What a writer must not let go of while the reader looks."""


def _read_file(path: str) -> None:
    fd = open_path(path)
    os.read(fd, 4096)
    os.close(fd)


def _read_text(path: str) -> str:
    fd = open_path(path)
    text = os.read(fd, 65_536)
    os.close(fd)
    return text.hex()


def _list_folder(path: str) -> None:
    fd = open_path(path, os.O_RDONLY | os.O_DIRECTORY)
    ask("getdents64", fd, ..., 512)
    os.close(fd)


def _look_at(path: str) -> str:
    return ask("newfstatat", AT_CWD, path.encode(), ..., 0)


def _look_closely_at(path: str) -> str:
    return ask("statx", AT_CWD, path.encode(), 0, STATX_EVERYTHING, ...)


def _create(path: str) -> None:
    os.close(open_path(path, os.O_WRONLY | os.O_CREAT))


def _lock(path: str) -> None:
    fd = open_path(path)
    _kept.append(fd)
    call("flock", fd, LOCK_EXCLUSIVE | LOCK_NOW)


def _is_locked(path: str) -> bool:
    fd = open_path(path)
    try:
        call("flock", fd, LOCK_EXCLUSIVE | LOCK_NOW)
    except BlockingIOError:
        return True
    finally:
        os.close(fd)
    return False


def _bind(kind: int, family: int, address: object) -> None:
    bound = socket.socket(family, kind)
    _kept.append(bound)
    bound.bind(address)  # type: ignore[arg-type]


def _is_bound(kind: int, family: int, address: object) -> bool:
    with socket.socket(family, kind) as tried:
        try:
            tried.bind(address)  # type: ignore[arg-type]
        except OSError as error:
            if isinstance(error, PermissionError):
                raise
            return True
    return False


def _find_key() -> str:
    call("keyctl", KEYCTL_SEARCH, USER_KEYRING, b"user", KEY_NAME, 0)
    return "found"


def _find_queue() -> str:
    os.close(call("mq_open", KEY_NAME, os.O_RDONLY, 0, 0))
    return "found"


def _find_shared_word() -> int:
    """An address in a page of a file that every process has mapped."""
    libc = ctypes.CDLL(None)
    address = ctypes.cast(libc.getenv, ctypes.c_void_p).value
    assert address is not None
    return address & ~3


def hold_futex() -> None:
    """Wait, for somebody else to see that we do; where that is denied, return at once."""
    word = _find_shared_word()
    until = (ctypes.c_long * 2)(HOLD_SECONDS, 0)
    with contextlib.suppress(OSError):
        call("futex", word, FUTEX_WAIT, ctypes.c_uint32.from_address(word).value, until, 0, 0)


def _wake_waiter() -> str:
    deadline = time.monotonic() + WAKE_SECONDS
    while time.monotonic() < deadline:
        if call("futex", _find_shared_word(), FUTEX_WAKE, 1, 0, 0, 0):
            return "woken"
    return "nobody"


def _write_into_inherited_memory(_: Context) -> None:
    """The text of a module that the fork server has loaded; 48 bytes of header lie before a text's letters."""
    ctypes.memset(id(json.__doc__) + 48, ord("X"), 1)


def _require_writer(context: Context) -> int:
    if "writer" not in context:
        raise ProcessLookupError
    return int(context["writer"])


def _nothing(_: Context) -> None:
    """The process itself is the message."""


WAYS: dict[str, tuple[Deed, Deed]] = {
    "time of access of a file": (lambda c: _read_file(c["bait"]), lambda c: _look_at(c["bait"])),
    "time of access, by statx": (lambda c: _read_file(c["second_bait"]), lambda c: _look_closely_at(c["second_bait"])),
    "time of access of its own code": (lambda c: _read_file(c["own_file"]), lambda c: _look_at(c["own_file"])),
    "time of access of the library": (lambda c: _read_file(c["library_file"]), lambda c: _look_at(c["library_file"])),
    "time of access of a folder": (lambda c: _list_folder(c["bait_folder"]), lambda c: _look_at(c["bait_folder"])),
    "a new file": (lambda c: _create(c["new_file"]), lambda c: _look_at(c["new_file"])),
    "a new file in shared memory": (lambda c: _create(c["memory_file"]), lambda c: _look_at(c["memory_file"])),
    "room on the disk": (lambda c: _create(c["new_file"] + "2"), lambda c: ask("statfs", c["own_file"].encode(), ...)),
    "a locked file": (lambda c: _lock(c["bait"]), lambda c: _is_locked(c["bait"])),
    "a semaphore": (lambda c: call("semget", KEY, 1, IPC_CREATE | 0o600), lambda c: call("semget", KEY, 1, 0)),
    "a message queue": (
        lambda c: os.close(call("mq_open", KEY_NAME, os.O_RDWR | os.O_CREAT, 0o600, 0)),
        lambda c: _find_queue(),
    ),
    "a key": (lambda c: call("add_key", b"user", KEY_NAME, b"1", 1, USER_KEYRING), lambda c: _find_key()),
    "an abstract socket": (
        lambda c: _bind(socket.SOCK_STREAM, socket.AF_UNIX, "\0aurum-probe-pair"),
        lambda c: _is_bound(socket.SOCK_STREAM, socket.AF_UNIX, "\0aurum-probe-pair"),
    ),
    "a TCP port": (
        lambda c: _bind(socket.SOCK_STREAM, socket.AF_INET, ("127.0.0.1", c["free_port"])),
        lambda c: _is_bound(socket.SOCK_STREAM, socket.AF_INET, ("127.0.0.1", c["free_port"])),
    ),
    "a UDP port": (
        lambda c: _bind(socket.SOCK_DGRAM, socket.AF_INET, ("127.0.0.1", c["free_port"])),
        lambda c: _is_bound(socket.SOCK_DGRAM, socket.AF_INET, ("127.0.0.1", c["free_port"])),
    ),
    "a futex in a shared page": (_nothing, lambda c: _wake_waiter()),
    "memory of the fork server": (_write_into_inherited_memory, lambda c: (json.__doc__ or "")[:1]),
    "number of the process": (_nothing, lambda c: call("getpid")),
    "number of the thread": (_nothing, lambda c: call("gettid")),
    "number of the session": (_nothing, lambda c: call("getsid", 0)),
    "number of a pipe, by fstat": (_nothing, lambda c: ask("fstat", 0, ...)),
    "number of a pipe, by newfstatat": (_nothing, lambda c: ask("newfstatat", 0, b"", ..., AT_EMPTY_PATH)),
    "number of a pipe, by statx": (_nothing, lambda c: ask("statx", 0, b"", AT_EMPTY_PATH, STATX_EVERYTHING, ...)),
    "the kernel's counts": (_nothing, lambda c: ask("sysinfo", ...)),
    "the load": (_nothing, lambda c: _read_text("/proc/loadavg")),
    "the processor's times": (_nothing, lambda c: _read_text("/proc/stat")),
    "a process that lives": (_nothing, lambda c: call("kill", _require_writer(c), 0)),
    "a process held by descriptor": (_nothing, lambda c: call("pidfd_open", _require_writer(c), 0)),
    "clock of a process": (_nothing, lambda c: time.clock_gettime((~_require_writer(c) << 3) | 2)),
    "name of a process": (_nothing, lambda c: _read_text(f"/proc/{_require_writer(c)}/comm")),
    "priority of a process": (
        lambda c: call("setpriority", 0, 0, 5),
        lambda c: call("getpriority", 0, _require_writer(c)),
    ),
    "disk priority of a process": (
        lambda c: call("ioprio_set", 1, 0, 3 << 13),
        lambda c: call("ioprio_get", 1, _require_writer(c)),
    ),
    "limits of a process": (
        lambda c: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)),
        lambda c: ask("prlimit", _require_writer(c), resource.RLIMIT_CORE, 0, ...),
    ),
    "cores of a process": (_nothing, lambda c: ask("sched_getaffinity", _require_writer(c), 64, ...)),
}


def write_all(context: Context) -> dict[str, Any]:
    """Names of those that could be written, as far as the kernel said so."""
    written = []
    for name, (write, _) in WAYS.items():
        with contextlib.suppress(OSError, ValueError):
            write(context)
            written.append(name)
    return {"written": written}


def read_all(context: Context) -> dict[str, Any]:
    """What each way gives; null where it is denied, or where nothing is there."""
    found: dict[str, object] = {}
    for name, (_, read) in WAYS.items():
        found[name] = None
        with contextlib.suppress(OSError):
            found[name] = read(context)
    return {"found": found}


def clean_up(context: Context) -> dict[str, Any]:
    for path in (context["new_file"], context["new_file"] + "2", context["memory_file"]):
        with contextlib.suppress(OSError):
            os.unlink(path)
    with contextlib.suppress(OSError):
        call("semctl", call("semget", KEY, 1, 0), 0, IPC_REMOVE, 0)
    with contextlib.suppress(OSError):
        call("mq_unlink", KEY_NAME)
    with contextlib.suppress(OSError):
        call("keyctl", KEYCTL_UNLINK, call("keyctl", KEYCTL_SEARCH, USER_KEYRING, b"user", KEY_NAME, 0), USER_KEYRING)
    return {}
