"""The bot that tries to get out: it is asked once, tries everything, and answers with what it found open.

Every attempt is harmless where it succeeds, for it may be run without a sandbox to see that it can succeed: raw system
calls get arguments that the kernel must refuse for another reason than permission, and what is created is removed.
"""

import contextlib
import ctypes
import errno
import json
import mmap
import os
import resource
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

Context = dict[str, Any]
Probe = Callable[[Context], object]

DENIED = (errno.EPERM, errno.EACCES, errno.ENOSYS)
MACHINES = {"x86_64": 0, "aarch64": 1}
BAD_FD, NULL, BAD = -1, 0, 0xFFFF

# Name: (number on x86_64, on aarch64, arguments); a number of None: this architecture has no such call.
RAW: dict[str, tuple[int | None, int | None, tuple[int, ...]]] = {
    "acct": (163, 89, (1,)),
    "add_key": (248, 217, (NULL, NULL, NULL, 0, 0)),
    "adjtimex": (159, 171, (1,)),
    "bpf": (321, 280, (BAD, NULL, 0)),
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
    "fallocate": (285, 47, (BAD_FD, 0, 0, 0)),
    "fanotify_init": (300, 262, (BAD, BAD)),
    "fchdir": (81, 50, (BAD_FD,)),
    "flock": (73, 32, (BAD_FD, 2)),
    "fsopen": (430, 430, (NULL, 0)),
    "getcpu": (309, 168, (1, 1, NULL)),
    "init_module": (175, 105, (NULL, 0, NULL)),
    "inotify_init": (294, 26, (BAD,)),
    "io_setup": (206, 0, (0, NULL)),
    "io_uring_setup": (425, 425, (0, NULL)),
    "ioctl": (16, 29, (BAD_FD, 0, 0)),
    "iopl": (172, None, (4,)),
    "kcmp": (312, 272, (0, 0, BAD, 0, 0)),
    "kexec_load": (246, 104, (0, 0, NULL, 0xFF)),
    "keyctl": (250, 219, (BAD, 0, 0, 0, 0)),
    "linkat": (265, 37, (BAD_FD, NULL, BAD_FD, NULL, 0)),
    "memfd_create": (319, 279, (NULL, 0)),
    "mincore": (27, 232, (1, 1, 1)),
    "mkdirat": (258, 34, (BAD_FD, NULL, 0)),
    "mknodat": (259, 33, (BAD_FD, NULL, 0, 0)),
    "mlock": (149, 228, (1 << 40, 1 << 40)),
    "mount": (165, 40, (1, 1, 1, 0, 0)),
    "mq_open": (240, 180, (NULL, 0, 0, NULL)),
    "msgget": (68, 186, (0x41555255, 0)),
    "name_to_handle_at": (303, 264, (BAD_FD, NULL, NULL, NULL, 0)),
    "open_by_handle_at": (304, 265, (BAD_FD, NULL, 0)),
    "open_tree": (428, 428, (BAD_FD, NULL, BAD)),
    "openat2": (437, 437, (BAD_FD, NULL, NULL, 0)),
    "perf_event_open": (298, 241, (NULL, 0, 0, BAD_FD, 0)),
    "personality": (135, 92, (0xFFFFFFFF,)),
    "pidfd_getfd": (438, 438, (BAD_FD, 0, 0)),
    "pivot_root": (155, 41, (NULL, NULL)),
    "process_madvise": (440, 440, (BAD_FD, NULL, 0, 0, 0)),
    "process_vm_writev": (311, 271, (0, NULL, 0, NULL, 0, BAD)),
    "ptrace": (101, 117, (BAD, 0, 0, 0)),
    "quotactl": (179, 60, (BAD, NULL, 0, NULL)),
    "readlinkat": (267, 78, (BAD_FD, NULL, NULL, 0)),
    "reboot": (169, 142, (0, 0, 0, NULL)),
    "renameat": (264, 38, (BAD_FD, NULL, BAD_FD, NULL)),
    "request_key": (249, 218, (NULL, NULL, NULL, 0)),
    "sched_setscheduler": (144, 119, (0, BAD, NULL)),
    "semget": (64, 190, (0x41555255, 0, 0)),
    "sendfile": (40, 71, (BAD_FD, BAD_FD, NULL, 0)),
    "sethostname": (170, 161, (NULL, BAD_FD)),
    "setns": (308, 268, (BAD_FD, 0)),
    "setxattr": (188, 5, (NULL, NULL, NULL, 0, 0)),
    "shmget": (29, 194, (0x41555255, 0, 0)),
    "signalfd": (289, 74, (BAD_FD, NULL, 0, BAD)),
    "splice": (275, 76, (BAD_FD, NULL, BAD_FD, NULL, 1, 0)),
    "statx": (332, 291, (BAD_FD, NULL, 0, 0, NULL)),
    "swapon": (167, 224, (NULL, 0)),
    "symlinkat": (266, 36, (NULL, BAD_FD, NULL)),
    "syslog": (103, 116, (10, NULL, 0)),
    "timer_create": (222, 107, (BAD, NULL, NULL)),
    "timerfd_create": (283, 85, (BAD, BAD)),
    "umount2": (166, 39, (NULL, BAD)),
    "unlinkat": (263, 35, (BAD_FD, NULL, 0)),
    "unshare": (272, 97, (0,)),
    "userfaultfd": (323, 282, (BAD,)),
    "utimensat": (280, 88, (BAD_FD, NULL, 1, 0)),
    "vmsplice": (278, 75, (BAD_FD, NULL, 0, 0)),
}


