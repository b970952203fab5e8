"""What an installation needs to run well for years, each as a check with a sentence: for the doctor."""

import shutil
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import get_connection
from django.db import DatabaseError, connection
from django.utils import timezone
from django_celery_beat.models import PeriodicTask
from redis import Redis, RedisError

from aurum_league.checks import Check
from aurum_league.connections import CELERY_DATABASE, redis_url
from games.models import Heartbeat, Match, MatchState

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
    last = PeriodicTask.objects.exclude(last_run_at=None).order_by("-last_run_at").first()
    if last is None or last.last_run_at is None or timezone.now() - last.last_run_at > BEAT_SILENCE:
        sentence = "Beat has started nothing for ten minutes. Start it: manage.py up --only beat"
        return Check(False, f"{sentence}. Workers sweep meanwhile; ratings and notices wait.")
    return Check(True, "Beat starts what is due.")


def check_leases() -> Check:
    stuck = Match.objects.filter(state=MatchState.PLAYING, lease_until__lt=timezone.now() - STUCK_AFTER).count()
    if stuck:
        return Check(False, f"{stuck} matches are held by workers that are gone. The sweep frees them: is it running?")
    return Check(True, "No match is stuck with a worker that is gone.")


def check_quarantine() -> Check:
    count = Match.objects.filter(state=MatchState.QUARANTINED).count()
    if count:
        sentence = f"{count} matches could not be played and wait for their organisers"
        return Check(False, f"{sentence}, who see the reasons at their desk.", is_needed=False)
    return Check(True, "No match waits for an organiser's decision.", is_needed=False)


def check_clock() -> Check:
    with connection.cursor() as cursor:
        cursor.execute("SELECT extract(epoch FROM clock_timestamp())::float")
        apart = abs(cursor.fetchone()[0] - time.time())
    if apart > MOST_SECONDS_APART:
        return Check(
            False, f"This clock and the database's are {apart:.0f} s apart. Run a time service on both."
        )
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
