"""The Celery application: its tasks are nudges, the work itself waits in Postgres."""

import gc
import os
import threading
import time
import warnings
from contextlib import suppress
from functools import partial
from importlib import import_module
from multiprocessing.sharedctypes import RawValue
from typing import Any

import structlog
from celery import Celery, bootsteps
from celery.platforms import SecurityWarning
from celery.signals import (
    heartbeat_sent,
    task_postrun,
    task_prerun,
    worker_init,
    worker_process_init,
    worker_shutdown,
)
from celery.worker import WorkController
from celery.worker.consumer import Consumer
from celery.worker.consumer.tasks import Tasks
from celery.worker.heartbeat import Heart
from django.dispatch import receiver
from django_structlog.celery.signals import bind_extra_task_metadata
from kombu import Connection
from redis import RedisError

from aurum_league.common.breaker import breaker

# Said of every worker run by root, for the sake of pickled messages; ours are JSON only.
warnings.filterwarnings("ignore", category=SecurityWarning)
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "aurum_league.settings.embedded")

app = Celery("aurum_league")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["consumer"].add("aurum_league.celery:Sweeps")


@worker_init.connect
def load_sums(**details: object) -> None:
    """Ratings need them at the first result: loaded here once, and not by each process that plays."""
    for part in ("scipy.interpolate", "scipy.optimize", "scipy.special"):
        import_module(part)


@receiver(bind_extra_task_metadata)
def name_match(task: Any, **details: object) -> None:
    """On every line that a task about one match says."""
    if match_id := (task.request.kwargs or {}).get("match_id"):
        structlog.contextvars.bind_contextvars(match_id=match_id)


@worker_process_init.connect
def spare_collector(**details: object) -> None:
    """What was imported stays for good: looking through it again and again took a twentieth of a worker's time.

    A batch makes some hundred thousand objects and drops them together: more of them may gather between two looks.
    """
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@heartbeat_sent.connect
def tell_state(sender: Heart, **details: object) -> None:
    """The worker tries the sandbox itself, since uploaded bots would run where it runs; the outcome is remembered."""
    from aurum_league.common.presence import SandboxReport, report_alive, report_sandbox
    from bots.runners.selftest import read_sandbox_state

    report_alive(sender.eventer.hostname)
    state = read_sandbox_state()
    report_sandbox(SandboxReport(state.is_safe, state.reason), sender.eventer.hostname)
    _heard.value = time.monotonic()


@worker_shutdown.connect
def tell_gone(sender: WorkController, **details: object) -> None:
    from aurum_league.common.presence import report_gone

    report_gone(sender.hostname)


_heard = RawValue("d", time.monotonic())
"""When Redis last answered this worker, by the system's own clock; the processes that play read it."""

SECONDS_OF_SILENCE = 4.0
SECONDS_BETWEEN_LOOKS = 1.0
SECONDS_OF_LOOK = 6.0
looks = threading.Lock()
"""Whoever plays in this process, a task or the look for work, plays alone."""


@worker_process_init.connect
def watch_silence(**details: object) -> None:
    task_prerun.connect(_begin_task)
    task_postrun.connect(_end_task)
    queues = set(app.amqp.queues.consume_from)
    threading.Thread(target=_look_in_silence, args=(queues,), name="look", daemon=True).start()


def _begin_task(**details: object) -> None:
    looks.acquire()


def _end_task(**details: object) -> None:
    looks.release()


def _look_in_silence(queues: set[str]) -> None:
    """While Redis says nothing no task comes: matches are found in Postgres, a little later than by a nudge.

    Whoever found out by a nudge of its own that nobody took waits for no silence; whoever has just played looks again
    at once: the next matchday may be waiting for the last.
    """
    played = 0
    while True:
        time.sleep(0 if played else SECONDS_BETWEEN_LOOKS)
        played = 0
        is_silent = breaker.is_open or time.monotonic() - _heard.value > SECONDS_OF_SILENCE
        if is_silent and looks.acquire(blocking=False):
            try:
                played = _look(queues)
            except Exception:
                structlog.get_logger().exception("look_failed")
            finally:
                looks.release()


def _look(queues: set[str]) -> int:
    from django.db import close_old_connections

    from bots.services.qualify import check_versions
    from games.services.play import look_for_matches

    close_old_connections()
    if SWEEPING_QUEUE in queues and time.monotonic() > _sweeps_at.value:
        _sweep()
    checked = check_versions() if "checks" in queues else 0
    is_live, is_patient = "live" in queues, "patient" in queues
    return checked + look_for_matches(is_live=is_live, is_patient=is_patient, seconds=SECONDS_OF_LOOK)


SWEEPING_QUEUE = "celery"
SHARE_OF_SWEEPS = 0.2
_sweeps_at = RawValue("d", 0.0)
"""When one of this worker's processes sweeps next: of eight that all did, little time was left to play."""


def _sweep() -> None:
    from games.selectors.matches import has_swept
    from games.services.clocks import sweep_matches
    from tournaments.services.advance import sweep_tournaments

    started = time.monotonic()
    _sweeps_at.value = started + SECONDS_BETWEEN_SWEEPS
    if has_swept(within=SECONDS_BETWEEN_SWEEPS / 2):
        return
    sweep_matches()
    sweep_tournaments()
    ended = time.monotonic()
    _sweeps_at.value = ended + (ended - started) / SHARE_OF_SWEEPS


SWEEPS = ("games.sweep_matches", "tournaments.sweep")
SECONDS_BETWEEN_SWEEPS = 10
SECONDS_BETWEEN_TRIES = 1
SECONDS_TO_HEAR = 3.0


class SteadyConsumer(Consumer):
    """Celery itself waits longer after each try, up to half a minute: that long nothing would be played.

    It listens for whole seconds and so has more time than those who send, for whom `ANSWER_SECONDS` is enough.
    """

    def ensure_connected(self, conn: Connection) -> Connection:
        conn.transport_options = {**(conn.transport_options or {}), "socket_timeout": SECONDS_TO_HEAR}
        steady = partial(conn.ensure_connection, interval_start=SECONDS_BETWEEN_TRIES, interval_step=0)
        conn.__dict__["ensure_connection"] = steady
        return super().ensure_connected(conn)


ASKED = "sweeps:asked"


class Sweeps(bootsteps.StartStopStep):
    """Beat may be dead, or messages lost: of all workers, whichever is the first in ten seconds asks for the sweeps.

    They may run twice. Who comes first is found out by Redis, without which nobody could ask anyway.
    """

    requires = (Tasks,)

    def start(self, consumer: Any) -> None:
        self._ask(consumer.app)
        self._timer = consumer.timer.call_repeatedly(SECONDS_BETWEEN_SWEEPS, self._ask, (consumer.app,))

    def stop(self, consumer: Any) -> None:
        self._timer.cancel()

    def _ask(self, app: Any) -> None:
        from django.core.cache import cache

        # A little shorter than the time between two looks: else now and then nobody would be the first.
        with suppress(RedisError, OSError):
            if not cache.add(ASKED, 1, SECONDS_BETWEEN_SWEEPS - 1):
                return
        for name in SWEEPS:
            app.send_task(name, expires=SECONDS_BETWEEN_SWEEPS, retry=False)
