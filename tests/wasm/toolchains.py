"""Builds the starters with the tools of this machine; where a tool cannot be had, it says which and why."""

import hashlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

from bots.starters import STARTERS

SECONDS = 300
ASSEMBLYSCRIPT = "assemblyscript@0.28.20"
BUILT = ("c", "cpp", "zig", "rust", "assemblyscript")
"""Go is not: TinyGo comes from no package registry."""


# Python without ziglang; rustc with the target and without a linker, which Debian has in another package.
MISSING = re.compile(r"No module named|linker `\S+` not found")


class ToolMissing(Exception):
    """The sentence says what to install."""


def build_starter(language: str, folder: Path) -> bytes:
    """The module, built once for each source and command and kept in `folder`."""
    starter = STARTERS[language]
    source = starter.read_source("bot", f"bot.{starter.ending}")
    digest = hashlib.sha256(f"{starter.build}\n{source}".encode()).hexdigest()[:16]
    place = folder / f"{language}-{digest}"
    if not (place / "bot.wasm").exists():
        place.mkdir(parents=True, exist_ok=True)
        (place / f"bot.{starter.ending}").write_text(source, encoding="utf-8")
        command = _find_tool(language, starter.tell_build("bot", f"bot.{starter.ending}").split(), folder)
        run_tool(command, place)
    return (place / "bot.wasm").read_bytes()


def _find_tool(language: str, command: list[str], folder: Path) -> list[str]:
    """The documented command, with the tool that is here."""
    if command[:3] == ["python", "-m", "ziglang"]:
        return [sys.executable, *command[1:]]
    if language == "rust":
        return [_find_rustc(), *command[1:]]
    asc = _find_asc(folder / "assemblyscript")
    return [asc, *command[command.index("asc") + 1 :]]


def _find_rustc() -> str:
    """The first that has the target: one from rustup may stand before the system's."""
    for rustc in filter(None, (shutil.which("rustc"), shutil.which("rustc", path="/usr/bin"))):
        asked = [rustc, "--print", "target-libdir", "--target", "wasm32-unknown-unknown"]
        found = subprocess.run(asked, capture_output=True, text=True, timeout=SECONDS)
        if found.returncode == 0 and any(Path(found.stdout.strip()).glob("libcore-*")):
            return rustc
    raise ToolMissing("no rustc here has the target wasm32-unknown-unknown (Debian: libstd-rust-dev-wasm32, lld)")


def _find_asc(folder: Path) -> str:
    asc = shutil.which("asc") or str(folder / "node_modules" / ".bin" / "asc")
    if not Path(asc).exists():
        npm = shutil.which("npm")
        if npm is None:
            raise ToolMissing("there is no npm to get AssemblyScript with")
        folder.mkdir(parents=True, exist_ok=True)
        run_tool([npm, "install", "--no-audit", "--no-fund", "--prefix", str(folder), ASSEMBLYSCRIPT], folder)
    return asc


def run_tool(command: list[str], folder: Path) -> None:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ToolMissing(f"{command[0]} could not be run: {error}") from error
    if done.returncode != 0:
        is_tool_missing = MISSING.search(done.stderr) is not None or command[1:2] == ["install"]
        told = f"{' '.join(command)}: {done.stderr[-2000:]}"
        raise ToolMissing(told) if is_tool_missing else AssertionError(told)
