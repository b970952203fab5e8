"""Celery tasks of the site as a whole."""

from celery import shared_task

from aurum_league.accounts.traces import forget_old_traces
from aurum_league.common.api.idempotency import forget_old_answers
from aurum_league.common.telling import send_notices
from tournaments.services.lifecycle import publish_heads


@shared_task(name="aurum_league.forget_old_answers")
def forget_old_answers_task() -> None:
    forget_old_answers()


@shared_task(name="aurum_league.publish_heads")
def publish_heads_task() -> None:
    publish_heads()


@shared_task(name="aurum_league.send_notices")
def send_notices_task() -> None:
    send_notices()


@shared_task(name="aurum_league.forget_old_traces")
def forget_old_traces_task() -> None:
    forget_old_traces()
