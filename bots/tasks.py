"""Celery tasks of the bots app: nudges, each one service call."""

from celery import shared_task

from bots.services.sweep import sweep_bots


@shared_task(name="bots.sweep")
def sweep_bots_task() -> None:
    sweep_bots()
