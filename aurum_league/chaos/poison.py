"""The Celery application of the arena: the site's own, with house bots that take their time and one that kills."""

import os
import signal
import time

from celery.signals import worker_init

from aurum_league.celery import app
from games.play.agents import Agent, SeatOrder

POISON_AGENT = "poison:kill"
SECONDS_TO_SIT_DOWN = 0.007
"""Three seats make a match of some 20 ms, so that a batch lasts seconds and faults strike in the midst of it."""

__all__ = ["POISON_AGENT", "app"]


def _kill_worker(order: SeatOrder) -> Agent:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("unreachable")


def _open_slowly(order: SeatOrder) -> Agent:
    from bots.brains import make_brain

    time.sleep(SECONDS_TO_SIT_DOWN)
    return make_brain(order.agent.partition(":")[2], order.bot_seed)


@worker_init.connect
def serve_poison(**details: object) -> None:
    from games.play.agents import register_agents

    register_agents("poison", _kill_worker)
    register_agents("house", _open_slowly)
