"""Celery tasks of the bots app: nudges, each one service call."""

from celery import shared_task
from django.utils import timezone

from bots.services.agents import prune_logs
from bots.services.opinion import choose_puzzle, form_opinion
from bots.services.proof import form_proof
from bots.services.qualify import check_versions, sweep_bots


@shared_task(name="bots.form_opinion")
def form_opinion_task(match_id: int, seat: int, number: int) -> None:
    form_opinion(match_id=match_id, seat=seat, number=number)


@shared_task(name="bots.form_proof")
def form_proof_task(match_id: int) -> None:
    form_proof(match_id=match_id)


@shared_task(name="bots.sweep")
def sweep_bots_task() -> None:
    sweep_bots()


@shared_task(name="bots.prune_logs")
def prune_logs_task() -> None:
    prune_logs()


@shared_task(name="bots.check_versions")
def check_versions_task() -> None:
    check_versions()


@shared_task(name="bots.choose_puzzle")
def choose_puzzle_task() -> None:
    choose_puzzle(day=timezone.now().date())
