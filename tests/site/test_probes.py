"""What machines ask the site: is it alive, is it ready, how is it doing."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from aurum_league.common.presence import (
    SandboxReport,
    read_worker_count,
    report_alive,
    report_gone,
    report_sandbox,
)

WORKER = "worker-of-a-test"


@pytest.fixture
def worker() -> Iterator[None]:
    report_alive(WORKER)
    yield
    report_gone(WORKER)


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
