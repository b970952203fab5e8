"""How a worker meets its broker again: it tries every second, and asks for the sweeps as soon as it is back."""

from functools import partial
from typing import Any

from celery import bootsteps
from celery.worker.consumer import Consumer
from celery.worker.consumer.tasks import Tasks
from kombu import Connection

SWEEPS = ("games.sweep_matches", "tournaments.sweep")
SECONDS_BETWEEN_SWEEPS = 10
SECONDS_BETWEEN_TRIES = 1


class SteadyConsumer(Consumer):
    """Celery itself waits longer after each try, up to half a minute: that long nothing would be played."""

    def ensure_connected(self, conn: Connection) -> Connection:
        steady = partial(conn.ensure_connection, interval_start=SECONDS_BETWEEN_TRIES, interval_step=0)
        conn.__dict__["ensure_connection"] = steady
        return super().ensure_connected(conn)


class Sweeps(bootsteps.StartStopStep):
    """Beat may be dead, or messages lost: every worker asks for the sweeps itself too, and they may run twice."""

    requires = (Tasks,)

    def start(self, consumer: Any) -> None:
        self._ask(consumer.app)
        self._timer = consumer.timer.call_repeatedly(SECONDS_BETWEEN_SWEEPS, self._ask, (consumer.app,))

    def stop(self, consumer: Any) -> None:
        self._timer.cancel()

    def _ask(self, app: Any) -> None:
        for name in SWEEPS:
            app.send_task(name, expires=SECONDS_BETWEEN_SWEEPS, retry=False)
