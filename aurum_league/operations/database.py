"""The database beside Django: its two roles, of which the site's cannot rewrite the past, backup and restore.

What happened is kept by Postgres itself, not by our code: the role that the site runs as has no right to change or
delete an event, a result or an earlier version of one. A further version of a result is made by one function of the
owner's (games/migrations), which keeps the one before. A backup is one file with everything but what opens doors.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.db import connection
from psycopg import sql

from aurum_league.common.errors import LeagueError
from aurum_league.embedded.binaries import find_postgres
from aurum_league.embedded.postgres import read_major
from aurum_league.settings.connections import read_layout, read_wanted
from aurum_league.settings.environment import read_choice

KEPT: dict[str, str] = {
    "tournaments_tournamentevent": "SELECT, INSERT",
    "aurum_league_siteevent": "SELECT, INSERT",
    "games_matchresult": "SELECT, INSERT",
    "games_resultversion": "SELECT",
    "games_archive": "SELECT",
    "django_migrations": "SELECT",
}
"""What the site may do with tables whose rows stay as they are; with all others it may do everything but TRUNCATE."""

OF_THE_OWNER = ("USER", "PASSWORD", "HOST", "PORT")


@contextmanager
def as_owner() -> Iterator[None]:
    """Inside, this thread speaks to the database as the owner of its tables."""
    given = connection.settings_dict
    known: dict[str, Any] = dict(settings.DATABASE_OWNER)
    owner = {name: known[name] for name in OF_THE_OWNER}
    before = {name: given[name] for name in OF_THE_OWNER}
    if before == owner:
        yield
        return
    connection.close()
    given.update(owner)
    try:
        yield
    finally:
        connection.close()
        given.update(before)


def grant_site_role() -> bool:
    """Give the site's role its rights, and no more, as the owner; False where the site runs as the owner itself."""
    role = settings.DATABASE_SITE_ROLE
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")
        if not role or cursor.fetchone()[0] == role:
            return False
        cursor.execute("SELECT rolsuper FROM pg_roles WHERE rolname = %s", [role])
        found = cursor.fetchone()
        if found is None:
            _make_role(cursor, role)
        elif found[0]:
            raise LeagueError(
                "role_too_mighty",
                "The role %(role)s, as which the site would run, is a superuser.",
                "Name another role in DATABASE_URL.",
                role=role,
            )
        for statement in _list_grants(cursor, role):
            cursor.execute(statement)
    return True


def _make_role(cursor: Any, role: str) -> None:
    password = settings.DATABASES["default"].get("PASSWORD") or None
    statement = sql.SQL("CREATE ROLE {} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE").format(sql.Identifier(role))
    if password:
        statement += sql.SQL(" PASSWORD {}").format(sql.Literal(password))
    try:
        cursor.execute(statement)
    except psycopg.errors.InsufficientPrivilege:
        raise LeagueError(
            "no_site_role",
            "There is no role %(role)s, and the owner may not make one.",
            "Have it made: CREATE ROLE %(role)s LOGIN PASSWORD '…', then migrate again.",
            role=role,
        ) from None


def _list_grants(cursor: Any, role: str) -> Iterator[sql.Composed]:
    """In one transaction each is seen only with all others; tables that a migration made lately are among them."""
    to = {"role": sql.Identifier(role), "database": sql.Identifier(connection.settings_dict["NAME"])}
    for text in (
        "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
        "GRANT CONNECT ON DATABASE {database} TO {role}",
        "GRANT USAGE ON SCHEMA public TO {role}",
        "REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {role}",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role}",
        "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {role}",
    ):
        yield sql.SQL(text).format(**to)
    cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    there = {name for (name,) in cursor.fetchall()}
    for table, rights in KEPT.items():
        if table in there:
            named = {**to, "table": sql.Identifier(table), "rights": sql.SQL(rights)}
            yield sql.SQL("REVOKE ALL ON {table} FROM {role}").format(**named)
            yield sql.SQL("GRANT {rights} ON {table} TO {role}").format(**named)


def list_loose_tables() -> list[str]:
    """Of the tables whose rows must stay, those that the role we speak as now could change all the same."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT name FROM unnest(%s::text[], %s::text[]) AS kept (name, rights)
            WHERE to_regclass(name) IS NOT NULL AND (
                has_table_privilege(name, 'UPDATE, DELETE, TRUNCATE')
                OR (rights NOT LIKE '%%INSERT%%' AND has_table_privilege(name, 'INSERT'))
            )
            """,
            [list(KEPT), list(KEPT.values())],
        )
        return [name for (name,) in cursor.fetchall()]


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
    except OSError as error:
        with suppress(OSError):
            file.unlink()
        sentence, mend = "%(file)s cannot be written: %(error)s.", "Name a file in a folder that is there and has room."
        raise LeagueError("no_file", sentence, mend, file=file, error=error.strerror) from None
    except BaseException:
        file.unlink(missing_ok=True)
        raise


def restore_backup(database: Mapping[str, Any], file: Path) -> None:
    """Fill an empty database, all or nothing; one that holds tables is left alone."""
    if not file.is_file():
        raise LeagueError("no_file", "There is no file %(file)s.", file=file)
    try:
        with psycopg.connect(**_parameters(database)) as connection:
            row = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone()
    except psycopg.OperationalError as error:
        reason = str(error).strip().splitlines()[0]
        mend = "Run manage.py services start, or check DATABASE_URL."
        raise LeagueError("no_database", "The database refused (%(reason)s).", mend, reason=reason) from None
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
