"""The league's own metrics, read from Postgres and Redis whenever somebody asks: docs/OPERATIONS.md says what to do."""

from collections.abc import Iterable

from django.db import DatabaseError, connection
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from redis import RedisError

from aurum_league.common.presence import read_worker_count

STATES = ("ready", "playing", "waiting", "quarantined")
"""Each has a partial index, so that counting reads no finished match."""

_AGES = """
    SELECT (SELECT extract(epoch FROM clock_timestamp() - min(created_at)) FROM (
               SELECT created_at FROM games_match WHERE state = 'ready' ORDER BY priority DESC, id LIMIT 1) AS first),
           (SELECT count(*) FROM games_match WHERE state = 'playing' AND lease_until < now()),
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
            counts, ages = _read_database()
        except DatabaseError:
            yield _gauge("aurum_database_up", 0)
            return
        yield _gauge("aurum_database_up", 1)
        states = GaugeMetricFamily("aurum_matches", MEANINGS["aurum_matches"], labels=["state"])
        for state, count in counts.items():
            states.add_metric([state], count)
        yield states
        names = ("aurum_first_ready_age_seconds", "aurum_leases_run_out", "aurum_seconds_since_sweep")
        for name, value in zip(names, ages, strict=True):
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


def _read_database() -> tuple[dict[str, int], tuple[float | None, ...]]:
    counts = {}
    with connection.cursor() as cursor:
        for state in STATES:
            # Written out, not passed: only then does the planner know that the partial index fits.
            cursor.execute(f"SELECT count(*) FROM games_match WHERE state = '{state}'")
            counts[state] = int(cursor.fetchone()[0])
        cursor.execute(_AGES)
        return counts, cursor.fetchone()
