"""What machines ask the site: is it alive, is it ready, how is it doing."""

import time
from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from aurum_league.common.presence import (
    SandboxReport,
    read_sandbox_report,
    read_worker_count,
    report_alive,
    report_gone,
    report_sandbox,
)

WORKER, LIVE = "worker@a-test", "live@a-test"


@pytest.fixture
def worker() -> Iterator[None]:
    report_alive(WORKER)
    report_alive(LIVE)
    yield
    report_gone(WORKER)
    report_gone(LIVE)


def test_process_answers_whatever_the_host_name(client: Client) -> None:
    response = client.get("/healthz", headers={"host": "10.0.0.7:8000"})
    assert (response.status_code, response.json()) == (200, {"status": "ok"})


@pytest.mark.django_db
def test_ready_with_a_worker(client: Client, worker: None) -> None:
    report_sandbox(SandboxReport(is_safe=False, reason="no Landlock here."))
    response = client.get("/readyz")
    checks = response.json()["checks"]
    assert (response.status_code, response.json()["status"]) == (200, "ready")
    assert {name for name, check in checks.items() if check["passed"]} == {"database", "migrations", "redis", "worker"}
    assert checks["sandbox"]["sentence"] == "Uploaded bots are refused here: no Landlock here."


@pytest.mark.django_db
def test_not_ready_without_a_worker(client: Client) -> None:
    response = client.get("/readyz")
    assert response.status_code == 503
    assert not response.json()["checks"]["worker"]["passed"]


@pytest.mark.django_db
def test_not_ready_without_redis(client: Client, settings: Settings) -> None:
    settings.LIVE_URL = "unix:///nowhere.sock?db=2"
    settings.CACHES = {"default": {**settings.CACHES["default"], "LOCATION": "unix:///nowhere.sock?db=1"}}
    response = client.get("/readyz")
    assert response.status_code == 503
    failed = {name for name, check in response.json()["checks"].items() if not check["passed"]}
    assert failed == {"redis", "worker", "sandbox"}
    cache.close()


@pytest.mark.django_db
@pytest.mark.parametrize("alive", [WORKER, LIVE])
def test_not_ready_with_one_of_two_programs(client: Client, alive: str) -> None:
    report_alive(alive)
    response = client.get("/readyz")
    report_gone(alive)
    assert (response.status_code, response.json()["checks"]["worker"]["passed"]) == (503, False)


def test_a_clock_that_is_ahead_removes_nobody(worker: None, monkeypatch: pytest.MonkeyPatch) -> None:
    before, ahead = read_worker_count(), time.time() + 60
    monkeypatch.setattr(time, "time", lambda: ahead)
    report_alive("worker@ahead")
    after = read_worker_count()
    report_gone("worker@ahead")
    assert after == before + 1


@pytest.mark.parametrize(
    ("reports", "is_safe"),
    [
        pytest.param({WORKER: True, LIVE: False}, True, id="the last to speak has none"),
        pytest.param({LIVE: False, WORKER: True}, True, id="nor does the first"),
        pytest.param({LIVE: False, WORKER: False}, False, id="nobody has one"),
        pytest.param({"worker@gone": True, WORKER: False}, False, id="only one that is gone"),
    ],
)
def test_the_sandbox_is_told_by_worker(worker: None, reports: dict[str, bool], is_safe: bool) -> None:
    for name, holds in reports.items():
        report_sandbox(SandboxReport(is_safe=holds, reason="" if holds else "no Landlock here."), name)
    told = read_sandbox_report()
    for name in reports:
        report_gone(name)
    assert told and told.is_safe is is_safe


def test_a_worker_that_left_no_longer_counts(worker: None) -> None:
    before = read_worker_count()
    report_gone(WORKER)
    assert read_worker_count() == before - 1


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("address", "headers", "status"),
    [
        pytest.param("127.0.0.1", {}, 200, id="this machine"),
        pytest.param("::1", {}, 200, id="this machine, IPv6"),
        pytest.param("127.0.0.1", {"X-Forwarded-For": "203.0.113.9"}, 403, id="the world through a proxy here"),
        pytest.param("127.0.0.1", {"Forwarded": "for=203.0.113.9"}, 403, id="the same, in the standard's words"),
        pytest.param("203.0.113.9", {}, 403, id="the world"),
        pytest.param("", {}, 403, id="nobody knows who"),
        pytest.param("203.0.113.9", {"Authorization": "Bearer open-sesame"}, 200, id="bearer of the token"),
        pytest.param("203.0.113.9", {"Authorization": "Bearer wrong"}, 403, id="bearer of another token"),
        pytest.param("203.0.113.9", {"Authorization": "Bearer "}, 403, id="bearer of nothing"),
        pytest.param("203.0.113.9", {"Authorization": "Bearer öffne"}, 403, id="not ASCII"),
    ],
)
def test_metrics_are_not_open_to_the_world(
    client: Client, settings: Settings, address: str, headers: dict[str, str], status: int
) -> None:
    settings.METRICS_TOKEN = "open-sesame"
    response = client.get("/metrics", headers=headers, REMOTE_ADDR=address)
    assert response.status_code == status
    assert (b"python_info" in response.content) is (status == 200)


def test_an_empty_token_opens_nothing(client: Client, settings: Settings) -> None:
    settings.METRICS_TOKEN = ""
    response = client.get("/metrics", headers={"Authorization": "Bearer "}, REMOTE_ADDR="203.0.113.9")
    assert response.status_code == 403