def _read(path: str) -> None:
    with open(path, "rb") as file:
        file.read(1)


def _write_new(directory: str) -> None:
    path = os.path.join(directory, f"aurum-probe-{os.getpid()}")
    with open(path, "w") as file:
        file.write("open")
    os.unlink(path)


def _connect(family: int, address: object) -> None:
    with socket.socket(family, socket.SOCK_STREAM) as client:
        client.connect(address)  # type: ignore[arg-type]


def _open_socket(family: int, kind: int = socket.SOCK_STREAM, protocol: int = 0) -> None:
    socket.socket(family, kind, protocol).close()


def _make_socket_pair() -> None:
    for end in socket.socketpair():
        end.close()


def _open_pipe() -> None:
    for end in os.pipe():
        os.close(end)


def _fork() -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


def _start_thread() -> None:
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()


def _spawn() -> None:
    os.waitpid(os.posix_spawn(sys.executable, [sys.executable, "-I", "-S", "-c", ""], {}), 0)


def _raise_limit() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))


def _lock_file() -> None:
    import fcntl

    with open(__file__, "rb") as file:
        fcntl.lockf(file, fcntl.LOCK_SH)


def _find_inherited_descriptors() -> None:
    for fd in range(3, 256):
        with contextlib.suppress(OSError):
            os.fstat(fd)
            return
    raise PermissionError


def _open_descriptor_of(pid: int) -> None:
    for fd in range(64):
        with contextlib.suppress(OSError):
            os.close(os.open(f"/proc/{pid}/fd/{fd}", os.O_RDONLY | os.O_NONBLOCK))
            return
    raise PermissionError


def _find_environment() -> None:
    if not os.environ:
        raise PermissionError


def _write_shared_memory() -> None:
    with open("/dev/shm/aurum-probe", "w+b") as file:
        file.write(b"open")
        file.flush()
        mmap.mmap(file.fileno(), 4).close()
    os.unlink("/dev/shm/aurum-probe")


def _read_host_name() -> None:
    if not os.uname().nodename:
        raise PermissionError


def _open_path_only() -> None:
    os.close(os.open("/", os.O_PATH))


