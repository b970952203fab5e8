"""SQL of our own: statements planned once a connection, arrays as texts, rows that stay, many reads of one state."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pgtrigger
from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from psycopg import Cursor

REFUSE_CHANGE = """
    RAISE EXCEPTION '% keeps what was written', TG_TABLE_NAME USING ERRCODE = 'check_violation';
"""
"""What a trigger does before a row is changed or deleted that nobody may change or delete."""


def refuse_change(name: str, operation: Any = pgtrigger.Update | pgtrigger.Delete, **when: Any) -> pgtrigger.Trigger:
    """A trigger that keeps rows as they were written, whoever speaks to the database; `when` narrows it down."""
    return pgtrigger.Trigger(name=name, when=pgtrigger.Before, operation=operation, func=REFUSE_CHANGE, **when)


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


@contextmanager
def one_snapshot() -> Iterator[None]:
    """One state of the database for many reads; within a transaction of the caller's, whatever that one sees."""
    is_outermost = not connection.in_atomic_block
    with transaction.atomic():
        if is_outermost:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield
