"""Whoever looks for a match in the logs finds every line about it: of requests, of tasks, and of the sweep."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from django_structlog.celery.receivers import CeleryReceiver

import aurum_league.celery  # noqa: F401
from bots.tasks import form_opinion_task
from games.models import Match, MatchState, RunnerNeed
from games.services.clocks import flag_late_matches
from games.services.play import play_ready_matches
from tests.services.games.conftest import MakeMatches

pytestmark = pytest.mark.django_db
UNREADABLE = bytes([255] * 8)


def list_said(caplog: pytest.LogCaptureFixture, event: str) -> list[Any]:
    lines = [record.msg for record in caplog.records if isinstance(record.msg, dict)]
    return [line.get("match_id") for line in lines if line["event"] == event]


def make_late(make_matches: MakeMatches, count: int) -> list[Match]:
    matches = make_matches("person:1", "house:random", "house:random", clock={"bank": 60.0}, count=count)
    play_ready_matches(needs=RunnerNeed.HOUSE)
    Match.objects.update(deadline=timezone.now() - timedelta(seconds=1))
    return matches


def test_a_request_that_fails_names_its_match(
    client: Client, make_matches: MakeMatches, caplog: pytest.LogCaptureFixture
) -> None:
    (match,) = make_late(make_matches, 1)
    Match.objects.filter(pk=match.pk).update(log=UNREADABLE)
    client.raise_request_exception = False
    for path in (f"/matches/{match.pk}/", f"/api/v1/matches/{match.pk}/view"):
        caplog.clear()
        assert client.get(path).status_code == 500
        assert list_said(caplog, "request_failed") == [match.pk]
    assert client.get("/rules/").status_code == 200


def test_a_task_that_fails_names_its_match(caplog: pytest.LogCaptureFixture) -> None:
    lines = CeleryReceiver()
    lines.connect_worker_signals()
    form_opinion_task.apply(kwargs={"match_id": "no number", "seat": 0, "number": 1}, throw=False)
    assert set(list_said(caplog, "task_failed")) == {"no number"}


def test_a_late_match_that_is_stuck_is_named_and_keeps_nobody_waiting(
    make_matches: MakeMatches, caplog: pytest.LogCaptureFixture
) -> None:
    stuck, *others = make_late(make_matches, 3)
    Match.objects.filter(pk=stuck.pk).update(log=UNREADABLE, deadline=timezone.now() - timedelta(days=1))
    assert flag_late_matches() == len(others)
    assert list_said(caplog, "late_match_stuck") == [stuck.pk]
    for match in others:
        match.refresh_from_db()
        assert match.state == MatchState.FINISHED
