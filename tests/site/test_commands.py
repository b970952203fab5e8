"""The commands an operator types, from the outside."""

import os
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]


def manage(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(CHECKOUT / "manage.py"), *arguments]
    environment = {"PATH": os.environ["PATH"], "AURUM_DATA": os.environ["AURUM_DATA"], **variables}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_status_of_the_services() -> None:
    done = manage("services", "status")
    assert [line.split(" in ")[0] for line in done.stdout.splitlines()] == ["Postgres runs", "Valkey runs"]


def test_services_that_are_not_ours() -> None:
    done = manage("services", "start", DATABASE_URL="postgres://db/x", REDIS_URL="redis://cache")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("its address is set, so it is not ours to run") == 2


def test_doctor_finds_what_is_missing() -> None:
    done = manage("doctor", REDIS_URL="redis://127.0.0.1:1")
    assert done.returncode == 1
    assert "ok    The database answers." in done.stdout
    assert "WRONG Redis does not answer" in done.stdout
    assert "Traceback" not in done.stderr


def test_a_database_that_is_not_there_is_one_sentence() -> None:
    done = manage("migrate", DATABASE_URL="postgres://me@127.0.0.1:1/x")
    assert done.returncode == 1
    assert done.stderr.startswith("aurum: The database refused")
    assert "Traceback" not in done.stderr
