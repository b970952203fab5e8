"""Nudging the sweep: a message that says there may be work. Losing one costs a minute, never a version."""

from django.db import transaction

from aurum_league.common.broker import send_nudge

TASK = "bots.sweep"


def nudge_sweep_on_commit() -> None:
    transaction.on_commit(lambda: send_nudge(TASK))
