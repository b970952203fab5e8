"""The C library's calls that Python does not offer, and the signs a bot process gives of itself to the referee."""

import ctypes
import os

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_SECCOMP = 22
PR_SET_NO_NEW_PRIVS = 38
CAPABILITY_VERSION_3 = 0x20080522
# Of struct siginfo and struct rusage, on both architectures.
SIGINFO_SIZE, RUSAGE_SIZE = 128, 144
WAITID = {"x86_64": 247, "aarch64": 95}
P_PIDFD, WEXITED = 3, 4
PROT_READ = 1
MAP_PRIVATE = 2

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long
_libc.mmap.restype = ctypes.c_void_p
_libc.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long)


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


def map_file(fd: int) -> memoryview:
    """The whole file, for reading, for as long as the process lives; the descriptor may be closed."""
    size = os.fstat(fd).st_size
    address = _libc.mmap(None, size, PROT_READ, MAP_PRIVATE, fd, 0)
    if address == ctypes.c_void_p(-1).value:
        _check(-1)
    return memoryview((ctypes.c_ubyte * size).from_address(address)).toreadonly().cast("B")


_end = ctypes.create_string_buffer(SIGINFO_SIZE + RUSAGE_SIZE)


def pass_on_end(pidfd: int, channel: int) -> None:
    """Wait for a child's end and send what the kernel tells of it, siginfo and rusage, leaving no trace here."""
    address = ctypes.addressof(_end)
    _libc.syscall(ctypes.c_long(WAITID[os.uname().machine]), P_PIDFD, pidfd, ctypes.c_void_p(address), WEXITED,
                  ctypes.c_void_p(address + SIGINFO_SIZE))  # fmt: skip
    _libc.send(channel, _end, len(_end), 0)
    ctypes.memset(_end, 0, len(_end))


def drop_capabilities() -> None:
    """Give up what root may do beyond an ordinary user; nothing to give up is fine."""
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    none = (ctypes.c_uint32 * 6)()
    _check(_libc.capset(header, none))


# The first line of every bot process, written after the sandbox holds and before any byte of the bot runs.
READY = b"confined\n"

EXIT_CRASH = 1
EXIT_MEMORY = 97
EXIT_UNCONFINED = 98
