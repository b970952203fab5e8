"""Backup and restore by Postgres's own programs: one file that holds everything but what opens doors."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import psycopg

from aurum_league.common.errors import LeagueError
from aurum_league.embedded.binaries import find_postgres
from aurum_league.embedded.postgres import read_major
from aurum_league.settings.connections import read_layout, read_wanted
from aurum_league.settings.environment import read_choice

LEFT_OUT = ("aurum_league_session", "aurum_league_keptanswer")
"""Session keys are as good as passwords, and answers kept for repetition may hold a token; both can be lost."""

VARIABLES = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD", "PGDATABASE": "NAME"}


def make_backup(database: Mapping[str, Any], file: Path) -> None:
    """Write the database into a new file, while the site runs; nobody but its owner can read it.

    Where it fails, and where it is interrupted, no file is left.
    """
    if file.exists():
        raise LeagueError("file_exists", "%(file)s exists already.", "Choose another name.", file=file)
    left_out = [f"--exclude-table-data={name}" for name in LEFT_OUT]
    try:
        with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as output:
            _run(database, ["pg_dump", "--format=custom", "--no-owner", "--no-privileges", *left_out], stdout=output)
    except BaseException:
        file.unlink(missing_ok=True)
        raise


def restore_backup(database: Mapping[str, Any], file: Path) -> None:
    """Fill an empty database, all or nothing; one that holds tables is left alone."""
    if not file.is_file():
        raise LeagueError("no_file", "There is no file %(file)s.", file=file)
    with psycopg.connect(**_parameters(database)) as connection:
        row = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone()
    if row and row[0]:
        raise LeagueError("not_empty", "This database holds tables already.", "Restore into a new one.")
    name = str(database["NAME"])
    flags = ["--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error"]
    with file.open("rb") as given:
        _run(database, ["pg_restore", f"--dbname={name}", *flags], stdin=given)


def _parameters(database: Mapping[str, Any]) -> dict[str, Any]:
    names = {"host": "HOST", "port": "PORT", "user": "USER", "password": "PASSWORD", "dbname": "NAME"}
    return {name: database[key] for name, key in names.items() if database[key]}


def _run(database: Mapping[str, Any], command: list[str], **streams: Any) -> None:
    given = {name: str(database[key]) for name, key in VARIABLES.items() if database[key]}
    environment = {"PATH": os.pathsep.join(os.get_exec_path()), "LC_ALL": "C", **given}
    done = subprocess.run(
        [find_program(command[0]), *command[1:]], env=environment, stderr=subprocess.PIPE, check=False, **streams
    )
    if done.returncode:
        reason = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or ["no reason given"]
        raise LeagueError("backup_failed", "%(name)s failed: %(reason)s", name=command[0], reason=reason[0])


def find_program(name: str) -> str:
    """Beside the embedded server where that is in use, else the system's."""
    if read_wanted().postgres:
        layout, prefer = read_layout(), read_choice("AURUM_EMBEDDED", "wheels", "system")
        return str(find_postgres(layout, prefer, read_major(layout)).folder / name)
    found = shutil.which(name)
    if found is None:
        raise LeagueError(
            "no_program", "%(name)s was not found.", "Install the client programs of your Postgres.", name=name
        )
    return found
