"""Nudges through the real broker: enough to wake the workers, and never more than that."""

import uuid

import pytest
from celery import current_app
from celery.app.routes import Router, prepare
from django.core.cache import cache

from aurum_league.celery import ASKED, SWEEPS, Sweeps
from games.services import notices
from games.services.notices import MATCHES_A_NUDGE, MOST_NUDGES, nudge_workers

pytestmark = pytest.mark.filterwarnings("ignore:task_always_eager has no effect on send_task")


@pytest.fixture
def queue(monkeypatch: pytest.MonkeyPatch) -> str:
    name = f"play-{uuid.uuid4()}"
    monkeypatch.setattr(notices, "PLAY_QUEUE", name)
    return name


def count_waiting(queue: str) -> int:
    with current_app.connection_for_read() as connection:
        return int(connection.default_channel.queue_declare(queue, passive=True).message_count)


@pytest.mark.parametrize(
    ("calls", "waiting"),
    [
        pytest.param([1], 1, id="one match"),
        pytest.param([MATCHES_A_NUDGE + 1], 2, id="more than one worker plays at once"),
        pytest.param([10**6], MOST_NUDGES, id="a limit"),
        pytest.param([1, 1, 1], 1, id="the same match again"),
        pytest.param([1, 5 * MATCHES_A_NUDGE], 5, id="more than before"),
        pytest.param([10**6, 10**6, 1], MOST_NUDGES, id="sweeps while everybody is busy"),
    ],
)
def test_as_many_as_are_needed_wait(queue: str, calls: list[int], waiting: int) -> None:
    for matches in calls:
        nudge_workers(matches)
    assert count_waiting(queue) == waiting


def test_of_all_workers_one_asks_for_the_sweeps(monkeypatch: pytest.MonkeyPatch) -> None:
    """It also fails where a line about the key would stand in the log of every worker, every ten seconds."""
    name = f"live-{uuid.uuid4()}"
    routes = prepare({sweep: {"queue": name} for sweep in SWEEPS})
    monkeypatch.setattr(current_app.amqp, "router", Router(routes, current_app.amqp.queues, True, current_app))
    cache.delete_many([ASKED])
    for worker in (Sweeps(None), Sweeps(None)):
        worker._ask(current_app)
    assert count_waiting(name) == len(SWEEPS)
