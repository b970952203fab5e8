"""Measures the API beside a trivial JSON view of the same server.

Reads the newest tournament that is finished: play one first, with `make demo`. Who asks is a stranger on loopback, on
connections that stay open. The trivial view passes every middleware of the site, as pages and the API do.
"""

import http.client
import itertools
import statistics
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from typing import Any

import django
from django.conf import settings

from aurum_league.cli.main import CommandError
from aurum_league.embedded.services import use_services
from aurum_league.settings.connections import read_layout, read_wanted
from aurum_league.settings.environment import CHECKOUT, use_default_settings
from benchmarks.report import Figure, Survey, at_least_times
from benchmarks.site import find_free_port, read_cpu_seconds, wait_for_server

TRIVIAL = "bench/trivial"
TRIVIAL_NAME = "a trivial JSON view"
CLIENTS = 4
MOST_MATCHES = 200
GOAL = at_least_times(0.6)
"""For standings and matches."""


@dataclass(frozen=True)
class Run:
    """Seconds of every request that was answered, and processor seconds that the server took for all of them."""

    times: list[float]
    processor: float


def make_application() -> Any:
    """The site as it is served, with the trivial view added and nobody throttled, though everybody is counted."""
    use_default_settings()
    settings.ROOT_URLCONF = "benchmarks.api"
    rates = settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]
    settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"] = dict.fromkeys(rates, 10**9)
    settings.ALLOWED_HOSTS = ["127.0.0.1"]
    from aurum_league.asgi import application

    return application


def find_addresses() -> dict[str, list[str]]:
    from tournaments.models import FixtureMatch, Stage

    stage = Stage.objects.filter(tournament__state="finished").select_related("tournament").last()
    if stage is None:
        raise CommandError("There is no finished tournament to read. Play one: make demo")
    matches = list(FixtureMatch.objects.filter(stage=stage).values_list("match_id", flat=True)[:MOST_MATCHES])
    tournament = f"/api/v1/tournaments/{stage.tournament.slug}"
    return {
        TRIVIAL_NAME: [f"/{TRIVIAL}"],
        "standings": [f"{tournament}/stages/{stage.number}/standings"],
        "a match": [f"/api/v1/matches/{matches[0]}"],
        f"{len(matches)} matches in turn": [f"/api/v1/matches/{match}" for match in matches],
        "a match's record": [f"/api/v1/matches/{matches[0]}/record"],
        "a page of 50 matches": ["/api/v1/matches"],
        "a tournament": [tournament],
    }


def measure(server: subprocess.Popen[bytes], port: int, addresses: list[str], seconds: float) -> Run:
    """What so many clients, each on one connection, got answered in the time."""
    taken: list[list[float]] = [[] for _ in range(CLIENTS)]
    before = read_cpu_seconds(server.pid)
    end = time.perf_counter() + seconds

    def ask(number: int, times: list[float]) -> None:
        client = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        shifted = addresses[number * len(addresses) // CLIENTS :] + addresses[: number * len(addresses) // CLIENTS]
        for address in itertools.cycle(shifted):
            if (start := time.perf_counter()) >= end:
                break
            client.request("GET", address)
            answer = client.getresponse()
            answer.read()
            assert answer.status == 200, (address, answer.status)
            times.append(time.perf_counter() - start)

    threads = [threading.Thread(target=ask, args=(number, times)) for number, times in enumerate(taken)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return Run([second for times in taken for second in times], read_cpu_seconds(server.pid) - before)


def start_server(port: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "uvicorn", "--factory", "benchmarks.api:make_application"]
    server = subprocess.Popen([*command, "--port", str(port), "--log-level", "error", "--no-access-log"], cwd=CHECKOUT)
    try:
        wait_for_server(port)
    except CommandError:
        server.terminate()
        raise
    return server


def measure_api(*, runs: int, seconds: float) -> Survey:
    if runs < 1 or seconds <= 0:
        raise CommandError("--runs is at least 1, --seconds more than 0.")
    use_default_settings()
    with use_services(read_layout(), read_wanted()):
        django.setup()
        addresses = find_addresses()
        port = find_free_port()
        server = start_server(port)
        try:
            for asked in addresses.values():
                measure(server, port, asked, seconds)
            measured: dict[str, list[Run]] = {name: [] for name in addresses}
            for _ in range(runs):
                for name, asked in addresses.items():
                    measured[name].append(measure(server, port, asked, seconds))
        finally:
            server.terminate()
            server.wait()
    return Survey(f"{CLIENTS} clients, medians of {runs} runs of {seconds:g} s", list_figures(measured, seconds))


def list_figures(measured: dict[str, list[Run]], seconds: float) -> list[Figure]:
    speeds = {name: statistics.median(len(run.times) / seconds for run in runs) for name, runs in measured.items()}
    figures = []
    for name, runs in measured.items():
        p99 = statistics.median(statistics.quantiles(run.times, n=100)[98] for run in runs)
        cost = statistics.median(run.processor / len(run.times) for run in runs)
        goal = GOAL if name in ("standings", "a match") or name.endswith("matches in turn") else None
        ratio = speeds[name] / speeds[TRIVIAL_NAME]
        figures += [
            Figure(name, f"beside {TRIVIAL_NAME}", speeds[name], "requests/s", goal, ratio),
            Figure(name, "p99", p99 * 1000, "ms"),
            Figure(name, "processor of the server, each", cost * 1000, "ms"),
        ]
    return figures


def __getattr__(name: str) -> Any:
    """`urlpatterns`, when a server asks: the site's addresses and the trivial view to measure the others by."""
    if name != "urlpatterns":
        raise AttributeError(name)
    from django.http import HttpRequest, JsonResponse
    from django.urls import include, path

    def answer_trivially(request: HttpRequest) -> JsonResponse:
        return JsonResponse({"hello": "world"})

    return [path(TRIVIAL, answer_trivially), path("", include("aurum_league.urls"))]
