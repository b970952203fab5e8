"""seccomp: the system calls a bot may make, and a BPF program that answers EPERM to every other."""

import ctypes
import errno
import fcntl
import os
import struct

from bots.runners.sandbox.libc import PR_SET_SECCOMP, call_prctl

# Name: (x86_64, aarch64); None where the architecture never had it. Sources: the kernel's syscall_64.tbl and
# include/uapi/asm-generic/unistd.h. Anything that starts a process or a thread, opens a socket, sends a signal,
# locks a file or tells about the machine is absent on purpose. So is every call that takes a path or tells of an open
# file: what one process reads, another would see by the file's times, and numbers of pipes count what others open.
ALLOWED: dict[str, tuple[int | None, int | None]] = {
    "read": (0, 63),
    "write": (1, 64),
    "close": (3, 57),
    "poll": (7, None),
    "lseek": (8, 62),
    "munmap": (11, 215),
    "brk": (12, 214),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "pread64": (17, 67),
    "readv": (19, 65),
    "writev": (20, 66),
    "select": (23, None),
    "sched_yield": (24, 124),
    "mremap": (25, 216),
    "dup": (32, 23),
    "dup2": (33, None),
    "nanosleep": (35, 101),
    "alarm": (37, None),
    "setitimer": (38, 103),
    "exit": (60, 93),
    "gettimeofday": (96, 169),
    "sigaltstack": (131, 132),
    "time": (201, None),
    "restart_syscall": (219, 128),
    "exit_group": (231, 94),
    "pselect6": (270, 72),
    "ppoll": (271, 73),
    "dup3": (292, 24),
    "getrandom": (318, 278),
}

FCNTL = (72, 25)
FUTEX = (202, 98)
MADVISE = (28, 233)
# Each takes what may be done with the memory as its third argument.
MAPPINGS = {"mmap": (9, 222), "mprotect": (10, 226)}
# Answered 0: a number that counts the processes of the machine would tell how many there were.
NUMBERS_OF_ITSELF = {"getpid": (39, 172), "gettid": (186, 178)}
# Each takes a clock as its first argument.
CLOCKS = {"clock_gettime": (228, 113), "clock_getres": (229, 114), "clock_nanosleep": (230, 115)}

# AUDIT_ARCH_* of linux/audit.h, and the column above.
ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}

SECCOMP_MODE_FILTER = 2
RET_KILL_PROCESS = 0x80000000
RET_ALLOW = 0x7FFF0000
RET_DENY = 0x00050000 | errno.EPERM
# "Fail" without an error: the call answers 0 and does nothing.
RET_ZERO = 0x00050000

LOAD, JUMP_EQUAL, JUMP_AT_LEAST, JUMP_ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
# Offsets in struct seccomp_data; of an argument its low half, all that the kernel reads of an int.
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16

# On x86_64 these numbers are the x32 ABI: the same calls by another name.
FIRST_X32_NUMBER = 0x40000000
# CLOCK_TAI is 11. Beyond are the clocks of other processes: how long an opponent thinks.
FIRST_FOREIGN_CLOCK = 12
FCNTL_COMMANDS = (fcntl.F_DUPFD, fcntl.F_DUPFD_CLOEXEC, fcntl.F_GETFD, fcntl.F_SETFD, fcntl.F_GETFL)
# Without it two processes can wait for and wake each other on any page of a file that both have mapped.
FUTEX_PRIVATE = 128
# Code of a bot's own making could time and flush single lines of the processor's cache, which processes share.
PROT_EXEC = 4
# Large pages are a stock of the whole machine: whether one is left tells what others took.
MAP_HUGETLB = 0x40000
# MADV_DONTNEED and MADV_FREE, of which malloc makes use. Others put pages to disk or join equal ones among processes.
ADVICE = (4, 8)

_Instruction = tuple[int, int, int, int]


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def _load(offset: int) -> _Instruction:
    return (LOAD, 0, 0, offset)


def _return(action: int) -> _Instruction:
    return (RETURN, 0, 0, action)


def _for_call(number: int, body: list[_Instruction]) -> list[_Instruction]:
    """`body` must return; where the call is another, it is jumped over."""
    return [(JUMP_EQUAL, 0, len(body), number), *body]


def _check_argument(index: int, tests: list[_Instruction]) -> list[_Instruction]:
    return [_load(ARGUMENTS + 8 * index), *tests]


def _return_if(jump: int, operand: int, action: int) -> list[_Instruction]:
    return [(jump, 0, 1, operand), _return(action)]


def _allow_only(operands: tuple[int, ...]) -> list[_Instruction]:
    return [*(step for word in operands for step in _return_if(JUMP_EQUAL, word, RET_ALLOW)), _return(RET_DENY)]


def _deny_any_bit(number: int, bits: dict[int, int]) -> list[_Instruction]:
    """Allow a call unless an argument, by its place, has one of these bits."""
    tests: list[_Instruction] = []
    for index, mask in bits.items():
        tests += _check_argument(index, _return_if(JUMP_ANY_BIT, mask, RET_DENY))
    return _for_call(number, [*tests, _return(RET_ALLOW)])


def build_filter(machine: str) -> bytes:
    """The BPF program for this architecture; KeyError for one that has no table."""
    architecture, column = ARCHITECTURES[machine]
    program = [_load(ARCHITECTURE), (JUMP_EQUAL, 1, 0, architecture), _return(RET_KILL_PROCESS), _load(NUMBER)]
    if machine == "x86_64":
        program += _return_if(JUMP_AT_LEAST, FIRST_X32_NUMBER, RET_KILL_PROCESS)
    for numbers in ALLOWED.values():
        number = numbers[column]
        if number is not None:
            program += _return_if(JUMP_EQUAL, number, RET_ALLOW)
    for numbers_of_itself in NUMBERS_OF_ITSELF.values():
        program += _return_if(JUMP_EQUAL, numbers_of_itself[column], RET_ZERO)
    futex_tests = [*_return_if(JUMP_ANY_BIT, FUTEX_PRIVATE, RET_ALLOW), _return(RET_DENY)]
    program += _for_call(FUTEX[column], _check_argument(1, futex_tests))
    program += _deny_any_bit(MAPPINGS["mprotect"][column], {2: PROT_EXEC})
    program += _deny_any_bit(MAPPINGS["mmap"][column], {2: PROT_EXEC, 3: MAP_HUGETLB})
    program += _for_call(MADVISE[column], _check_argument(2, _allow_only(ADVICE)))
    clock_tests = [*_return_if(JUMP_AT_LEAST, FIRST_FOREIGN_CLOCK, RET_DENY), _return(RET_ALLOW)]
    for numbers_of_clock in CLOCKS.values():
        program += _for_call(numbers_of_clock[column], _check_argument(0, clock_tests))
    program += _for_call(FCNTL[column], _check_argument(1, _allow_only(FCNTL_COMMANDS)))
    program.append(_return(RET_DENY))
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)


def restrict_system_calls() -> None:
    """Install the filter for good. no_new_privs must be set before."""
    instructions = build_filter(os.uname().machine)
    program = _Program(len(instructions) // 8, instructions)
    call_prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program))
