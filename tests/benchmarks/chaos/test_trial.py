"""A small trial with real servers and workers, all of them killed: nothing is lost."""

import subprocess
import sys

import pytest

from aurum_league.settings.environment import CHECKOUT

SMALL = ["--matches", "400", "--seconds", "12", "--lease", "4", "--patience", "120", "--slack", "60", "--seed", "5"]


@pytest.mark.timeout(1200)
def test_nothing_is_lost() -> None:
    command = [sys.executable, "-m", "benchmarks", "chaos", *SMALL]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    assert "Nothing lost." in done.stdout
    for fault in ("worker killed", "child killed", "redis flushed", "redis killed", "postgres killed", "worker frozen"):
        assert fault in done.stdout
