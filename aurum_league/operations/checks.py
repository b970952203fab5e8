"""What the site needs to work and to run well for years, each as a check with a sentence."""

import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from smtplib import SMTPException

import psycopg
from django.conf import settings
from django.core.cache import cache
from django.core.mail import get_connection
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Max
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django_celery_beat.models import PeriodicTask
from redis import Redis, RedisError

from aurum_league.common.presence import LIVE, PATIENT, PLAYING, read_sandbox_report, read_workers
from aurum_league.operations.database import list_loose_tables
from aurum_league.settings.connections import CELERY_DATABASE, redis_url
from games.models import AT_THE_DESK, Heartbeat, Match, MatchState
from tournaments.services.audit import audit_all

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


def check_role() -> Check:
    """The owner of the tables can switch any trigger off, and rewrite what happened; the site should not be able to."""
    loose = list_loose_tables()
    if loose:
        sentence = f"The site's role in the database can rewrite what happened ({', '.join(loose)})"
        return Check(False, f"{sentence}. Give it a lesser one: docs/OPERATIONS.md, Two roles.", is_needed=False)
    return Check(True, "The site's role in the database can change no event and no result.")


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
    """Both programs are needed: one plays bots' matches, the other serves people and moves tournaments on."""
    try:
        workers = read_workers()
    except RedisError:
        return Check(False, "Workers cannot be seen while Redis does not answer.")
    if not workers[PLAYING]:
        return Check(False, "No worker is alive, so no bots' match is played. Start one: manage.py up --only worker")
    if not workers[LIVE]:
        return Check(False, "No live worker is alive, so people and draws wait. Start one: manage.py up --only live")
    told = ", ".join(f"{workers[name]} {name}" for name in (PLAYING, LIVE, PATIENT))
    if not workers[PATIENT]:
        told += ". Uploads wait to be checked until there is one: manage.py up --only patient"
    return Check(True, f"Alive: {told}.")


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


LEAST_FREE = 1_000_000_000
MOST_SECONDS_APART = 2.0
SWEEP_SILENCE = timedelta(seconds=60)
BEAT_SILENCE = timedelta(minutes=10)
"""Beat notes its last starts every few minutes only."""

STUCK_AFTER = timedelta(seconds=60)
OLDEST_REDIS = (6, 2)


def check_redis_server() -> Check:
    """Messages that are evicted only cost seconds, yet limits and presence would be forgotten without a word."""
    try:
        with Redis.from_url(redis_url(CELERY_DATABASE), decode_responses=True, socket_timeout=3) as client:
            version = str(client.info("server")["redis_version"])
            policy = str(client.config_get("maxmemory-policy").get("maxmemory-policy", "unknown"))
    except RedisError:
        return Check(False, "Redis's version and settings cannot be read.", is_needed=False)
    if tuple(map(int, version.split(".")[:2])) < OLDEST_REDIS:
        return Check(False, f"Redis is {version}; 6.2 or newer is needed. Install a newer Redis or Valkey.")
    if policy not in ("noeviction", "unknown"):
        return Check(False, f"Redis may throw messages away ({policy}). Set: maxmemory-policy noeviction")
    return Check(True, f"Redis speaks version {version} and throws nothing away.")


def check_sweep() -> Check:
    """The sweep repairs what was lost; beat starts it, and so does every worker."""
    beat_at = Heartbeat.objects.values_list("beat_at", flat=True).first()
    if beat_at is None or timezone.now() - beat_at > SWEEP_SILENCE:
        since = "ever" if beat_at is None else f"since {beat_at:%Y-%m-%d %H:%M} UTC"
        return Check(False, f"No sweep has run {since}. Start the live worker: manage.py up --only live")
    return Check(True, "The sweep runs.")


def check_beat() -> Check:
    """Beat writes its entries at its start, and only minutes later when it last started something."""
    last = PeriodicTask.objects.aggregate(ran=Max("last_run_at"), written=Max("date_changed"))
    known = [at for at in last.values() if at is not None]
    if not known or timezone.now() - max(known) > BEAT_SILENCE:
        sentence = "Beat has started nothing for ten minutes. Start it: manage.py up --only beat"
        return Check(False, f"{sentence}. Workers sweep meanwhile; ratings and notices wait.")
    return Check(True, "Beat starts what is due.")


