"""The one door to running an uploaded bot: it stays shut where the sandbox does not hold."""

import atexit
import threading
import time
from functools import cache
from pathlib import Path

from bots.runners.budget import Limits
from bots.runners.fork_server import ForkServer
from bots.runners.process import BotProcess
from bots.runners.selftest import SandboxState, probe_sandbox
from bots.runners.verdict import SandboxUnsafeError

# A sandbox that holds goes on holding; one that did not may have met a machine too busy to answer.
RETRY_SECONDS = 60.0

_lock = threading.Lock()
_probed: tuple[float, SandboxState] | None = None


@cache
def _fork_server() -> ForkServer:
    server = ForkServer()
    atexit.register(server.close)
    return server


def read_sandbox_state() -> SandboxState:
    """The self-test's outcome: run at the first call, and again from time to time while it says unsafe."""
    global _probed
    with _lock:
        if _probed is None or (not _probed[1].is_safe and time.monotonic() - _probed[0] > RETRY_SECONDS):
            _probed = (time.monotonic(), probe_sandbox(_fork_server()))
        return _probed[1]


def require_safe_sandbox() -> None:
    """Before anything of an upload is run or compiled. Raises SandboxUnsafeError."""
    state = read_sandbox_state()
    if not state.is_safe:
        raise SandboxUnsafeError(state.reason)


def launch(code: Path, limits: Limits | None = None) -> BotProcess:
    """Start an uploaded bot. Raises SandboxUnsafeError where it must not be, LaunchError where it could not be."""
    require_safe_sandbox()
    return BotProcess.start(code, limits or Limits(), _fork_server())
