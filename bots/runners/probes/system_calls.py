"""System calls made past Python, as a bot's author would who does not care for Python's ways, and which are tried.

Every attempt is harmless where it succeeds: the arguments are such that the kernel must refuse them for another reason
than permission.
"""

import ctypes
import errno
import os

DENIED = (errno.EPERM, errno.EACCES, errno.ENOSYS)
BAD_FD, NULL, BAD = -1, 0, 0xFFFF
AT_CWD, AT_EMPTY_PATH = -100, 0x1000
# The whole of a struct stat, statfs, sysinfo or statx, and some room.
ANSWER_SIZE = 512

# Name: (number on x86_64, on aarch64, arguments); a number of None: this architecture has no such call.
RAW: dict[str, tuple[int | None, int | None, tuple[int, ...]]] = {
    "acct": (163, 89, (1,)),
    "add_key": (248, 217, (NULL, NULL, NULL, 0, 0)),
    "adjtimex": (159, 171, (1,)),
    "arch_prctl": (158, None, (BAD, 0)),
    "bpf": (321, 280, (BAD, NULL, 0)),
    "cachestat": (451, 451, (BAD_FD, NULL, NULL, 0)),
    "capget": (125, 90, (NULL, NULL)),
    "chmod": (268, 53, (BAD_FD, NULL, 0)),
    "chown": (260, 54, (BAD_FD, NULL, 0, 0, 0)),
    "chroot": (161, 51, (1,)),
    "clock_settime": (227, 112, (BAD, NULL)),
    "clone3": (435, 435, (NULL, 0)),
    "copy_file_range": (326, 285, (BAD_FD, NULL, BAD_FD, NULL, 0, 0)),
    "epoll_create": (291, 20, (BAD,)),
    "eventfd": (290, 19, (0, BAD)),
    "execve": (59, 221, (1, NULL, NULL)),
    "execveat": (322, 281, (BAD_FD, 1, NULL, NULL, 0)),
    "faccessat": (269, 48, (BAD_FD, NULL, 0)),
    "faccessat2": (439, 439, (BAD_FD, NULL, 0, 0)),
    "fadvise": (221, 223, (BAD_FD, 0, 0, 0)),
    "fallocate": (285, 47, (BAD_FD, 0, 0, 0)),
    "fanotify_init": (300, 262, (BAD, BAD)),
    "fchdir": (81, 50, (BAD_FD,)),
    "flock": (73, 32, (BAD_FD, 2)),
    "fsopen": (430, 430, (NULL, 0)),
    "fstat": (5, 80, (BAD_FD, NULL)),
    "fstatfs": (138, 44, (BAD_FD, NULL)),
    "futex, shared": (202, 98, (NULL, 1, 1, NULL, NULL, 0)),
    "futex_wait": (455, 455, (NULL, 0, 0, 0, NULL, 0)),
    "futex_waitv": (449, 449, (NULL, 0, 0, NULL, 0)),
    "futex_wake": (454, 454, (NULL, 0, 0, 0)),
    "get_mempolicy": (239, 236, (NULL, NULL, 0, 0, BAD)),
    "get_robust_list": (274, 100, (0, NULL, NULL)),
    "getcpu": (309, 168, (1, 1, NULL)),
    "getcwd": (79, 17, (NULL, 0)),
    "getdents64": (217, 61, (BAD_FD, NULL, 0)),
    "getgroups": (115, 158, (0, NULL)),
    "getpgid": (121, 155, (0,)),
    "getppid": (110, 173, ()),
    "getpriority": (140, 141, (0, 0)),
    "getrusage": (98, 165, (0, NULL)),
    "getsid": (124, 156, (0,)),
    "getuid": (102, 174, ()),
    "getxattr": (191, 8, (NULL, NULL, NULL, 0)),
    "init_module": (175, 105, (NULL, 0, NULL)),
    "inotify_add_watch": (254, 27, (BAD_FD, NULL, 0)),
    "inotify_init": (294, 26, (BAD,)),
    "io_setup": (206, 0, (0, NULL)),
    "io_uring_setup": (425, 425, (0, NULL)),
    "ioctl": (16, 29, (BAD_FD, 0, 0)),
    "iopl": (172, None, (4,)),
    "ioprio_get": (252, 31, (1, 0)),
    "kcmp": (312, 272, (0, 0, BAD, 0, 0)),
    "kexec_load": (246, 104, (0, 0, NULL, 0xFF)),
    "keyctl": (250, 219, (BAD, 0, 0, 0, 0)),
    "landlock_create_ruleset": (444, 444, (NULL, 0, 1)),
    "linkat": (265, 37, (BAD_FD, NULL, BAD_FD, NULL, 0)),
    "listmount": (458, 458, (NULL, NULL, 0, 0)),
    "madvise, join": (28, 233, (1, 1, 12)),
    "madvise, page out": (28, 233, (1, 1, 21)),
    "madvise, punch": (28, 233, (1, 1, 9)),
    "membarrier": (324, 283, (BAD, 0, 0)),
    "memfd_create": (319, 279, (NULL, 0)),
    "memfd_secret": (447, 447, (BAD,)),
    "mincore": (27, 232, (1, 1, 1)),
    "mkdirat": (258, 34, (BAD_FD, NULL, 0)),
    "mknodat": (259, 33, (BAD_FD, NULL, 0, 0)),
    "mlock": (149, 228, (1 << 40, 1 << 40)),
    "mlock2": (325, 284, (1 << 40, 1 << 40, BAD)),
    "mount": (165, 40, (1, 1, 1, 0, 0)),
    "move_pages": (279, 239, (0, 0, NULL, NULL, NULL, BAD)),
    "mq_open": (240, 180, (NULL, 0, 0, NULL)),
    "mq_unlink": (241, 181, (NULL,)),
    "msgctl": (71, 187, (BAD_FD, BAD, NULL)),
    "msgget": (68, 186, (0x41555255, 0)),
    "msync": (26, 227, (1, 1, BAD)),
    "name_to_handle_at": (303, 264, (BAD_FD, NULL, NULL, NULL, 0)),
    "newfstatat": (262, 79, (BAD_FD, NULL, NULL, 0)),
    "open_by_handle_at": (304, 265, (BAD_FD, NULL, 0)),
    "open_tree": (428, 428, (BAD_FD, NULL, BAD)),
    "openat": (257, 56, (BAD_FD, NULL, 0)),
    "openat2": (437, 437, (BAD_FD, NULL, NULL, 0)),
    "perf_event_open": (298, 241, (NULL, 0, 0, BAD_FD, 0)),
    "personality": (135, 92, (0xFFFFFFFF,)),
    "pidfd_getfd": (438, 438, (BAD_FD, 0, 0)),
    "pidfd_open": (434, 434, (0, BAD)),
    "pivot_root": (155, 41, (NULL, NULL)),
    "pkey_alloc": (330, 289, (BAD, BAD)),
    "prctl": (157, 167, (BAD, 0, 0, 0, 0)),
    "preadv2": (327, 286, (BAD_FD, NULL, 0, 0, 0, 0)),
    "prlimit": (302, 261, (0, BAD, NULL, NULL)),
    "process_madvise": (440, 440, (BAD_FD, NULL, 0, 0, 0)),
    "process_mrelease": (448, 448, (BAD_FD, 0)),
    "process_vm_readv": (310, 270, (0, NULL, 0, NULL, 0, BAD)),
    "process_vm_writev": (311, 271, (0, NULL, 0, NULL, 0, BAD)),
    "ptrace": (101, 117, (BAD, 0, 0, 0)),
    "quotactl": (179, 60, (BAD, NULL, 0, NULL)),
    "readahead": (187, 213, (BAD_FD, 0, 0)),
    "readlinkat": (267, 78, (BAD_FD, NULL, NULL, 0)),
    "reboot": (169, 142, (0, 0, 0, NULL)),
    "remap_file_pages": (216, 234, (1, 1, 1, 0, 0)),
    "renameat": (264, 38, (BAD_FD, NULL, BAD_FD, NULL)),
    "request_key": (249, 218, (NULL, NULL, NULL, 0)),
    "rseq": (334, 293, (NULL, 0, BAD, 0)),
    "sched_getaffinity": (204, 123, (0, 0, NULL)),
    "sched_getattr": (315, 275, (0, NULL, 0, 0)),
    "sched_getparam": (143, 121, (0, NULL)),
    "sched_getscheduler": (145, 120, (0,)),
    "sched_rr_get_interval": (148, 127, (0, NULL)),
    "sched_setscheduler": (144, 119, (0, BAD, NULL)),
    "semctl": (66, 191, (BAD_FD, 0, BAD, 0)),
    "semget": (64, 190, (0x41555255, 0, 0)),
    "sendfile": (40, 71, (BAD_FD, BAD_FD, NULL, 0)),
    "sethostname": (170, 161, (NULL, BAD_FD)),
    "setns": (308, 268, (BAD_FD, 0)),
    "setxattr": (188, 5, (NULL, NULL, NULL, 0, 0)),
    "shmctl": (31, 195, (BAD_FD, BAD, NULL)),
    "shmget": (29, 194, (0x41555255, 0, 0)),
    "signalfd": (289, 74, (BAD_FD, NULL, 0, BAD)),
    "splice": (275, 76, (BAD_FD, NULL, BAD_FD, NULL, 1, 0)),
    "statfs": (137, 43, (NULL, NULL)),
    "statmount": (457, 457, (NULL, NULL, 0, 0)),
    "statx": (332, 291, (BAD_FD, NULL, 0, 0, NULL)),
    "swapon": (167, 224, (NULL, 0)),
    "symlinkat": (266, 36, (NULL, BAD_FD, NULL)),
    "syncfs": (306, 267, (BAD_FD,)),
    "sysinfo": (99, 179, (NULL,)),
    "syslog": (103, 116, (10, NULL, 0)),
    "tee": (276, 77, (BAD_FD, BAD_FD, 0, 0)),
    "timer_create": (222, 107, (BAD, NULL, NULL)),
    "timerfd_create": (283, 85, (BAD, BAD)),
    "times": (100, 153, (NULL,)),
    "tkill": (200, 130, (0, 0)),
    "umask": (95, 166, (0o22,)),
    "umount2": (166, 39, (NULL, BAD)),
    "uname": (63, 160, (NULL,)),
    "unlinkat": (263, 35, (BAD_FD, NULL, 0)),
    "unshare": (272, 97, (0,)),
    "userfaultfd": (323, 282, (BAD,)),
    "utimensat": (280, 88, (BAD_FD, NULL, 1, 0)),
    "vmsplice": (278, 75, (BAD_FD, NULL, 0, 0)),
}

