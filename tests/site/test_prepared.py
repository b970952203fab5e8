"""Statements of a table's decisions: planned once a connection, and still seen by whoever counts queries."""

import pytest
from django.db import DatabaseError, connection
from django.test.utils import CaptureQueriesContext

from aurum_league.common.sql import prepared_cursor

STATEMENT = "SELECT 'of a test'::text || %s::text"


def count_prepared() -> tuple[int, int]:
    """How often Postgres planned the statement on this connection, and how often it ran it."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*), COALESCE(sum(generic_plans + custom_plans), 0) FROM pg_prepared_statements"
            " WHERE statement LIKE %s",
            ["SELECT 'of a test'%"],
        )
        prepared, runs = cursor.fetchone()
    return int(prepared), int(runs)


@pytest.mark.django_db
def test_a_statement_is_prepared_once_and_its_parameters_are_its_own() -> None:
    told = []
    with CaptureQueriesContext(connection) as counted:
        for word in ("one", "two", "three"):
            with prepared_cursor() as cursor:
                cursor.execute(STATEMENT, [word])
                told.append(cursor.fetchone()[0])
    assert told == ["of a testone", "of a testtwo", "of a testthree"]
    assert len(counted) == 3
    assert count_prepared() == (1, 3)


@pytest.mark.django_db
def test_its_errors_are_those_of_every_cursor() -> None:
    with pytest.raises(DatabaseError), prepared_cursor() as cursor:
        cursor.execute("SELECT * FROM no_such_table", [])
