"""The Celery application of the arena: the site's own, with one agent more, which kills whoever asks it."""

import os
import signal

from celery.signals import worker_init

from aurum_league.celery import app
from games.play.agents import Agent, SeatOrder

POISON_AGENT = "poison:kill"

__all__ = ["POISON_AGENT", "app"]


def _kill_worker(order: SeatOrder) -> Agent:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("unreachable")


@worker_init.connect
def serve_poison(**details: object) -> None:
    from games.play.agents import register_agents

    register_agents("poison", _kill_worker)
