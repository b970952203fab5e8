"""Celery tasks of the tournaments app: nudges, each one service call."""

from celery import shared_task

from tournaments.services.advance import advance_tournament, sweep_tournaments
from tournaments.services.cases import look_for_cases
from tournaments.services.ratings import FIT_TASK
from tournaments.services.rebuild import refresh_ratings
from tournaments.services.studies import study_waiting_cases
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


@shared_task(name="tournaments.look_for_cases")
def look_for_cases_task() -> None:
    look_for_cases()


@shared_task(name="tournaments.study_cases")
def study_cases_task() -> None:
    study_waiting_cases()
