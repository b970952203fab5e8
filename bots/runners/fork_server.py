"""The referee's side of the fork server: bots in a few milliseconds, and a new server when one has died."""

import json
import os
import socket
import subprocess
import threading
from pathlib import Path
from typing import Any

from bots.runners.errors import LaunchError
from bots.runners.launchers import PYTHON_FLAGS, SANDBOX, Child, Ended, Pipes, find_python, open_library
from bots.runners.limits import Limits

LARGEST_ANSWER = 4096
# The server only forks and waits for the killed: silence this long means that it is stuck.
ANSWER_SECONDS = 30.0


class _Server:
    """One zygote process, the socket to it, and the parent of its bots."""

    def __init__(self, python: str) -> None:
        self.owner = os.getpid()
        self._lock = threading.Lock()
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control.settimeout(ANSWER_SECONDS)
        fds = (theirs.fileno(), open_library(python))
        command = [python, *PYTHON_FLAGS, str(SANDBOX / "zygote.py"), str(self.owner), *map(str, fds)]
        with theirs:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={},
                cwd="/",
                pass_fds=fds,
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    def request(self, message: dict[str, Any], fds: tuple[int, ...] = ()) -> dict[str, Any]:
        """Raises OSError when the server is dead or stuck, and stops it then; LaunchError when it could not do it."""
        try:
            with self._lock:
                socket.send_fds(self._control, [json.dumps(message).encode()], fds)
                answer = self._control.recv(LARGEST_ANSWER)
            if not answer:
                raise ConnectionResetError("the fork server has died")
        except OSError:
            self.stop()
            raise
        decoded: dict[str, Any] = json.loads(answer)
        if "error" in decoded:
            raise LaunchError(decoded["error"])
        return decoded

    def reap(self, pid: int) -> Ended:
        """Of a child whose server has died only that it was killed is known: the kernel saw to it."""
        try:
            answer = self.request({"op": "reap", "pid": pid})
        except (OSError, LaunchError):
            return Ended(None, 0.0, 0)
        return Ended(answer["status"], answer["cpu"], answer["peak_memory"])

    def stop(self) -> None:
        """Its bots end with it. In a fork of the owner only the socket's copy is closed."""
        self._control.close()
        if self.owner == os.getpid():
            self._process.kill()
            self._process.wait()


class ForkServer:
    """A launcher for many threads; its server starts when the first bot is asked for, and anew when it has died."""

    def __init__(self, python: str | None = None) -> None:
        self._python = python or find_python()
        self._server: _Server | None = None
        self._lock = threading.Lock()
        os.register_at_fork(after_in_child=self._forget)

    def _forget(self) -> None:
        """A forked worker has a server of its own: two must not talk on one socket."""
        self._lock = threading.Lock()
        self.close()

    def _spawn_once(self, request: dict[str, Any], pipes: Pipes) -> Child:
        with self._lock:
            if self._server is None:
                self._server = _Server(self._python)
            server = self._server
        try:
            return pipes.make_child(server.request(request, pipes.theirs)["pid"], server)
        except OSError:
            with self._lock:
                if self._server is server:
                    self._server = None
            raise

    def spawn(self, code: Path, limits: Limits) -> Child:
        pipes = Pipes.open()
        request = {"op": "spawn", "code": str(code), "memory": limits.memory, "cpu_seconds": limits.cpu_seconds}
        try:
            try:
                return self._spawn_once(request, pipes)
            except OSError:
                return self._spawn_once(request, pipes)
        except LaunchError:
            pipes.close_ours()
            raise
        except OSError as error:
            pipes.close_ours()
            raise LaunchError(str(error)) from error
        finally:
            pipes.close_theirs()

    @property
    def server_pid(self) -> int | None:
        """None while no server is needed yet."""
        return None if self._server is None else self._server.pid

    def close(self) -> None:
        with self._lock:
            server, self._server = self._server, None
        if server is not None:
            server.stop()
