"""The embedded Postgres: made, started, repaired after a crash and stopped, on a unix socket only."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import psycopg
from psycopg import sql

from aurum_league.common.errors import LeagueError
from aurum_league.embedded.binaries import PostgresPrograms, find_postgres
from aurum_league.embedded.layout import (
    DATABASE,
    OWNER_ROLE,
    POSTGRES_PORT,
    POSTGRES_SOCKET,
    PROC,
    SITE_ROLE,
    Layout,
    find_process,
    list_processes,
    wait_until,
    works_in,
)

SECONDS_TO_START = "60"
BUILTIN_LOCALE_SINCE = 17
OPTIONS_AT_INITDB_SINCE = 16

CONFIGURATION = """\
# Written anew at each start; use ALTER SYSTEM for settings of your own.
listen_addresses = ''
port = {port}
unix_socket_directories = '"{run}"'
unix_socket_permissions = 0700
dynamic_shared_memory_type = mmap
max_connections = 200
shared_buffers = 128MB
log_timezone = 'UTC'
timezone = 'UTC'
"""


def start_postgres(layout: Layout, prefer: str) -> None:
    """Returns once the server answers and the database exists, at once if it runs already. Needs the start lock."""
    if not is_postgres_running(layout):
        programs = find_postgres(layout, prefer, read_major(layout))
        if not layout.postgres.exists():
            _make_cluster(layout, programs)
        _write_configuration(layout)
        _clear_dead_postmaster(layout)
        _start_server(layout, programs)
    _make_database(layout)


def stop_postgres(layout: Layout, prefer: str) -> None:
    if find_postmaster(layout) is None:
        return
    programs = find_postgres(layout, prefer, read_major(layout))
    _run(layout, [programs.folder / "pg_ctl", "-D", layout.postgres, "-m", "fast", "-w", "-t", "60", "stop"])


def is_postgres_running(layout: Layout) -> bool:
    if not (layout.run / POSTGRES_SOCKET).exists():
        return False
    try:
        _connect(layout).close()
    except psycopg.OperationalError:
        return False
    return True


def read_major(layout: Layout) -> int | None:
    """The major version that made the data folder, None if there is none yet."""
    try:
        return int((layout.postgres / "PG_VERSION").read_text())
    except FileNotFoundError:
        return None


def _connect(layout: Layout) -> psycopg.Connection:
    return psycopg.connect(
        host=str(layout.run), port=POSTGRES_PORT, user=OWNER_ROLE, dbname="postgres", autocommit=True, connect_timeout=5
    )


def _make_cluster(layout: Layout, programs: PostgresPrograms) -> None:
    """Made beside its place and renamed into it, so that an interrupted start leaves nothing half made."""
    fresh = layout.services / "postgres.new"
    shutil.rmtree(fresh, ignore_errors=True)
    options = ["-U", OWNER_ROLE, "-E", "UTF8", "--auth=trust", "--no-instructions", "--no-sync"]
    if programs.major >= BUILTIN_LOCALE_SINCE:
        options += ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
    else:
        options += ["--no-locale"]
    if programs.major >= OPTIONS_AT_INITDB_SINCE:
        options += ["-c", "dynamic_shared_memory_type=mmap"]
    try:
        _run(layout, [programs.folder / "initdb", "-D", fresh, *options])
        fresh.rename(layout.postgres)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _write_configuration(layout: Layout) -> None:
    run = str(layout.run).replace("'", "''").replace('"', '""')
    file = layout.postgres / "postgresql.conf"
    file.write_text(CONFIGURATION.format(run=run, port=POSTGRES_PORT))
    if layout.must_drop:
        os.chown(file, layout.owner.uid, layout.owner.gid)


def find_postmaster(layout: Layout) -> int | None:
    """The pid of a postmaster that really serves this folder: not a zombie, not another holder of the pid."""
    try:
        pid = int((layout.postgres / "postmaster.pid").read_text().split()[0])
    except (FileNotFoundError, IndexError, ValueError):
        return None
    if not PROC.is_dir():
        return pid
    process = find_process(pid)
    if process is None or process.is_dead or not works_in(pid, layout.postgres):
        return None
    return pid


def _clear_dead_postmaster(layout: Layout) -> None:
    """Postgres takes a zombie, or a stranger with the old pid, for a live server; both its lock files must go."""
    if find_postmaster(layout) is not None:
        return
    # Backends outlive a killed postmaster by moments and still write to the folder.
    wait_until(lambda: not any(works_in(process.pid, layout.postgres) for process in list_processes()), 10)
    (layout.postgres / "postmaster.pid").unlink(missing_ok=True)
    (layout.run / f"{POSTGRES_SOCKET}.lock").unlink(missing_ok=True)


def _start_server(layout: Layout, programs: PostgresPrograms) -> None:
    log = layout.services / "postgres.log"
    # Names relative to the working folder: pg_ctl hands them to a shell, between quotes that a path may hold too.
    options = ["-D", layout.postgres.name, "-l", log.name, "-w", "-t", SECONDS_TO_START]
    try:
        _run(layout, [programs.folder / "pg_ctl", *options, "start"])
    except LeagueError as error:
        reason = _last_line(log) or error.message
        raise LeagueError(
            "postgres_failed", "Postgres did not start: %(reason)s", "Its log is %(log)s.", reason=reason, log=log
        ) from error


def _make_database(layout: Layout) -> None:
    with _connect(layout) as connection:
        exists = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone()
        if not exists:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))
        # Folders of earlier versions lack it; migrating grants it what the site may do.
        if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [SITE_ROLE]).fetchone():
            connection.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(SITE_ROLE)))


def _run(layout: Layout, command: list[str | Path]) -> None:
    """Output goes to a file: a server that inherits a pipe would keep its reader waiting for ever."""
    with tempfile.TemporaryFile("w+") as output:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd=layout.services,
            env=_clean_environment(),
            start_new_session=True,
            check=False,
            **layout.drop,  # type: ignore[call-overload]
        )
        output.seek(0)
        lines = [line.strip() for line in output if line.strip()]
    if done.returncode:
        errors = [line for line in lines if "error" in line.lower() or "fatal" in line.lower()]
        reason = (errors or lines or [f"exit code {done.returncode}"])[-1]
        raise LeagueError("postgres_failed", "%(name)s failed: %(reason)s.", name=Path(command[0]).name, reason=reason)


def _clean_environment() -> dict[str, str]:
    """A user's locale may not exist here, and a PGPORT or PGDATA of theirs would win over ours."""
    return {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}


def _last_line(file: Path) -> str:
    try:
        lines = file.read_text(errors="replace").strip().splitlines()
    except OSError:
        return ""
    fatal = [line for line in lines[-20:] if "FATAL" in line or "PANIC" in line]
    return (fatal or lines or [""])[-1]
