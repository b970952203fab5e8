"""The role that the site runs as: whatever it tries, Postgres itself keeps events, results and their versions."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.db import connection

from aurum_league.embedded.layout import SITE_ROLE, Layout, Wanted, find_layout
from aurum_league.embedded.services import start_services, stop_services
from aurum_league.operations.database import KEPT, list_loose_tables
from aurum_league.settings.connections import read_wanted

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(not read_wanted().postgres, reason="the server's roles are not ours to make"),
]
CHECKOUT = Path(__file__).resolve().parents[2]
STAYS = [table for table in KEPT if table != "django_migrations"]
COLUMNS = {"games_matchresult": "lots"}
MINE = "EXECUTE FUNCTION suppress_redundant_updates_trigger()"
FORBIDDEN = [
    *(f"UPDATE {table} SET {COLUMNS.get(table, 'id')} = {COLUMNS.get(table, 'id')}" for table in STAYS),
    *(f"DELETE FROM {table}" for table in STAYS),
    *(f"TRUNCATE {table}" for table in (*STAYS, "games_match", "tournaments_rating")),
    *(f"SELECT * FROM {table} FOR UPDATE" for table in STAYS),
    *(f"ALTER TABLE {table} DISABLE TRIGGER ALL" for table in STAYS),
    *(f"DROP TABLE {table}" for table in STAYS),
    *(f"ALTER TABLE {table} OWNER TO {SITE_ROLE}" for table in STAYS),
    *(f"CREATE TRIGGER mine BEFORE UPDATE ON {table} {MINE}" for table in STAYS),
    *(f"CREATE RULE mine AS ON INSERT TO {table} DO INSTEAD NOTHING" for table in STAYS),
    "INSERT INTO games_resultversion (match_id, version, content) VALUES (1, 1, '{}')",
    "DELETE FROM django_migrations",
    "SET session_replication_role = replica",
    "SET ROLE aurum",
    "SET SESSION AUTHORIZATION aurum",
    "CREATE TABLE public.mine ()",
    "CREATE FUNCTION public.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "ALTER FUNCTION games_add_result_version(bigint, jsonb) SECURITY INVOKER",
    "CREATE SCHEMA mine",
    "CREATE ROLE mine SUPERUSER",
    f"ALTER ROLE {SITE_ROLE} SUPERUSER",
    "ALTER ROLE aurum NOLOGIN",
    "COPY games_match TO PROGRAM 'cat'",
    "SELECT pg_read_file('postgresql.conf')",
    "ALTER SYSTEM SET session_replication_role = replica",
    "UPDATE pg_class SET relname = relname",
]


@pytest.fixture
def site(django_db_setup: object) -> Iterator[psycopg.Connection]:
    """A connection as the site's own programs make it, to the database of the tests."""
    given = connection.settings_dict
    about = {"host": given["HOST"], "port": given["PORT"] or 5432, "dbname": given["NAME"], "user": SITE_ROLE}
    with psycopg.connect(**about, autocommit=True) as made:
        yield made


@pytest.mark.parametrize("statement", FORBIDDEN)
def test_is_refused_by_postgres(site: psycopg.Connection, statement: str) -> None:
    with pytest.raises((psycopg.errors.InsufficientPrivilege, psycopg.errors.CantChangeRuntimeParam)):
        site.execute(statement)


def test_may_read_and_add(site: psycopg.Connection) -> None:
    for table in KEPT:
        site.execute(f"SELECT count(*) FROM {table}")
    site.execute("UPDATE games_match SET priority = priority")
    site.execute("DELETE FROM tournaments_ratingchange WHERE false")


def test_cannot_give_itself_a_right(site: psycopg.Connection) -> None:
    for table in STAYS:
        site.execute(f"GRANT UPDATE, DELETE ON {table} TO {SITE_ROLE}")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            site.execute(f"DELETE FROM {table}")


def test_a_temporary_table_catches_no_version(site: psycopg.Connection) -> None:
    """The function that keeps a version looks into public first, whatever its caller has made before."""
    query = "SELECT prosecdef, proconfig FROM pg_proc WHERE proname = 'games_add_result_version'"
    assert site.execute(query).fetchall() == [(True, ["search_path=public, pg_temp"])]


def test_the_owner_is_told_from_the_site() -> None:
    assert set(list_loose_tables()) == {name for name in KEPT if _is_there(name)}, "tests run as the owner"


def _is_there(table: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass(%s) IS NOT NULL", [table])
        return bool(cursor.fetchone()[0])


def test_a_folder_of_an_earlier_version_is_brought_up_to_date(tmp_path: Path) -> None:
    """Embedded: the owner's tables from before there was a second role; starting and migrating makes and limits it."""
    folder = tmp_path / "data"
    layout = find_layout(folder, "")
    start_services(layout, Wanted(valkey=False))
    try:
        with _connect(layout, "aurum") as owner:
            owner.execute(f"DROP ROLE {SITE_ROLE}")
        start_services(layout, Wanted(valkey=False))
        done = subprocess.run(
            [sys.executable, "manage.py", "migrate", "-v", "0"],
            cwd=CHECKOUT,
            env={"PATH": os.environ["PATH"], "AURUM_DATA": str(folder)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        with _connect(layout, SITE_ROLE) as site:
            site.execute("SELECT count(*) FROM tournaments_tournamentevent")
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                site.execute("UPDATE tournaments_tournamentevent SET reason = ''")
    finally:
        stop_services(layout)


def _connect(layout: Layout, role: str) -> psycopg.Connection:
    return psycopg.connect(host=str(layout.run), user=role, dbname="aurum", autocommit=True)
