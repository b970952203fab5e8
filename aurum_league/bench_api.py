"""Measures the API beside a trivial JSON view of the same server: python -m aurum_league.bench_api

Reads the newest tournament that is finished: play one first, with `make demo`.
"""

import http.client
import socket
import statistics
import subprocess
import sys
import threading
import time
from typing import Any

import django
from django.conf import settings

from aurum_league.environment import use_default_settings

TRIVIAL = "/bench/trivial"
GOAL = 0.6
CLIENTS = 4
SECONDS = 5.0
ROUNDS = 3


def make_application() -> Any:
    """The site as it is served, with the trivial view added and nobody throttled."""
    use_default_settings()
    settings.ROOT_URLCONF = "aurum_league.bench_urls"
    rates = settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]
    settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"] = dict.fromkeys(rates, 10**9)
    settings.ALLOWED_HOSTS = ["127.0.0.1"]
    from aurum_league.asgi import application

    return application


def find_addresses() -> dict[str, str]:
    from tournaments.models import FixtureMatch, Stage

    stage = Stage.objects.filter(tournament__state="finished").select_related("tournament").last()
    if stage is None:
        sys.exit("There is no finished tournament to read. Play one: make demo")
    match = FixtureMatch.objects.filter(stage=stage).values_list("match_id", flat=True).last()
    return {
        "a trivial JSON view": TRIVIAL,
        "standings": f"/api/v1/tournaments/{stage.tournament.slug}/stages/{stage.number}/standings",
        "a match": f"/api/v1/matches/{match}",
        "its record": f"/api/v1/matches/{match}/record",
        "a page of 50 matches": "/api/v1/matches",
    }


def measure(port: int, address: str) -> list[float]:
    """Seconds of every request that so many clients, each on one connection, got answered in the time."""
    taken: list[list[float]] = [[] for _ in range(CLIENTS)]
    end = time.perf_counter() + SECONDS

    def ask(times: list[float]) -> None:
        client = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        while (start := time.perf_counter()) < end:
            client.request("GET", address)
            answer = client.getresponse()
            answer.read()
            assert answer.status == 200, (address, answer.status)
            times.append(time.perf_counter() - start)

    threads = [threading.Thread(target=ask, args=(times,)) for times in taken]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [second for times in taken for second in times]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start_server(port: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "uvicorn", "--factory", "aurum_league.bench_api:make_application"]
    server = subprocess.Popen([*command, "--port", str(port), "--log-level", "error", "--no-access-log"])
    for _ in range(300):
        time.sleep(0.1)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return server
    server.terminate()
    sys.exit("The server did not start.")


def main() -> int:
    use_default_settings()
    django.setup()
    addresses = find_addresses()
    port = free_port()
    server = start_server(port)
    try:
        for address in addresses.values():
            measure_once = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            measure_once.request("GET", address)
            measure_once.getresponse().read()
        times: dict[str, list[list[float]]] = {name: [] for name in addresses}
        for _ in range(ROUNDS):
            for name, address in addresses.items():
                times[name].append(measure(port, address))
    finally:
        server.terminate()
        server.wait()
    report(times)
    return 0


def report(times: dict[str, list[list[float]]]) -> None:
    speeds = {name: statistics.median(len(run) / SECONDS for run in runs) for name, runs in times.items()}
    base = next(iter(speeds.values()))
    print(f"{CLIENTS} clients, medians of {ROUNDS} runs of {SECONDS:g} s; goal for standings and matches: {GOAL:.0%}")
    for name, runs in times.items():
        p99 = statistics.median(statistics.quantiles(run, n=100)[98] for run in runs)
        print(f"{name:24} {speeds[name]:8.0f} requests/s {speeds[name] / base:7.0%}   p99 {p99 * 1000:7.1f} ms")


if __name__ == "__main__":
    sys.exit(main())
