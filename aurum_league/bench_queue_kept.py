"""The benchmark's tasks for workers that keep their database connection from one task to the next."""

from aurum_league.bench_queue_tasks import app

# Celery's Django integration closes it around every task unless this is set.
app.conf.CELERY_DB_REUSE_MAX = 10_000
