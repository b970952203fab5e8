"""Two roles of the database: the owner of the tables, who migrates, and the site's, which cannot rewrite the past.

What happened is kept by Postgres itself, not by our code: the role that the site runs as has no right to change or
delete an event, a result or an earlier version of one. A further version of a result is made by one function of the
owner's (games/migrations), which keeps the one before.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from django.conf import settings
from django.db import connection
from psycopg import sql

from aurum_league.common.errors import LeagueError

KEPT: dict[str, str] = {
    "tournaments_tournamentevent": "SELECT, INSERT",
    "aurum_league_siteevent": "SELECT, INSERT",
    "games_matchresult": "SELECT, INSERT",
    "games_resultversion": "SELECT",
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
