"""The Celery application: its tasks are nudges, the work itself waits in Postgres."""

import gc
import os
import warnings

from celery import Celery
from celery.platforms import SecurityWarning
from celery.signals import heartbeat_sent, worker_process_init, worker_shutdown

# Said of every worker run by root, for the sake of pickled messages; ours are JSON only.
warnings.filterwarnings("ignore", category=SecurityWarning)
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "aurum_league.settings.embedded")

app = Celery("aurum_league")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["consumer"].add("aurum_league.worker_steps:Sweeps")


@worker_process_init.connect
def spare_collector(**details: object) -> None:
    """What was imported stays for good: looking through it again and again took a twentieth of a worker's time."""
    gc.freeze()


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
