"""The fork server of hosts: wasmtime loaded and its engine made once, and a fork for every module.

Run as `python -I -S -B zygote.py PARENT CONTROL_FD WASMTIME_FOLDER`; the requests are those of the sandbox's zygote.
"""

import gc
import os
import socket
import sys

sys.path.append(os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", "..", "..")))

from bots.runners.sandbox.confine import PythonFiles, confine, die_with_parent
from bots.runners.sandbox.exits import EXIT_CRASH, EXIT_UNCONFINED, READY
from bots.runners.sandbox.zygote import Zygote

STDOUT, STDERR = 1, 2


class HostZygote(Zygote):
    """Its forks need no file at all: what they run was loaded before, and modules come through the pipe."""

    def __init__(self, control: socket.socket) -> None:
        super().__init__(control)
        from bots.runners.wasm.inside.host import Host

        self._host = Host()

    def _become_bot(self, code: str, memory: int, cpu_seconds: int, pipes: list[int]) -> None:
        status = EXIT_UNCONFINED
        try:
            os.setsid()
            die_with_parent(self._pid)
            for target, pipe in enumerate(pipes):
                os.dup2(pipe, target)
            os.closerange(3, os.sysconf("SC_OPEN_MAX"))
            os.environ.clear()
            nothing = PythonFiles()
            nothing.files, nothing.directories, nothing.listings = [], [], []
            confine(nothing, os.devnull, memory, cpu_seconds)
            os.write(STDOUT, READY)
            status = EXIT_CRASH
            self._host.serve()
        except BaseException as error:
            os.write(STDERR, f"{type(error).__name__}: {error}\n".encode(errors="replace"))
        finally:
            os._exit(status)


if __name__ == "__main__":
    if os.getppid() != int(sys.argv[1]):
        sys.exit(1)
    # Where wasmtime was installed; the interpreter itself was started without it.
    sys.path.append(sys.argv[3])
    zygote = HostZygote(socket.socket(fileno=int(sys.argv[2])))
    del sys.path[-2:]
    gc.collect()
    gc.freeze()
    zygote.serve()
