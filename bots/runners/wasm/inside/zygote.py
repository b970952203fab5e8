"""The fork server of hosts: wasmtime loaded and its engine made once, and a fork for every module.

Run as `python -I -S -B zygote.py PARENT CONTROL_FD LIBRARY_FD WASMTIME_FOLDER`; the orders are those of the sandbox's
zygote. Hosts need no library: what they run was loaded before the fork, and modules come through the pipe.
"""

import gc
import os
import socket
import sys

sys.path.append(os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", "..", "..")))
# Where wasmtime was installed; the interpreter itself was started without it.
sys.path.append(sys.argv[4])

from bots.runners.sandbox.confine import confine
from bots.runners.sandbox.libc import EXIT_CRASH, EXIT_UNCONFINED, READY
from bots.runners.sandbox.zygote import Zygote
from bots.runners.wasm.inside.host import Host

del sys.path[-2:]

STDOUT, STDERR = 1, 2


def run_host(host: Host, memory: int, cpu_seconds: int) -> None:
    """Confine this process and serve orders until the worker is gone. Never returns, never raises."""
    status = EXIT_UNCONFINED
    try:
        os.chdir("/")
        os.environ.clear()
        confine(memory, cpu_seconds)
        os.write(STDOUT, READY)
        status = EXIT_CRASH
        host.serve()
    except BaseException as error:
        os.write(STDERR, f"{type(error).__name__}: {error}\n".encode(errors="replace"))
    finally:
        os._exit(status)


if __name__ == "__main__":
    if os.getppid() != int(sys.argv[1]):
        sys.exit(1)
    os.close(int(sys.argv[3]))
    host = Host()
    zygote = Zygote(socket.socket(fileno=int(sys.argv[2])), lambda code, memory, cpu: run_host(host, memory, cpu))
    gc.collect()
    gc.freeze()
    zygote.serve()
