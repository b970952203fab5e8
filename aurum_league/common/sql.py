"""SQL of our own: connections that wait for no answer for ever, statements planned once, rows that stay, many reads."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pgtrigger
import psycopg
from django.conf import settings
from django.db import connection, transaction
from django.db.backends.signals import connection_created
from django.db.backends.utils import CursorWrapper
from django.dispatch import receiver
from psycopg import Cursor
from psycopg.errors import _WaitTimeout

REFUSE_CHANGE = """
    RAISE EXCEPTION '% keeps what was written', TG_TABLE_NAME USING ERRCODE = 'check_violation';
"""
"""What a trigger does before a row is changed or deleted that nobody may change or delete."""


def refuse_change(name: str, operation: Any = pgtrigger.Update | pgtrigger.Delete, **when: Any) -> pgtrigger.Trigger:
    """A trigger that keeps rows as they were written, whoever speaks to the database; `when` narrows it down."""
    return pgtrigger.Trigger(name=name, when=pgtrigger.Before, operation=operation, func=REFUSE_CHANGE, **when)


def needs_parents(**tables: str) -> tuple[pgtrigger.Trigger, ...]:
    """What a foreign key does, once a statement: the rows that these columns name are there, whoever writes.

    For tables of which thousands of rows are written at once; the other half is `keeps_children` of the parent.
    """
    missing = " ".join(
        f"""
        IF EXISTS (SELECT FROM new_rows AS one
                   WHERE NOT EXISTS (SELECT FROM {table} AS parent WHERE parent.id = one.{column})) THEN
            RAISE EXCEPTION '% names a row of {table} that is not there', TG_TABLE_NAME
            USING ERRCODE = 'foreign_key_violation';
        END IF;"""
        for column, table in tables.items()
    )
    added = pgtrigger.Trigger(
        name="needs_parents",
        level=pgtrigger.Statement,
        when=pgtrigger.After,
        operation=pgtrigger.Insert,
        referencing=pgtrigger.Referencing(new="new_rows"),
        func=f"{missing} RETURN NULL;",
    )
    missing_one = " ".join(
        f"""
        IF NEW.{column} <> OLD.{column} AND NOT EXISTS (SELECT FROM {table} WHERE id = NEW.{column}) THEN
            RAISE EXCEPTION '% names a row of {table} that is not there', TG_TABLE_NAME
            USING ERRCODE = 'foreign_key_violation';
        END IF;"""
        for column, table in tables.items()
    )
    changed = pgtrigger.Trigger(
        name="needs_parent",
        when=pgtrigger.Before,
        operation=pgtrigger.UpdateOf(*tables),
        func=f"{missing_one} RETURN NEW;",
    )
    return added, changed


def keeps_children(table: str, column: str) -> pgtrigger.Trigger:
    """No row goes while rows of this table name it, as a foreign key would have it."""
    return pgtrigger.Trigger(
        name=f"keeps_{table}",
        level=pgtrigger.Statement,
        when=pgtrigger.After,
        operation=pgtrigger.Delete,
        referencing=pgtrigger.Referencing(old="old_rows"),
        func=f"""
            IF EXISTS (SELECT FROM {table} AS child JOIN old_rows ON child.{column} = old_rows.id) THEN
                RAISE EXCEPTION '% is still named by {table}', TG_TABLE_NAME USING ERRCODE = 'foreign_key_violation';
            END IF;
            RETURN NULL;
        """,
    )


def array_text(values: Sequence[int]) -> str:
    """Numbers as the text of an array: thousands of them cost a tenth of what the driver takes for a list."""
    return "{" + ",".join(map(str, values)) + "}"


class PreparedCursor(Cursor[Any]):
    """Sends parameters apart from the statement; Django's own cursor writes them into it, so that no two are alike."""

    def execute(self, query: Any, params: Any = None, **options: Any) -> "PreparedCursor":
        super().execute(query, params, **{**options, "prepare": True})
        if connection.queries_logged:
            # Where Django looks for what was asked.
            self._query = self._convert_query(query, params)
        return self


@contextmanager
def prepared_cursor() -> Iterator[CursorWrapper]:
    """As `connection.cursor()`, counted and checked alike; planning took longer than the statements themselves."""
    with connection.cursor() as plain:
        # Django forbids what it never uses: its own cursors cannot prepare.
        plain.connection.prepare_threshold = 0
        wrap: Any = connection.make_debug_cursor if connection.queries_logged else connection.make_cursor
        with wrap(PreparedCursor(plain.connection)) as cursor:
            yield cursor


def execute_together(cursor: Any, *statements: str, params: Any = None) -> list[list[tuple[Any, ...]]]:
    """The rows of each statement, by one exchange with a server that may be far; outside a transaction it is one."""
    cursor.execute(";".join(statements), params)
    rows = list[list[tuple[Any, ...]]]()
    while True:
        rows.append(cursor.fetchall() if cursor.description else [])
        if not cursor.nextset():
            return rows


@contextmanager
def one_snapshot() -> Iterator[None]:
    """One state of the database for many reads; within a transaction of the caller's, whatever that one sees."""
    is_outermost = not connection.in_atomic_block
    with transaction.atomic():
        if is_outermost:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


GRACE_SECONDS = 5.0
"""By then the server itself has given a statement up, if it lives."""

LOOK_SECONDS = 0.1


class BoundedConnection(psycopg.Connection[Any]):
    """Gives up, and hangs up, where no answer comes within the time for a statement and a little more."""

    def wait(self, gen: Generator[Any, Any, Any], interval: float = LOOK_SECONDS, timeout: float | None = None) -> Any:
        try:
            return super().wait(gen, interval, timeout or settings.STATEMENT_SECONDS + GRACE_SECONDS)
        except _WaitTimeout:
            if timeout is not None:
                raise
            # Else the rollback of whoever asked would wait as long.
            self.pgconn.finish()
            raise psycopg.OperationalError("Postgres did not answer in time.") from None


@receiver(connection_created)
def bound_waits(connection: Any, **details: object) -> None:
    """Django lets nobody choose the class of its connections; this one has no more than the methods above."""
    if type(connection.connection) is psycopg.Connection:
        connection.connection.__class__ = BoundedConnection
