"""Celery tasks of the games app: nudges, each one service call."""

from celery import shared_task

from games.services.clocks import sweep_matches
from games.services.notices import send_turn_notices, send_window_notices
from games.services.play import look_for_matches


@shared_task(name="games.play_ready_matches")
def play_ready_matches_task(is_live: bool = False, is_patient: bool = False) -> None:
    look_for_matches(is_live=is_live, is_patient=is_patient)


@shared_task(name="games.sweep_matches")
def sweep_matches_task() -> None:
    sweep_matches()


@shared_task(name="games.send_turn_notices")
def send_turn_notices_task() -> None:
    send_turn_notices()
    send_window_notices()
