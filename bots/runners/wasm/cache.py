"""Compiled modules, kept by the hash of the module and the engine that compiled it, in a folder only we write."""

import hashlib
import os
import platform
import secrets
import stat
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from bots.runners.errors import LaunchError
from bots.runners.launchers import Launcher
from bots.runners.wasm.compiler import Artifact, compile_module
from bots.runners.wasm.interface import INTERFACE
from bots.runners.wasm.module import read_module_hash

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