PROBES: dict[str, Probe] = {
    "read a secret of the worker": lambda context: _read(context["secret"]),
    "read another bot": lambda context: _read(context["other_bot"]),
    "read the site's code": lambda context: _read(context["site_file"]),
    "read the parent's environment": lambda context: _read(f"/proc/{context['parent']}/environ"),
    "read the parent's memory": lambda context: _read(f"/proc/{context['parent']}/maps"),
    "open the parent's pipes": lambda context: _open_descriptor_of(context["parent"]),
    "read the own environment": lambda context: _read("/proc/self/environ"),
    "read the own memory map": lambda context: _read("/proc/self/maps"),
    "read init's environment": lambda context: _read("/proc/1/environ"),
    "read the machine's load": lambda context: _read("/proc/stat"),
    "read the host name's file": lambda context: _read("/proc/sys/kernel/hostname"),
    "read the table of connections": lambda context: _read("/proc/net/tcp"),
    "read the users": lambda context: _read("/etc/passwd"),
    "read a device": lambda context: _read("/dev/zero"),
    "list the root": lambda context: os.listdir("/"),
    "list the processes": lambda context: os.listdir("/proc"),
    "list the bots": lambda context: os.listdir(os.path.dirname(context["own"])),
    "list temporary files": lambda context: os.listdir("/tmp"),
    "list devices": lambda context: os.listdir("/sys/class/net"),
    "write to its own folder": lambda context: _write_new(context["own"]),
    "write temporary files": lambda context: _write_new("/tmp"),
    "write its own code": lambda context: os.close(os.open(__file__, os.O_WRONLY)),
    "append to its own code": lambda context: os.close(os.open(__file__, os.O_RDWR | os.O_APPEND)),
    "write shared memory": lambda context: _write_shared_memory(),
    "open a path beyond Landlock": lambda context: _open_path_only(),
    "change folder": lambda context: os.chdir("/"),
    "connect by TCP": lambda context: _connect(socket.AF_INET, ("127.0.0.1", context["tcp_port"])),
    "listen by TCP": lambda context: socket.create_server(("127.0.0.1", 0)).close(),
    "connect to a unix socket": lambda context: _connect(socket.AF_UNIX, context["unix_path"]),
    "connect to an abstract socket": lambda context: _connect(socket.AF_UNIX, "\0" + context["abstract_name"]),
    "make a socket pair": lambda context: _make_socket_pair(),
    "open a UDP socket": lambda context: _open_socket(socket.AF_INET, socket.SOCK_DGRAM),
    "open an IPv6 socket": lambda context: _open_socket(socket.AF_INET6),
    "open a raw socket": lambda context: _open_socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP),
    "open a netlink socket": lambda context: _open_socket(socket.AF_NETLINK, socket.SOCK_RAW),
    "open a packet socket": lambda context: _open_socket(socket.AF_PACKET, socket.SOCK_RAW),
    "open a vsock": lambda context: _open_socket(socket.AF_VSOCK),
    "open the kernel's ciphers": lambda context: _open_socket(socket.AF_ALG, socket.SOCK_SEQPACKET),
    "fork": lambda context: _fork(),
    "start a thread": lambda context: _start_thread(),
    "start a program": lambda context: _spawn(),
    "open a pipe": lambda context: _open_pipe(),
    "signal the parent": lambda context: os.kill(context["parent"], 0),
    "signal itself": lambda context: os.kill(os.getpid(), signal.SIGCONT),
    "signal everyone": lambda context: os.kill(-1, 0),
    "hold the parent by descriptor": lambda context: os.close(os.pidfd_open(context["parent"])),
    "read the parent's limits": lambda context: resource.prlimit(context["parent"], resource.RLIMIT_CPU),
    "read the parent's CPU clock": lambda context: time.clock_gettime((~context["parent"] << 3) | 2),
    "raise its own limits": lambda context: _raise_limit(),
    "become root": lambda context: os.setuid(0),
    "change its priority": lambda context: os.nice(0),
    "choose its CPU": lambda context: os.sched_setaffinity(0, os.sched_getaffinity(0)),
    "lock a file": lambda context: _lock_file(),
    "find inherited descriptors": lambda context: _find_inherited_descriptors(),
    "find environment variables": lambda context: _find_environment(),
    "read the host name": lambda context: _read_host_name(),
}


def _is_raw_call_open(number: int, arguments: tuple[int, ...]) -> bool:
    kernel = ctypes.CDLL(None, use_errno=True).syscall
    answer = kernel(ctypes.c_long(number), *(ctypes.c_long(word) for word in arguments))
    return bool(answer >= 0 or ctypes.get_errno() not in DENIED)


def _is_open(probe: Probe, context: Context) -> bool:
    try:
        probe(context)
    except (OSError, RuntimeError, ImportError, ValueError):
        return False
    return True


def try_everything(context: Context) -> dict[str, list[str]]:
    """Names of all probes, and of those that got through."""
    column = MACHINES[context["machine"]]
    outcomes = {name: _is_open(probe, context) for name, probe in PROBES.items()}
    for name, (*numbers, arguments) in RAW.items():
        number = numbers[column]
        if number is not None:
            outcomes[f"system call {name}"] = _is_raw_call_open(number, arguments)
    return {"tried": list(outcomes), "open": [name for name, is_open in outcomes.items() if is_open]}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(try_everything(json.loads(line))))
