"""The system calls a bot may make, with their numbers on x86_64 and aarch64."""

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