def check_leases() -> Check:
    held = Match.objects.filter(lane__isnull=False, state=MatchState.PLAYING)
    stuck = held.filter(lease_until__lt=timezone.now() - STUCK_AFTER).count()
    if stuck:
        return Check(False, f"{stuck} matches are held by workers that are gone. The sweep frees them: is it running?")
    return Check(True, "No match is stuck with a worker that is gone.")


def check_quarantine() -> Check:
    count = Match.objects.filter(lane=AT_THE_DESK).count()
    if count:
        sentence = f"{count} matches could not be played and wait for their organisers"
        return Check(False, f"{sentence}, who see the reasons at their desk.", is_needed=False)
    return Check(True, "No match waits for an organiser's decision.", is_needed=False)


def check_clock() -> Check:
    with connection.cursor() as cursor:
        cursor.execute("SELECT extract(epoch FROM clock_timestamp())::float")
        apart = abs(cursor.fetchone()[0] - time.time())
    if apart > MOST_SECONDS_APART:
        return Check(False, f"This clock and the database's are {apart:.0f} s apart. Run a time service on both.")
    return Check(True, "This clock and the database's agree.")


def check_disk() -> Check:
    folder = Path(settings.MEDIA_ROOT)
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    if free < LEAST_FREE:
        return Check(False, f"Only {free // 1_000_000} MB are free in {folder}. Make room before Postgres stops.")
    return Check(True, f"{free // 1_000_000_000} GB are free in {folder}.")


def check_mail() -> Check:
    if not settings.EMAIL_BACKEND.endswith("smtp.EmailBackend"):
        return Check(False, "E-mail is not sent anywhere: set EMAIL_URL.", is_needed=False)
    try:
        with get_connection(timeout=5):
            return Check(True, f"The mail server {settings.EMAIL_HOST} takes our e-mail.")
    except (OSError, SMTPException) as error:
        return Check(False, f"The mail server {settings.EMAIL_HOST} does not answer ({error}). Check EMAIL_URL.")


NEWEST_AUDITED = 500


def check_results() -> Check:
    """The newest results, all fixtures and standings, ratings and the chain; `manage.py audit` looks at every match."""
    faults = list(audit_all(NEWEST_AUDITED))
    if faults:
        return Check(False, f"{len(faults)} things are not as they were played. {faults[0]} Run: manage.py audit")
    return Check(True, "Results, standings, ratings and the chain of events are what the records give.")


def check_static_files() -> Check:
    """Without the list of collected files every page would be an error; on the embedded default none is needed."""
    if "Manifest" not in settings.STORAGES["staticfiles"]["BACKEND"]:
        return Check(True, "Static files are served as they lie.")
    if settings.STATIC_ROOT is None or not (Path(settings.STATIC_ROOT) / "staticfiles.json").exists():
        return Check(False, "The static files are not collected. Run: manage.py collectstatic")
    return Check(True, "The static files are collected.")


INSTALLATION: dict[str, Callable[[], Check]] = {
    "redis server": check_redis_server,
    "sweep": check_sweep,
    "beat": check_beat,
    "leases": check_leases,
    "quarantine": check_quarantine,
    "clock": check_clock,
    "disk": check_disk,
    "mail": check_mail,
    "static files": check_static_files,
    "role": check_role,
    "results": check_results,
}


def examine_installation() -> list[Check]:
    """Every check; what needs the database is one sentence while that does not answer."""
    found = []
    for name, check in INSTALLATION.items():
        try:
            found.append(check())
        except DatabaseError:
            found.append(Check(False, f"The {name} cannot be checked: the database does not answer, or lacks tables."))
    return found


@never_cache
def healthz(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "ok"})


@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """Status 503 while something needed is missing; the sandbox is not, since people and house bots play without it."""
    results = {name: check() for name, check in READINESS.items()}
    is_ready = all(result.passed for result in results.values() if result.is_needed)
    body = {
        "status": "ready" if is_ready else "not ready",
        "checks": {name: {"passed": result.passed, "sentence": result.sentence} for name, result in results.items()},
    }
    return JsonResponse(body, status=200 if is_ready else 503)
