"""Migrations that an upgrade runs beside the old version: none may lock a large table or break what still runs."""

import io
import re

import psycopg
import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.db.migrations import RunSQL
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.migration import Migration
from django.db.migrations.state import ProjectState

from aurum_league.management.commands import migrate
from aurum_league.management.commands.makemigrations import NamelessAutodetector
from games.models import Match

APPS = ("aurum_league", "games", "bots", "tournaments")
INITIAL = 1
"""Makes empty tables, which nobody waits for."""

CREATED = re.compile(r'CREATE TABLE (?:IF NOT EXISTS )?"(\w+)"')
TABLE = re.compile(r'\b(?:ON|TABLE(?: IF EXISTS)?(?: ONLY)?|REINDEX TABLE|CLUSTER|VACUUM FULL|UPDATE) "?(\w+)"?', re.I)

RULES: dict[str, str] = {
    r"CREATE (UNIQUE )?INDEX (?!CONCURRENTLY)": "builds an index while nobody can write: use AddIndexConcurrently",
    r"DROP INDEX (?!CONCURRENTLY)": "waits for everybody before it drops an index: use RemoveIndexConcurrently",
    r"ALTER COLUMN \S+ TYPE": "writes the table anew: add a column, copy in batches, then drop the old one",
    r"ALTER COLUMN \S+ SET NOT NULL": "reads the whole table under a lock: add a NOT VALID check first",
    r"ADD COLUMN (?:(?!DEFAULT).)*\bNOT NULL(?!.*DEFAULT)": "adds a column that old rows cannot have: give a default",
    r"DEFAULT \(?(now|clock_timestamp|random|gen_random_uuid|uuid_generate_v4|nextval)\(": "writes the table anew",
    r"ADD COLUMN .*GENERATED .*(STORED|IDENTITY)": "writes the table anew",
    r"ADD CONSTRAINT \S+ (UNIQUE|EXCLUDE|PRIMARY)": "builds an index under a lock: build it first, then use it",
    r"ADD CONSTRAINT \S+ (CHECK|FOREIGN)(?!.*NOT VALID)": "checks every row under a lock: add it NOT VALID",
    r"RENAME (COLUMN|TO)": "breaks the version that still runs: add, copy, and drop in the release after",
    r"^(LOCK|CLUSTER|VACUUM FULL|REINDEX (?!.*CONCURRENTLY))": "locks the table",
}


def find_locks(sql: str) -> list[str]:
    """A sentence for each statement that locks; tables that the same migration creates are empty and do not count."""
    created = set(CREATED.findall(sql))
    found = []
    for statement in _split(sql):
        table = TABLE.search(statement)
        if table and table.group(1) in created:
            continue
        found += [f"{_shorten(statement)}: {why}" for rule, why in RULES.items() if re.search(rule, statement, re.I)]
    return found


def _split(sql: str) -> list[str]:
    """Statements, without comments; the bodies of functions hold no statements on tables of ours."""
    lines = [line for line in sql.splitlines() if not line.lstrip().startswith("--")]
    text = re.sub(r"\$(\w*)\$.*?\$\1\$", "", "\n".join(lines), flags=re.S)
    return [" ".join(statement.split()) for statement in text.split(";") if statement.strip()]


def _shorten(statement: str) -> str:
    return statement if len(statement) <= 90 else f"{statement[:90]}…"


def list_later_migrations() -> list[tuple[str, str]]:
    found = MigrationLoader(None).disk_migrations
    ours = [(app, name) for app, name in found if app in APPS]
    return sorted((app, name) for app, name in ours if int(name[:4]) > INITIAL)


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        pytest.param('CREATE INDEX "i" ON "games_match" ("a")', "builds an index", id="index"),
        pytest.param('CREATE UNIQUE INDEX "i" ON "games_match" ("a")', "builds an index", id="unique index"),
        pytest.param('CREATE INDEX CONCURRENTLY "i" ON "games_match" ("a")', "", id="index built beside the site"),
        pytest.param('DROP INDEX IF EXISTS "i"', "waits for everybody", id="index dropped"),
        pytest.param('DROP INDEX CONCURRENTLY IF EXISTS "i"', "", id="index dropped beside the site"),
        pytest.param(
            'CREATE TABLE "new" ("id" bigint); CREATE INDEX "i" ON "new" ("id")', "", id="index of a new table"
        ),
        pytest.param('ALTER TABLE "games_match" ALTER COLUMN "a" TYPE bigint', "writes the table anew", id="type"),
        pytest.param('ALTER TABLE "games_match" ALTER COLUMN "a" SET NOT NULL', "reads the whole table", id="not null"),
        pytest.param('ALTER TABLE "games_match" ADD COLUMN "a" integer NOT NULL', "give a default", id="no default"),
        pytest.param('ALTER TABLE "games_match" ADD COLUMN "a" integer DEFAULT 1 NOT NULL', "", id="constant default"),
        pytest.param('ALTER TABLE "games_match" ADD COLUMN "a" integer NULL', "", id="empty column"),
        pytest.param(
            'ALTER TABLE "games_match" ADD COLUMN "a" uuid DEFAULT gen_random_uuid() NOT NULL',
            "writes the table anew",
            id="default that differs from row to row",
        ),
        pytest.param(
            'ALTER TABLE "games_match" ADD CONSTRAINT "c" CHECK ("a" > 1)', "checks every row", id="check of every row"
        ),
        pytest.param('ALTER TABLE "games_match" ADD CONSTRAINT "c" CHECK ("a" > 1) NOT VALID', "", id="check to come"),
        pytest.param(
            'ALTER TABLE "games_match" ADD CONSTRAINT "c" FOREIGN KEY ("a") REFERENCES "b" ("id")',
            "checks every row",
            id="foreign key",
        ),
        pytest.param('ALTER TABLE "games_match" ADD CONSTRAINT "c" UNIQUE ("a")', "builds an index", id="unique"),
        pytest.param('ALTER TABLE "games_match" RENAME COLUMN "a" TO "b"', "breaks the version", id="renamed column"),
        pytest.param("LOCK TABLE games_match", "locks the table", id="lock"),
        pytest.param("-- CREATE INDEX i ON games_match (a)\nSELECT 1", "", id="a comment"),
    ],
)
def test_what_locks_is_found(sql: str, expected: str) -> None:
    found = find_locks(sql)
    assert any(expected in one for one in found) if expected else found == []


