"""Whether the sandbox holds on this machine: the probe bot is run through the very launcher that runs all bots."""

import contextlib
import json
import os
import secrets
import shutil
import socket
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bots.runners.errors import LaunchError
from bots.runners.fork_server import ForkServer
from bots.runners.launchers import ColdLauncher, Launcher
from bots.runners.limits import Limits
from bots.runners.process import BotProcess
from bots.runners.sandbox.landlock import read_landlock_abi
from bots.runners.verdict import Verdict

PROBE_BOT = Path(__file__).with_name("probe_bot.py")
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


@contextlib.contextmanager
def bait_probes() -> Iterator[tuple[Path, dict[str, Any]]]:
    """The probe bot in a folder of its own, and what it is to reach for: all of it within the worker's own reach."""
    abstract_name = f"aurum-probe-{secrets.token_hex(8)}"
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="aurum-probe-"))).resolve()
        own, other, secret = folder / "bot", folder / "other" / "main.py", folder / "secret"
        own.mkdir()
        other.parent.mkdir()
        shutil.copyfile(PROBE_BOT, own / "main.py")
        for file in (other, secret):
            file.write_text("not yours")
            file.chmod(0o600)
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        for address in (str(folder / "socket"), "\0" + abstract_name):
            listener = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
            listener.bind(address)
            listener.listen()
        yield (
            own,
            {
                "own": str(own),
                "secret": str(secret),
                "other_bot": str(other),
                "site_file": __file__,
                "parent": os.getpid(),
                "tcp_port": tcp.getsockname()[1],
                "unix_path": str(folder / "socket"),
                "abstract_name": abstract_name,
                "machine": os.uname().machine,
            },
        )


def probe_sandbox(launcher: Launcher) -> SandboxState:
    """Run every probe; anything open, or no answer at all, and no bot may be run here."""
    if sys.platform != "linux":
        return SandboxState(False, (), "the sandbox needs Linux.", TIER_NONE, 0)
    if not read_landlock_abi():
        return _refuse("this kernel has no Landlock, or it is not enabled.")
    with bait_probes() as (code, context):
        try:
            with BotProcess.start(code, Limits(), launcher) as bot:
                answer = bot.ask(context)
                stderr = bot.close().stderr
        except LaunchError as error:
            return _refuse(str(error))
    if answer.verdict is not Verdict.OK or answer.payload is None:
        return _refuse(f"the probe bot gave no answer ({answer.verdict}): {answer.detail} {stderr}".strip())
    open_probes = tuple(answer.payload["open"])
    probes = len(answer.payload["tried"])
    if open_probes:
        return _refuse(f"the sandbox leaves open: {', '.join(open_probes)}.", open_probes, probes)
    return SandboxState(True, (), "", TIER_CONFINED, read_landlock_abi(), probes)


if __name__ == "__main__":
    for kind in (ColdLauncher, ForkServer):
        chosen = kind()
        print(json.dumps(asdict(probe_sandbox(chosen))))
        chosen.close()
