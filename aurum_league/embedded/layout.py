"""Where the embedded services keep their files and sockets, who owns them, and which processes the system runs."""

import hashlib
import os
import pwd
import stat
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from aurum_league.common.errors import LeagueError

PROC = Path("/proc")


@dataclass(frozen=True)
class Process:
    """One row of the process table; started is in clock ticks since boot and tells two holders of one pid apart."""

    pid: int
    state: str
    session: int
    started: int

    @property
    def is_dead(self) -> bool:
        return self.state in ("Z", "X")


def find_process(pid: int) -> Process | None:
    """None if no such process exists, or on a system without /proc."""
    try:
        text = (PROC / str(pid) / "stat").read_text()
    except OSError:
        return None
    # The command name stands in brackets and may hold spaces and brackets itself.
    fields = text[text.rindex(")") + 2 :].split()
    return Process(pid=pid, state=fields[0], session=int(fields[3]), started=int(fields[19]))


def list_processes() -> list[Process]:
    if not PROC.is_dir():
        return []
    found = (find_process(int(entry.name)) for entry in PROC.iterdir() if entry.name.isdigit())
    return [process for process in found if process is not None]


def works_in(pid: int, folder: Path) -> bool:
    try:
        return os.readlink(PROC / str(pid) / "cwd") == str(folder.resolve())
    except OSError:
        return False


def wait_until(condition: Callable[[], bool], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


# The shortest limit on a socket's path (macOS: 104 bytes with the closing zero; Linux: 108).
LONGEST_SOCKET_PATH = 103
POSTGRES_PORT = 5432
POSTGRES_SOCKET = f".s.PGSQL.{POSTGRES_PORT}"
VALKEY_SOCKET = "valkey.sock"
OWNER_ROLE = "aurum"
SITE_ROLE = "aurum_site"
"""The site runs as the lesser of the two: what it wrote once it cannot change (operations/database.py)."""

DATABASE = "aurum"
SECONDS_TO_GIVE_AWAY = 5


@dataclass(frozen=True)
class Owner:
    """The system user that the services run as."""

    name: str
    uid: int
    gid: int


@dataclass(frozen=True)
class Wanted:
    """Which of the services are ours to run: one whose address is set in the environment is not."""

    postgres: bool = True
    valkey: bool = True


@dataclass(frozen=True)
class Layout:
    services: Path
    run: Path
    owner: Owner
    must_drop: bool

    @property
    def postgres(self) -> Path:
        return self.services / "postgres"

    @property
    def valkey(self) -> Path:
        return self.services / "valkey"

    @property
    def valkey_socket(self) -> Path:
        return self.run / VALKEY_SOCKET

    @property
    def drop(self) -> dict[str, int | list[int]]:
        """Arguments for subprocess that run a program as the owner."""
        if not self.must_drop:
            return {}
        return {"user": self.owner.uid, "group": self.owner.gid, "extra_groups": []}


def find_layout(data: Path, runtime: str = "") -> Layout:
    """Decides every path without touching the disk; runtime is the system's folder for sockets, if it has one."""
    owner, must_drop = _find_owner()
    digest = hashlib.sha256(os.fsencode(data)).hexdigest()[:8]
    services = data / "services"
    if must_drop and not can_reach(data, owner):
        services = Path("/var/tmp") / f"aurum-{os.geteuid()}-{digest}"
    run = services / "run"
    # Postgres' clients take a comma for the end of the first of several hosts.
    if len(os.fsencode(run / POSTGRES_SOCKET)) > LONGEST_SOCKET_PATH or "," in str(run):
        run = Path(f"/tmp/aurum-{os.geteuid()}-{digest}")
        if runtime and not must_drop:
            run = Path(runtime) / f"aurum-{digest}"
    return Layout(services, run, owner, must_drop)


def make_folders(layout: Layout) -> None:
    try:
        layout.services.parent.mkdir(parents=True, exist_ok=True)
        for folder in (layout.services, layout.run, layout.valkey):
            _make_private_folder(folder, layout)
    except OSError as error:
        raise LeagueError(
            "data_folder_unwritable",
            "The folder %(folder)s cannot be used: %(error)s.",
            "Free some space or point AURUM_DATA at a folder you may write to.",
            folder=error.filename or layout.services,
            error=error.strerror,
        ) from error


def can_reach(path: Path, owner: Owner) -> bool:
    """Whether the owner may pass through every folder down to the path (folders still to be made count as passable)."""
    return all(_can_enter(folder, owner) for folder in (path, *path.parents) if folder.exists())


def _can_enter(folder: Path, owner: Owner) -> bool:
    status = folder.stat()
    if status.st_uid == owner.uid:
        return bool(status.st_mode & stat.S_IXUSR)
    if status.st_gid == owner.gid:
        return bool(status.st_mode & stat.S_IXGRP)
    return bool(status.st_mode & stat.S_IXOTH)


def _find_owner() -> tuple[Owner, bool]:
    if os.geteuid() != 0:
        return _look_up(os.geteuid()), False
    for name in ("postgres", "nobody"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return Owner(entry.pw_name, entry.pw_uid, entry.pw_gid), True
    raise LeagueError(
        "no_service_user",
        "Postgres refuses to run as root, and this system has neither a user postgres nor a user nobody.",
        "Run as an ordinary user, or set DATABASE_URL and REDIS_URL.",
    )


def _look_up(uid: int) -> Owner:
    try:
        entry = pwd.getpwuid(uid)
    except KeyError:
        raise LeagueError(
            "user_unknown",
            "The user id %(uid)s has no entry in the system's user list, and Postgres refuses to run as such a user.",
            "Run as a named user, or set DATABASE_URL and REDIS_URL.",
            uid=uid,
        ) from None
    return Owner(entry.pw_name, entry.pw_uid, entry.pw_gid)


def _make_private_folder(folder: Path, layout: Layout) -> None:
    try:
        folder.mkdir(mode=0o700)
        if layout.must_drop:
            os.chown(folder, layout.owner.uid, layout.owner.gid)
    except FileExistsError:
        # Another start may have made it a moment ago, and be about to give it to its owner.
        if folder.lstat().st_uid == os.geteuid():
            wait_until(lambda: folder.lstat().st_uid == layout.owner.uid, SECONDS_TO_GIVE_AWAY)
        status = folder.lstat()
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != layout.owner.uid:
            raise LeagueError(
                "data_folder_taken",
                "%(folder)s exists already and does not belong to %(owner)s.",
                "Remove it or point AURUM_DATA at another folder.",
                folder=folder,
                owner=layout.owner.name,
            ) from None
