"""Measures the API beside a trivial JSON view of the same server: python -m aurum_league.bench_api

Reads the newest tournament that is finished: play one first, with `make demo`. Who asks is a stranger on loopback, on
connections that stay open. The trivial view passes every middleware of the site, as pages and the API do.
"""

import http.client
import itertools
import os
import socket
import statistics
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from typing import Any

import django
from django.conf import settings

from aurum_league.embedded.services import use_services
from aurum_league.settings.connections import read_layout, read_wanted
from aurum_league.settings.environment import use_default_settings

TRIVIAL = "/bench/trivial"
GOAL = 0.6
CLIENTS = 4
SECONDS = 2.0
ROUNDS = 5
MOST_MATCHES = 200


@dataclass(frozen=True)
class Run:
    """Seconds of every request that was answered, and processor seconds that the server took for all of them."""

    times: list[float]
    processor: float


def make_application() -> Any:
    """The site as it is served, with the trivial view added and nobody throttled, though everybody is counted."""
    use_default_settings()
    settings.ROOT_URLCONF = "aurum_league.bench_urls"
    rates = settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]
    settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"] = dict.fromkeys(rates, 10**9)
    settings.ALLOWED_HOSTS = ["127.0.0.1"]
    from aurum_league.asgi import application

    return application


def find_addresses() -> dict[str, list[str]]:
    from tournaments.models import FixtureMatch, Stage

    stage = Stage.objects.filter(tournament__state="finished").select_related("tournament").last()
    if stage is None:
        sys.exit("There is no finished tournament to read. Play one: make demo")
    matches = list(FixtureMatch.objects.filter(stage=stage).values_list("match_id", flat=True)[:MOST_MATCHES])
    tournament = f"/api/v1/tournaments/{stage.tournament.slug}"
    return {
        "a trivial JSON view": [TRIVIAL],
        "standings": [f"{tournament}/stages/{stage.number}/standings"],
        "a match": [f"/api/v1/matches/{matches[0]}"],
        f"{len(matches)} matches in turn": [f"/api/v1/matches/{match}" for match in matches],
        "a match's record": [f"/api/v1/matches/{matches[0]}/record"],
        "a page of 50 matches": ["/api/v1/matches"],
        "a tournament": [tournament],
    }


def measure(server: subprocess.Popen[bytes], port: int, addresses: list[str]) -> Run:
    """What so many clients, each on one connection, got answered in the time."""
    taken: list[list[float]] = [[] for _ in range(CLIENTS)]
    before = read_processor_seconds(server.pid)
    end = time.perf_counter() + SECONDS

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
    return Run([second for times in taken for second in times], read_processor_seconds(server.pid) - before)


def read_processor_seconds(pid: int) -> float:
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start_server(port: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "uvicorn", "--factory", "aurum_league.bench_api:make_application"]
    server = subprocess.Popen([*command, "--port", str(port), "--log-level", "error", "--no-access-log"])
    for _ in range(600):
        time.sleep(0.1)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return server
    server.terminate()
    sys.exit("The server did not start.")


def main() -> int:
    use_default_settings()
    with use_services(read_layout(), read_wanted()):
        django.setup()
        addresses = find_addresses()
        port = free_port()
        server = start_server(port)
        try:
            for asked in addresses.values():
                measure(server, port, asked)
            runs: dict[str, list[Run]] = {name: [] for name in addresses}
            for _ in range(ROUNDS):
                for name, asked in addresses.items():
                    runs[name].append(measure(server, port, asked))
        finally:
            server.terminate()
            server.wait()
    report(runs)
    return 0


def report(measured: dict[str, list[Run]]) -> None:
    speeds = {name: statistics.median(len(run.times) / SECONDS for run in runs) for name, runs in measured.items()}
    base = next(iter(speeds.values()))
    print(f"{CLIENTS} clients, medians of {ROUNDS} runs of {SECONDS:g} s; goal for standings and matches: {GOAL:.0%}")
    for name, runs in measured.items():
        p99 = statistics.median(statistics.quantiles(run.times, n=100)[98] for run in runs)
        cost = statistics.median(run.processor / len(run.times) for run in runs)
        print(
            f"{name:24} {speeds[name]:8.0f} requests/s {speeds[name] / base:7.0%}"
            f"   p99 {p99 * 1000:7.1f} ms   server {cost * 1000:6.2f} ms of processor each"
        )


if __name__ == "__main__":
    sys.exit(main())
