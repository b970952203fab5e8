"""The Celery application: its tasks are nudges, the work itself waits in Postgres."""

import os
import warnings
from typing import Any

from celery import Celery
from celery.platforms import SecurityWarning
from celery.signals import heartbeat_sent, worker_ready, worker_shutdown

# Said of every worker run by root, for the sake of pickled messages; ours are JSON only.
warnings.filterwarnings("ignore", category=SecurityWarning)
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "aurum_league.settings.embedded")

app = Celery("aurum_league")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


SWEEPS = ("games.sweep_matches", "tournaments.sweep")
SECONDS_BETWEEN_SWEEPS = 10


@worker_ready.connect
def keep_sweeping(sender: Any, **details: object) -> None:
    """Beat may be dead, or messages lost: every worker asks for the sweeps itself too, and they may run twice."""

    def ask() -> None:
        for name in SWEEPS:
            app.send_task(name, expires=SECONDS_BETWEEN_SWEEPS, retry=False)

    sender.timer.call_repeatedly(SECONDS_BETWEEN_SWEEPS, ask)


@heartbeat_sent.connect
def tell_state(**details: object) -> None:
    """The worker tries the sandbox itself, since uploaded bots would run where it runs; the outcome is remembered."""
    from aurum_league.common.presence import SandboxReport, report_alive, report_sandbox
    from bots.runners.launch import read_sandbox_state

    report_alive()
    state = read_sandbox_state()
    report_sandbox(SandboxReport(state.is_safe, state.reason))


@worker_shutdown.connect
def tell_gone(**details: object) -> None:
    from aurum_league.common.presence import report_gone

    report_gone()
