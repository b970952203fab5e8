"""Compiling an upload in a confined process with limits of its own; compiled modules are kept by hash."""

import hashlib
import os
import platform
import secrets
import stat
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from aurum_league.common.errors import N_
from bots.runners.budget import Limits
from bots.runners.launchers import Launcher
from bots.runners.verdict import ArchiveError, Fault, LaunchError, Verdict
from bots.runners.wasm.host_process import HostProcess
from bots.runners.wasm.interface import (
    INTERFACE,
    MARKED,
    MEGABYTE,
    MESSAGE,
    Order,
    Outcome,
    is_module,
    read_module_hash,
)

LARGEST_MODULE = 2 * MEGABYTE
LARGEST_ARTIFACT = 32 * MEGABYTE
COMPILE_CPU = 10.0
COMPILE_MEMORY = 512 * MEGABYTE
PATIENCE = 120.0
LONGEST_REASON = 500
# The kernel counts whole seconds, and from the soft limit on gives one more.
COMPILE_LIMITS = Limits(memory=COMPILE_MEMORY, start_cpu=0.0, decision_cpu=0.0, bank_cpu=COMPILE_CPU - 1)


@dataclass(frozen=True)
class Artifact:
    """Machine code of a module, after the mark of the export that it is asked by."""

    content: bytes

    @property
    def reads_json(self) -> bool:
        return MARKED.get(self.content[:1]) == MESSAGE


def compile_module(module: bytes, launcher: Launcher, limits: Limits = COMPILE_LIMITS) -> Artifact:
    """Raises ArchiveError with what is wrong with the module, LaunchError where it is ours."""
    if len(module) > LARGEST_MODULE:
        raise ArchiveError(
            "archive_too_large", N_("The upload is larger than %(number)s MB."), number=LARGEST_MODULE // MEGABYTE
        )
    # wasmtime would take the text format too, which has another parser to attack.
    if not is_module(module):
        raise ArchiveError("wasm_malformed", N_("The file is no WebAssembly: it does not begin with \\0asm."))
    host = HostProcess(launcher, limits)
    try:
        host.wait_until_confined()
        reply = host.exchange(Order.COMPILE, module, cpu=2.0 * limits.cpu_seconds, patience=PATIENCE)
    except Fault as fault:
        raise _explain(fault, limits) from fault
    finally:
        host.close()
    if reply.outcome != Outcome.OK:
        code, _, reason = reply.answer.decode(errors="replace").partition("\n")
        raise ArchiveError(code, "%(sentence)s", sentence=_tidy(reason))
    if len(reply.answer) > LARGEST_ARTIFACT:
        raise ArchiveError(
            "wasm_compile_memory",
            N_("The module becomes more than %(number)s MB of machine code."),
            number=LARGEST_ARTIFACT // MEGABYTE,
        )
    return Artifact(reply.answer)


def _explain(fault: Fault, limits: Limits) -> Exception:
    """How the compiler's process ended, in the author's terms."""
    if fault.verdict is Verdict.TIMEOUT_CPU:
        seconds = limits.cpu_seconds
        return ArchiveError(
            "wasm_compile_time", N_("Compiling takes more than %(number)s s of CPU time."), number=seconds
        )
    if fault.verdict is Verdict.PLATFORM:
        return LaunchError(fault.detail)
    allowed = limits.memory // MEGABYTE
    return ArchiveError(
        "wasm_compile_memory", N_("Compiling takes more than %(number)s MB, or all of the stack."), number=allowed
    )


def _tidy(reason: str) -> str:
    """One line, without the causes' numbers that wasmtime adds."""
    return " ".join(reason.split())[:LONGEST_REASON]


PRIVATE = 0o700
DIGEST = hashlib.sha256().digest_size
SETTINGS = 1
"""Raised with every change of the engine's settings: machine code made under others must not be loaded."""


def name_engine() -> str:
    """What an artifact depends on besides its module."""
    return f"wasmtime-{version('wasmtime')}-{platform.machine()}-{SETTINGS}.{INTERFACE}"


class ArtifactCache:
    """Machine code is trusted because of where it lies: a folder of another owner, or open to others, is refused."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._engine = name_engine()

    def fetch(self, module: bytes, launcher: Launcher) -> Artifact:
        """From the folder, or compiled now and kept. Raises what `compile_module` raises."""
        path = self._path_of(read_module_hash(module))
        kept = self._read(path)
        if kept is None:
            kept = compile_module(module, launcher)
            self._keep(path, kept)
        return kept

    def has(self, digest: str) -> bool:
        return self._path_of(digest).exists()

    def drop(self, module: bytes) -> None:
        """So that the next fetch compiles it again."""
        self._path_of(read_module_hash(module)).unlink(missing_ok=True)

    def _path_of(self, digest: str) -> Path:
        return self._folder / f"{digest}.{self._engine}"

    def _read(self, path: Path) -> Artifact | None:
        """None where it is not there, or not whole."""
        self._require_private()
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            return None
        digest, body = content[:DIGEST], content[DIGEST:]
        return Artifact(body) if hashlib.sha256(body).digest() == digest else None

    def _keep(self, path: Path, artifact: Artifact) -> None:
        """Written beside and renamed: a file of that name is always whole."""
        draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
        try:
            draft.write_bytes(hashlib.sha256(artifact.content).digest() + artifact.content)
            draft.rename(path)
        except OSError as error:
            with suppress(OSError):
                draft.unlink()
            raise LaunchError(f"a compiled module could not be kept: {error}.") from error

    def _require_private(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True, mode=PRIVATE)
        found = self._folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or stat.S_IMODE(found.st_mode) & 0o022:
            raise LaunchError(f"the folder of compiled modules, {self._folder}, can be written by others.")