# Calls that the pairs make in earnest; the same columns.
NUMBERS = {
    "add_key": (248, 217), "flock": (73, 32), "fstat": (5, 80), "futex": (202, 98), "getpid": (39, 172),
    "getpriority": (140, 141), "getsid": (124, 156), "gettid": (186, 178), "ioprio_get": (252, 31),
    "ioprio_set": (251, 30), "keyctl": (250, 219), "kill": (62, 129), "mq_open": (240, 180), "mq_unlink": (241, 181),
    "newfstatat": (262, 79), "openat": (257, 56), "getdents64": (217, 61), "pidfd_open": (434, 434),
    "prlimit": (302, 261), "sched_getaffinity": (204, 123), "semctl": (66, 191), "semget": (64, 190),
    "setpriority": (141, 140), "statfs": (137, 43), "statx": (332, 291), "sysinfo": (99, 179), "times": (100, 153),
}  # fmt: skip

_column = {"x86_64": 0, "aarch64": 1}
_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


def choose_machine(machine: str) -> int:
    """The column of this architecture; the call for its name may be denied, so that it has to be told."""
    _column["here"] = _column[machine]
    return _column["here"]


def call_number(number: int, *arguments: object) -> int:
    """Answers as the kernel does, with errors raised as OSError."""
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in arguments]
    answer: int = _libc.syscall(ctypes.c_long(number), *words)
    if answer < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return answer


def call(name: str, *arguments: object) -> int:
    return call_number(NUMBERS[name][_column["here"]], *arguments)


def ask(name: str, *arguments: object) -> str:
    """The bytes that a call writes into the buffer it is given in place of `...`."""
    buffer = ctypes.create_string_buffer(ANSWER_SIZE)
    call(name, *(buffer if word is ... else word for word in arguments))
    return buffer.raw.rstrip(b"\0").hex()


def open_path(path: str, flags: int = os.O_RDONLY, mode: int = 0o600) -> int:
    return call("openat", AT_CWD, path.encode(), flags, mode)


def is_raw_call_open(number: int, arguments: tuple[int, ...]) -> bool:
    try:
        call_number(number, *arguments)
    except OSError as error:
        return error.errno not in DENIED
    return True
