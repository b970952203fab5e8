"""The agent of an upload, whichever kind it is: its folder holds main.py or a module, main.wasm."""

from functools import cache
from pathlib import Path

from bots.agents.sandboxed import SandboxedAgent
from bots.agents.wasm import WasmAgent
from bots.runners.archive import MAIN_MODULE
from bots.runners.limits import Limits
from bots.runners.wasm import ArtifactCache, HostPool
from games.play.agents import SeatOrder

COMPILED = "compiled"
UploadedAgent = SandboxedAgent | WasmAgent


def open_uploaded(order: SeatOrder, code: Path, limits: Limits | None = None) -> UploadedAgent:
    """Take the seat; `limits` are a Python bot's, a module's fuel is the same everywhere. Raises PlatformFault."""
    module = find_module(code)
    if module is None:
        return SandboxedAgent(order, code, limits)
    return WasmAgent(order, module.read_bytes(), find_pool(code))


def compile_uploaded(code: Path) -> None:
    """Have a module's compiled code kept before it plays; Python has nothing to compile.

    Raises ArchiveError where the module is refused, another RunnerError where the failure is ours.
    """
    module = find_module(code)
    if module is not None:
        find_pool(code).fetch_artifact(module.read_bytes())


def find_module(code: Path) -> Path | None:
    """The module in the folder of an upload; None where it is Python."""
    module = code / MAIN_MODULE
    return module if module.is_file() else None


def find_pool(code: Path) -> HostPool:
    """This process's hosts of modules; compiled code is kept beside the folders of uploads."""
    return _open_pool(code.parent / COMPILED)


@cache
def _open_pool(folder: Path) -> HostPool:
    return HostPool(ArtifactCache(folder))
