"""What the site needs to work, each as a check with a sentence: for /readyz, the doctor and every start."""

from collections.abc import Callable
from dataclasses import dataclass

import psycopg
from django.core.cache import cache
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from redis import RedisError

from aurum_league.common.presence import read_sandbox_report, read_worker_count

SECONDS_TO_CONNECT = 3


@dataclass(frozen=True)
class Check:
    """A failed check that is not needed leaves the site ready: it does less, and says so."""

    passed: bool
    sentence: str
    is_needed: bool = True


def check_database() -> Check:
    """By a connection of its own, so that one of Django's that went stale does not speak for the server."""
    given = connection.settings_dict
    names = {"host": "HOST", "port": "PORT", "user": "USER", "password": "PASSWORD", "dbname": "NAME"}
    wanted = {name: given[key] for name, key in names.items() if given[key]}
    try:
        psycopg.connect(**wanted, connect_timeout=SECONDS_TO_CONNECT).close()
    except psycopg.Error as error:
        reason = str(error).strip().splitlines()[0]
        return Check(False, f"The database does not answer ({reason}). Check DATABASE_URL and that the server runs.")
    return Check(True, "The database answers.")


def check_migrations() -> Check:
    if not check_database().passed:
        return Check(False, "The migrations cannot be read while the database does not answer.")
    executor = MigrationExecutor(connection)
    missing = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    if missing:
        return Check(False, f"{missing} migrations are not applied. Run: manage.py migrate")
    return Check(True, "All migrations are applied.")


def check_redis() -> Check:
    try:
        cache.get("ready")
    except RedisError as error:
        return Check(False, f"Redis does not answer ({error}). Check REDIS_URL and that the server runs.")
    return Check(True, "Redis answers.")


def check_worker() -> Check:
    try:
        workers = read_worker_count()
    except RedisError:
        return Check(False, "Workers cannot be seen while Redis does not answer.")
    if not workers:
        return Check(False, "No worker is alive, so no match is played. Start one: manage.py up --only worker")
    return Check(True, "1 worker is alive." if workers == 1 else f"{workers} workers are alive.")


def check_sandbox() -> Check:
    try:
        report = read_sandbox_report()
    except RedisError:
        return Check(False, "The sandbox's state is not known while Redis does not answer.", is_needed=False)
    if report is None:
        return Check(False, "No worker has tried the sandbox yet, so uploaded bots wait.", is_needed=False)
    if not report.is_safe:
        return Check(False, f"Uploaded bots are refused here: {report.reason}", is_needed=False)
    return Check(True, "The sandbox holds; uploaded bots are played.", is_needed=False)


READINESS: dict[str, Callable[[], Check]] = {
    "database": check_database,
    "migrations": check_migrations,
    "redis": check_redis,
    "worker": check_worker,
    "sandbox": check_sandbox,
}
