"""Celery tasks of the tournaments app: nudges, each one service call."""

from celery import shared_task

from tournaments.services.advance import advance_tournament, sweep_tournaments
from tournaments.services.ratings import FIT_TASK
from tournaments.services.rebuild import refresh_ratings
from tournaments.services.timetable import keep_time


@shared_task(name="tournaments.advance_tournament")
def advance_tournament_task(tournament_id: int) -> None:
    advance_tournament(tournament_id=tournament_id)


@shared_task(name="tournaments.sweep")
def sweep_tournaments_task() -> None:
    sweep_tournaments()


@shared_task(name="tournaments.keep_time")
def keep_time_task() -> None:
    keep_time()


@shared_task(name=FIT_TASK)
def fit_ratings_task() -> None:
    refresh_ratings()
