"""Connections to Postgres that wait for no answer for ever, whatever hangs: the server, or whatever stands before it.

A line that is cut is found out by the system (`make_postgres_waits`), a long statement by the server. A server that was
stopped in its tracks does neither: its system still says that every word has arrived.
"""

from collections.abc import Generator
from typing import Any

import psycopg
from django.conf import settings
from django.db.backends.signals import connection_created
from django.dispatch import receiver
from psycopg.errors import _WaitTimeout

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
