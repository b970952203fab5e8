"""The whole site from the command line: up, killed, up again, stopped; and starts that cannot be."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from aurum_league.embedded.layout import list_processes, wait_until, works_in
from aurum_league.supervision.roster import read_roster

CHECKOUT = Path(__file__).resolve().parents[2]
ONE_OF_EACH = {"WORKER_CONCURRENCY": "1", "WEB_PROCESSES": "1"}


def start(data: Path, *arguments: str, **variables: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "manage.py", *arguments],
        cwd=CHECKOUT,
        env={"PATH": os.environ["PATH"], "AURUM_DATA": str(data), **ONE_OF_EACH, **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def find_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def read_ready(port: int) -> str:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5) as answer:
            return str(json.load(answer)["status"])
    except urllib.error.HTTPError as error:
        error.close()
        return "not ready"
    except OSError:
        return "not there"


def list_left(data: Path) -> list[int]:
    sessions = {leader.pid for file in data.glob("*.roster") for leader in read_roster(file)}
    folders = (data / "services" / "postgres", data / "services" / "valkey")
    return [
        process.pid
        for process in list_processes()
        if not process.is_dead
        if process.session in sessions or any(works_in(process.pid, place) for place in folders)
    ]


@pytest.fixture
def data() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="aurum-u-", dir="/var/tmp"))
    folder.chmod(0o755)
    yield folder
    for pid in list_left(folder):
        os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not list_left(folder), 10)
    shutil.rmtree(folder)


@pytest.mark.timeout(1200)
def test_up_survives_its_own_death_and_stops_cleanly(data: Path) -> None:
    port = find_port()
    first = start(data, "up", PORT=str(port))
    assert wait_until(lambda: read_ready(port) == "ready" or first.poll() is not None, 300)
    first.kill()
    first.communicate()
    second = start(data, "up", PORT=str(port))
    time.sleep(0.5)
    assert wait_until(lambda: read_ready(port) == "ready" or second.poll() is not None, 300)
    third = start(data, "up", PORT=str(find_port()))
    assert "Another start already uses the data folder" in third.communicate(timeout=300)[1]
    assert third.returncode == 1
    second.send_signal(signal.SIGINT)
    output, errors = second.communicate(timeout=300)
    assert second.returncode == 0, errors
    assert f"The site is on http://127.0.0.1:{port}" in output
    assert list_left(data) == []


@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        pytest.param({"PORT": "taken"}, "The site cannot listen on 127.0.0.1 port", id="a port in use"),
        pytest.param({"HOST": "no.such.invalid"}, "The site cannot listen on no.such.invalid", id="no such host"),
        pytest.param({"DATABASE_URL": "postgres://me@127.0.0.1:1/x"}, "The database does not answer", id="no database"),
        pytest.param({"REDIS_URL": "redis://127.0.0.1:1"}, "Redis does not answer", id="no Redis"),
        pytest.param({"AURUM_DATA": "/proc/aurum"}, "The folder /proc/aurum cannot be used", id="an unwritable folder"),
        pytest.param({"AURUM_EMBEDDED": "docker"}, "AURUM_EMBEDDED is 'docker'", id="a bad choice"),
    ],
)
def test_a_start_that_cannot_be_is_one_sentence(data: Path, variables: dict[str, str], sentence: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1] if variables.get("PORT") == "taken" else find_port())
        done = start(data, "up", **{**variables, "PORT": port})
        _, errors = done.communicate(timeout=300)
    assert done.returncode == 1
    assert errors.startswith(f"aurum: {sentence}"), errors
    assert "Traceback" not in errors
    assert list_left(data) == []
