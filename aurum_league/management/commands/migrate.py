"""Django's migrate as the owner of the tables, while the site plays: it steps back where others hold what it wants.

It misses no migration where only names and help texts changed.
"""

import time
from typing import Any

from django.core.management.commands import migrate
from django.db import OperationalError, transaction
from django.db.migrations.executor import MigrationExecutor
from psycopg.errors import DeadlockDetected, LockNotAvailable

from aurum_league.management.commands.makemigrations import NamelessAutodetector
from aurum_league.operations.database import as_owner, grant_site_role

MOST_WAIT = "100ms"
"""Far less than the second after which Postgres looks for a deadlock: the site is seldom the one broken off."""

TRIES, PAUSE_SECONDS = 120, 0.5


class PatientExecutor(MigrationExecutor):
    """A migration of several tables holds the first while it waits for the next, and the site waits behind both.

    So it waits for a moment, undoes what it did, and tries again; one that is not atomic, statement by statement.
    """

    def apply_migration(self, state: Any, migration: Any, fake: bool = False, fake_initial: bool = False) -> Any:
        if fake:
            return super().apply_migration(state, migration, fake, fake_initial)
        if not migration.atomic:
            with self.connection.execute_wrapper(self._execute_patiently):
                return super().apply_migration(state, migration, fake, fake_initial)
        for left in reversed(range(TRIES)):
            try:
                self._wait_at_most(MOST_WAIT)
                applied = super().apply_migration(state, migration, fake, fake_initial)
                self._wait_at_most("0")
                return applied
            except OperationalError as error:
                if not left or not isinstance(error.__cause__, LockNotAvailable | DeadlockDetected):
                    raise
            # Django leaves the transaction open where what it put off to the end of a migration fails.
            self.connection.in_atomic_block = False
            self.connection.close()
            time.sleep(PAUSE_SECONDS)
            self.loader.build_graph()
            state = self._create_project_state(with_applied_migrations=True)  # type: ignore[attr-defined]

    def _execute_patiently(self, execute: Any, sql: Any, *arguments: Any) -> Any:
        """What is built beside the site waits as long as it takes: half of it would be left."""
        if self.connection.in_atomic_block or "CONCURRENTLY" in str(sql):
            return execute(sql, *arguments)
        for left in reversed(range(TRIES)):
            try:
                self.connection.connection.execute("SELECT set_config('lock_timeout', %s, FALSE)", [MOST_WAIT])
                return execute(sql, *arguments)
            except OperationalError as error:
                if not left or not isinstance(error.__cause__, LockNotAvailable | DeadlockDetected):
                    raise
            finally:
                self.connection.connection.execute("SELECT set_config('lock_timeout', '0', FALSE)")
            time.sleep(PAUSE_SECONDS)

    def _wait_at_most(self, time: str) -> None:
        with self.connection.cursor() as cursor:
            cursor.execute("SELECT set_config('lock_timeout', %s, FALSE)", [time])


class Command(migrate.Command):
    autodetector = NamelessAutodetector

    def handle(self, *args: Any, **options: Any) -> None:
        migrate.MigrationExecutor = PatientExecutor  # type: ignore[attr-defined]
        with as_owner():
            super().handle(*args, **options)
            with transaction.atomic():
                grant_site_role()
