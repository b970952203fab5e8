"""Ways out of the sandbox, each tried once. Files are asked for past Python, whose functions know none but the bot's.

Every attempt is harmless where it succeeds, for it may be run without a sandbox to see that it can succeed: what is
created is removed.
"""

import contextlib
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

from bots.runners.probes.system_calls import RAW, choose_machine, is_raw_call_open, open_path

Context = dict[str, Any]
Probe = Callable[[Context], object]


def _open(path: str, flags: int = os.O_RDONLY) -> None:
    os.close(open_path(path, flags))


def _read(path: str) -> None:
    fd = open_path(path)
    try:
        os.read(fd, 1)
    finally:
        os.close(fd)


def _list(path: str) -> None:
    _open(path, os.O_RDONLY | os.O_DIRECTORY)


def _write_new(directory: str) -> None:
    path = os.path.join(directory, f"aurum-probe-{os.getpid()}")
    _open(path, os.O_WRONLY | os.O_CREAT)
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

    for fd in (0, open_path(sys.executable)):
        fcntl.lockf(fd, fcntl.LOCK_SH)


def _find_inherited_descriptors() -> None:
    for fd in range(3, 256):
        with contextlib.suppress(OSError):
            os.close(os.dup(fd))
            return
    raise PermissionError


def _open_descriptor_of(pid: int) -> None:
    for fd in range(64):
        with contextlib.suppress(OSError):
            _open(f"/proc/{pid}/fd/{fd}", os.O_RDONLY | os.O_NONBLOCK)
            return
    raise PermissionError


def _find_environment() -> None:
    if not os.environ:
        raise PermissionError


def _write_shared_memory() -> None:
    path = "/dev/shm/aurum-probe"
    fd = open_path(path, os.O_RDWR | os.O_CREAT)
    try:
        os.write(fd, b"open")
        mmap.mmap(fd, 4).close()
    finally:
        os.close(fd)
        os.unlink(path)


def _read_host_name() -> None:
    if not os.uname().nodename:
        raise PermissionError


def _run_own_code() -> None:
    mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC).close()


def _open_path_only() -> None:
    _open("/", os.O_PATH)


PROBES: dict[str, Probe] = {
    "read a secret of the worker": lambda context: _read(context["secret"]),
    "read another bot": lambda context: _read(context["other_bot"]),
    "read its own code from the disk": lambda context: _read(context["own_file"]),
    "read Python's library from the disk": lambda context: _read(context["library_file"]),
    "read Python itself": lambda context: _read(sys.executable),
    "read the machine's memory": lambda context: _read("/proc/meminfo"),
    "read the last process's number": lambda context: _read("/proc/loadavg"),
    "read the processor's counters": lambda context: _read("/sys/devices/system/cpu/online"),
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
    "list the root": lambda context: _list("/"),
    "list the processes": lambda context: _list("/proc"),
    "list the bots": lambda context: _list(os.path.dirname(context["own"])),
    "list temporary files": lambda context: _list("/tmp"),
    "list devices": lambda context: _list("/sys/class/net"),
    "write to its own folder": lambda context: _write_new(context["own"]),
    "write temporary files": lambda context: _write_new("/tmp"),
    "write its own code": lambda context: _open(context["own_file"], os.O_WRONLY),
    "append to its own code": lambda context: _open(context["own_file"], os.O_RDWR | os.O_APPEND),
    "write shared memory": lambda context: _write_shared_memory(),
    "open a path beyond Landlock": lambda context: _open_path_only(),
    "run code of its own making": lambda context: _run_own_code(),
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


def _is_open(probe: Probe, context: Context) -> bool:
    try:
        probe(context)
    except (OSError, RuntimeError, ImportError, ValueError):
        return False
    return True


def try_everything(context: Context) -> dict[str, list[str]]:
    """Names of all probes, and of those that got through."""
    column = choose_machine(context["machine"])
    outcomes = {name: _is_open(probe, context) for name, probe in PROBES.items()}
    for name, (*numbers, arguments) in RAW.items():
        number = numbers[column]
        if number is not None:
            outcomes[f"system call {name}"] = is_raw_call_open(number, arguments)
    return {"tried": list(outcomes), "open": [name for name, is_open in outcomes.items() if is_open]}
