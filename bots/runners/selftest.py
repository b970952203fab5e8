"""Whether the sandbox holds on this machine: the probe bot is run through the very launcher that runs all bots.

One process tries to get out. Then pairs of them try to leave word for each other: what one wrote, one beside it and the
next one must not be able to read.
"""

import atexit
import contextlib
import json
import os
import secrets
import shutil
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from bots.runners.budget import Limits
from bots.runners.launchers import ColdLauncher, ForkServer, Launcher
from bots.runners.process import BotProcess
from bots.runners.sandbox.confine import read_landlock_abi
from bots.runners.verdict import LaunchError, SandboxUnsafeError, Verdict

PROBES = Path(__file__).with_name("probes")
SHARED_MEMORY = Path("/dev/shm")
# Older than any change: the next access is noted also where disks are mounted with relatime.
LONG_AGO = (1, 1_000_000_000)
TIER_CONFINED = "landlock-seccomp"
TIER_NONE = "none"


@dataclass(frozen=True)
class SandboxState:
    """`reason` is a sentence, empty when safe; `abi` is the kernel's Landlock version, 0 for none."""

    is_safe: bool
    open_probes: tuple[str, ...]
    reason: str
    tier: str
    abi: int
    probes: int = 0


def _refuse(reason: str, open_probes: tuple[str, ...] = (), probes: int = 0) -> SandboxState:
    return SandboxState(False, open_probes, reason, TIER_NONE, read_landlock_abi(), probes)


def _write_bait(folder: Path) -> dict[str, Any]:
    """What the probe bot is to reach for: files within the worker's own reach, and its own folder with its code."""
    own = folder / "bot"
    package = own / "bots" / "runners" / "probes"
    shutil.copytree(PROBES, package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copyfile(PROBES / "main.py", own / "main.py")
    other, secret = folder / "other" / "main.py", folder / "secret"
    other.parent.mkdir()
    baits = [folder / name / "bait" for name in ("first", "second", "third")]
    for bait in baits:
        bait.parent.mkdir()
    for file in (other, secret, *baits):
        file.write_text("not yours")
        file.chmod(0o600)
    for path in (*baits, baits[2].parent, own / "main.py"):
        os.utime(path, LONG_AGO)
    return {
        "own": str(own),
        "own_file": str(own / "main.py"),
        "secret": str(secret),
        "other_bot": str(other),
        "bait": str(baits[0]),
        "second_bait": str(baits[1]),
        "bait_folder": str(baits[2].parent),
        "new_file": str(folder / "new"),
        "memory_file": str(SHARED_MEMORY / folder.name),
    }


@contextlib.contextmanager
def bait_probes() -> Iterator[tuple[Path, dict[str, Any]]]:
    """The probe bot in a folder of its own, and what it is to reach for."""
    abstract_name = f"aurum-probe-{secrets.token_hex(8)}"
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="aurum-probe-"))).resolve()
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        with socket.create_server(("127.0.0.1", 0)) as free:
            free_port = free.getsockname()[1]
        for address in (str(folder / "socket"), "\0" + abstract_name):
            listener = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
            listener.bind(address)
            listener.listen()
        context = {
            **_write_bait(folder),
            "site_file": __file__,
            "library_file": json.__file__,
            "parent": os.getpid(),
            "tcp_port": tcp.getsockname()[1],
            "free_port": free_port,
            "unix_path": str(folder / "socket"),
            "abstract_name": abstract_name,
            "machine": os.uname().machine,
        }
        yield folder / "bot", context


class _NoAnswer(Exception):
    """The probe bot did not do what it was asked; the sentence says what came instead."""


def _ask(bot: BotProcess, context: dict[str, Any], do: str) -> dict[str, Any]:
    answer = bot.ask({**context, "do": do})
    if answer.verdict is not Verdict.OK or answer.payload is None:
        stderr = bot.close().stderr
        raise _NoAnswer(f"the probe bot gave no answer ({answer.verdict}): {answer.detail} {stderr}".strip())
    return answer.payload


def compare_readings(before: dict[str, Any], *later: dict[str, Any]) -> list[str]:
    """The ways by which something came through: what is read is not what it was before anybody wrote."""
    return [name for name, found in before.items() if any(reading[name] != found for reading in later)]


def _find_talking_pairs(code: Path, context: dict[str, Any], launcher: Launcher) -> tuple[list[str], int]:
    """The open ways between one process and one beside it, or the next; and how many were tried."""

    def start() -> BotProcess:
        return BotProcess.start(code, Limits(), launcher)

    with start() as first:
        before = _ask(first, context, "read")["found"]
    with start() as writer:
        _ask(writer, context, "write")
        writer.tell({**context, "do": "hold"})
        with start() as beside:
            now = _ask(beside, {**context, "writer": writer.pid}, "read")["found"]
    with start() as following:
        after = _ask(following, context, "read")["found"]
        _ask(following, context, "clean")
    return compare_readings(before, now, after), len(before)


def _run_probes(launcher: Launcher) -> tuple[list[str], int]:
    """Raises LaunchError or _NoAnswer."""
    with bait_probes() as (code, context):
        with BotProcess.start(code, Limits(), launcher) as bot:
            escapes = _ask(bot, context, "try")
        talking, pairs = _find_talking_pairs(code, context, launcher)
    return [*escapes["open"], *(f"word to another by {name}" for name in talking)], len(escapes["tried"]) + pairs


def probe_sandbox(launcher: Launcher) -> SandboxState:
    """Run every probe; anything open, or no answer at all, and no bot may be run here."""
    if sys.platform != "linux":
        return SandboxState(False, (), "the sandbox needs Linux.", TIER_NONE, 0)
    if not read_landlock_abi():
        return _refuse("this kernel has no Landlock, or it is not enabled.")
    try:
        open_probes, probes = _run_probes(launcher)
    except (LaunchError, _NoAnswer) as error:
        return _refuse(str(error))
    if open_probes:
        return _refuse(f"the sandbox leaves open: {', '.join(open_probes)}.", tuple(open_probes), probes)
    return SandboxState(True, (), "", TIER_CONFINED, read_landlock_abi(), probes)


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


if __name__ == "__main__":
    for kind in (ColdLauncher, ForkServer):
        chosen = kind()
        print(json.dumps(asdict(probe_sandbox(chosen))))
        chosen.close()