@pytest.mark.django_db(transaction=True)
def test_no_later_migration_locks() -> None:
    """As `sqlmigrate` writes them; one that is data only has to work in batches, which people must see to."""
    wrong = {}
    for app, name in list_later_migrations():
        sql = io.StringIO()
        call_command("sqlmigrate", app, name, stdout=sql, no_color=True)
        if found := find_locks(sql.getvalue()):
            wrong[app, name] = found
    assert wrong == {}


@pytest.mark.django_db
def test_the_models_need_no_further_migration() -> None:
    connection.ensure_connection()
    call_command("makemigrations", "--check", "--dry-run", *APPS, verbosity=0)


def test_names_and_help_texts_make_no_migration(monkeypatch: pytest.MonkeyPatch) -> None:
    field = Match._meta.get_field("state")
    monkeypatch.setattr(field, "_verbose_name", "another name")
    monkeypatch.setattr(field, "help_text", "another help")
    monkeypatch.setitem(Match._meta.original_attrs, "verbose_name", "another word")
    assert find_changes() == {}
    monkeypatch.setattr(field, "max_length", 77)
    assert list(find_changes()) == ["games"]


def find_changes() -> dict[str, list[Migration]]:
    detector = NamelessAutodetector(MigrationLoader(None).project_state(), ProjectState.from_apps(apps))
    return detector.changes(graph=MigrationLoader(None).graph)


class Widening(Migration):
    """Wants a second table for itself after it has a first."""

    operations = (
        RunSQL("ALTER TABLE games_sleeper ADD COLUMN widened int"),
        RunSQL("ALTER TABLE games_heartbeat ADD COLUMN widened int"),
    )


@pytest.mark.parametrize("is_atomic", [pytest.param(True, id="whole"), pytest.param(False, id="by statements")])
@pytest.mark.django_db(transaction=True)
def test_a_migration_steps_back_for_who_holds_a_table(is_atomic: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else whoever asks for the first would wait as long as somebody reads the second; or one of them is broken off."""
    given = connection.settings_dict
    names = {"host": "HOST", "port": "PORT", "user": "USER", "password": "PASSWORD", "dbname": "NAME"}
    address = {name: given[key] for name, key in names.items() if given[key]}
    asked = "SELECT column_name FROM information_schema.columns WHERE column_name = 'widened'"
    slept = list[float]()
    try:
        with psycopg.connect(**address) as reading, psycopg.connect(**address, autocommit=True) as other:
            reading.execute("SELECT * FROM games_heartbeat")

            def look(seconds: float) -> None:
                """In the pause after it stepped back: nobody is kept from the first table, and it was not changed."""
                slept.append(seconds)
                other.execute("SET statement_timeout = 200")
                for table in ("games_sleeper", "games_heartbeat"):
                    assert other.execute(f"SELECT * FROM {table}").fetchall() == []
                assert len(other.execute(asked).fetchall()) == (0 if is_atomic else 1)
                if len(slept) == 2:
                    reading.commit()

            monkeypatch.setattr(migrate.time, "sleep", look)
            executor = migrate.PatientExecutor(connection)
            migration = Widening("widened", "games")
            migration.atomic = is_atomic  # type: ignore[misc]
            executor.apply_migration(executor.loader.project_state(), migration)
            assert other.execute(asked).fetchall() == [("widened",), ("widened",)]
        assert slept == [migrate.PAUSE_SECONDS] * 2
        with connection.cursor() as cursor:
            cursor.execute("SHOW lock_timeout")
            assert cursor.fetchone() == ("0",)
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE games_sleeper DROP COLUMN IF EXISTS widened")
            cursor.execute("ALTER TABLE games_heartbeat DROP COLUMN IF EXISTS widened")
            cursor.execute("DELETE FROM django_migrations WHERE name = 'widened'")
