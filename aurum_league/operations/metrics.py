"""The league's own metrics, read from Postgres and Redis whenever somebody asks: docs/OPERATIONS.md says what to do."""

import ipaddress
import secrets
from collections.abc import Iterable

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector
from redis import RedisError

from aurum_league.common.presence import read_worker_count
from aurum_league.settings.environment import read_text
from games.models import RunnerNeed

STATES = ("ready", "playing", "quarantined", "waiting")
"""In the order of the columns below; an index holds those that have not ended, and no finished match is read."""

_COUNTS = """
    SELECT count(*) FILTER (WHERE state = 'ready'), count(*) FILTER (WHERE state = 'playing'),
           count(*) FILTER (WHERE state = 'quarantined'),
           (SELECT count(*) FROM games_match WHERE state = 'waiting' AND deadline IS NOT NULL),
           count(*) FILTER (WHERE state = 'playing' AND lease_until < now())
    FROM games_match WHERE lane IS NOT NULL
"""
_AGES = """
    SELECT (SELECT extract(epoch FROM clock_timestamp() - first.created_at)
            FROM unnest(%s::smallint[]) AS own (lane), LATERAL (
                SELECT priority, id, created_at FROM games_match AS match
                WHERE match.lane = own.lane AND match.state = 'ready' ORDER BY priority DESC, account, id LIMIT 1
            ) AS first ORDER BY first.priority DESC, first.id LIMIT 1),
           (SELECT extract(epoch FROM clock_timestamp() - beat_at) FROM games_heartbeat)
"""
MEANINGS = {
    "aurum_matches": "matches by state, of those that have not ended",
    "aurum_first_ready_age_seconds": "age of the match that is claimed next",
    "aurum_leases_run_out": "matches held by workers that stopped answering",
    "aurum_seconds_since_sweep": "seconds since the sweep last ran",
    "aurum_workers": "workers that said within ten seconds that they live",
    "aurum_database_up": "1 if the database answered this request",
    "aurum_redis_up": "1 if Redis answered this request",
}


class LeagueCollector:
    """Asked by Prometheus's registry; a server that is away is told as such, and never as an error."""

    def describe(self) -> Iterable[Metric]:
        return [_gauge(name) for name in MEANINGS]

    def collect(self) -> Iterable[Metric]:
        yield from self._ask_database()
        yield from self._ask_redis()

    def _ask_database(self) -> Iterable[Metric]:
        try:
            counts, gauges = _read_database()
        except DatabaseError:
            yield _gauge("aurum_database_up", 0)
            return
        yield _gauge("aurum_database_up", 1)
        states = GaugeMetricFamily("aurum_matches", MEANINGS["aurum_matches"], labels=["state"])
        for state, count in counts.items():
            states.add_metric([state], count)
        yield states
        for name, value in gauges.items():
            yield _gauge(name, float(value or 0))

    def _ask_redis(self) -> Iterable[Metric]:
        try:
            workers = read_worker_count()
        except RedisError:
            yield _gauge("aurum_redis_up", 0)
            return
        yield _gauge("aurum_redis_up", 1)
        yield _gauge("aurum_workers", workers)


def _gauge(name: str, value: float | None = None) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, MEANINGS[name], value=value)


def _read_database() -> tuple[dict[str, int], dict[str, float | None]]:
    with connection.cursor() as cursor:
        cursor.execute(_COUNTS)
        *counts, stale = cursor.fetchone()
        cursor.execute(_AGES, [RunnerNeed.values])
        first, sweep = cursor.fetchone()
    gauges = {
        "aurum_first_ready_age_seconds": first,
        "aurum_leases_run_out": stale,
        "aurum_seconds_since_sweep": sweep,
    }
    return dict(zip(STATES, counts, strict=True)), gauges


PROXY_HEADERS = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Via")


def make_registry() -> CollectorRegistry:
    """What this process counts; where a site has several web processes, what they all count, added up."""
    folder = read_text("PROMETHEUS_MULTIPROC_DIR")
    found = CollectorRegistry() if folder else REGISTRY
    if folder:
        MultiProcessCollector(found, folder)
    found.register(LeagueCollector())
    return found


registry = make_registry()


@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    if not (_bears_token(request) or _is_local(request)):
        return JsonResponse({"code": "metrics_closed", "message": "Metrics need the bearer token."}, status=403)
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


def _bears_token(request: HttpRequest) -> bool:
    token = settings.METRICS_TOKEN
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    return bool(token) and secrets.compare_digest(given.encode(), token.encode())


def _is_local(request: HttpRequest) -> bool:
    """A proxy on this machine also calls from loopback, on behalf of the world."""
    if any(header in request.headers for header in PROXY_HEADERS):
        return False
    try:
        return ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False
