"""Programs under the supervisor: started, restarted, given up, and never left behind."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from aurum_league.embedded.layout import find_process, list_processes, wait_until
from aurum_league.supervision.roster import Leader, end_leftovers, find_leader, read_roster, write_roster
from aurum_league.supervision.supervisor import ProgramCommand, Supervisor

CHECKOUT = Path(__file__).resolve().parents[2]
SHELL = "/bin/sh"
SLEEP = [SHELL, "-c", "sleep 300 & wait"]
STUBBORN = [SHELL, "-c", "trap '' TERM; while :; do sleep 1; done"]

KILLED_SUPERVISOR = """
import os, sys, time
from pathlib import Path
from aurum_league.supervision.supervisor import ProgramCommand
from aurum_league.supervision.supervisor import Supervisor
with Supervisor({"one": ProgramCommand(sys.argv[2:])}, Path(sys.argv[1]), Path.cwd()) as supervisor:
    time.sleep(300)
"""

KILLED_TESTS = """
import time
from tests.server import start_program
print(start_program(["/bin/sleep", "300"]).pid, flush=True)
time.sleep(300)
"""


@pytest.fixture
def roster(tmp_path: Path) -> Iterator[Path]:
    file = tmp_path / "programs.roster"
    yield file
    end_leftovers(file)


def leader_of(roster: Path) -> Leader | None:
    return next(iter(read_roster(roster)), None)


def list_session(leader: Leader) -> list[int]:
    return [process.pid for process in list_processes() if process.session == leader.pid and not process.is_dead]


def await_leader(roster: Path, processes: int) -> Leader:
    """Waits until the program and its child run."""
    assert wait_until(lambda: (found := leader_of(roster)) is not None and len(list_session(found)) >= processes, 20)
    leader = leader_of(roster)
    assert leader
    return leader


def test_programs_and_their_children_end_with_the_supervisor(roster: Path) -> None:
    with Supervisor({"one": ProgramCommand(SLEEP)}, roster, CHECKOUT) as supervisor:
        leader = await_leader(roster, processes=2)
        assert not supervisor.broken
    assert list_session(leader) == []
    assert not roster.exists()


def test_a_killed_program_is_started_again_and_its_children_are_not_left(roster: Path) -> None:
    with Supervisor({"one": ProgramCommand(SLEEP)}, roster, CHECKOUT):
        first = await_leader(roster, processes=2)
        os.kill(first.pid, signal.SIGKILL)
        assert wait_until(lambda: leader_of(roster) not in (None, first), 20)
        assert list_session(first) == []
        await_leader(roster, processes=2)


def test_a_program_that_keeps_dying_is_given_up(roster: Path) -> None:
    with Supervisor({"one": ProgramCommand([SHELL, "-c", "exit 3"])}, roster, CHECKOUT) as supervisor:
        supervisor.wait()
        assert supervisor.broken == "one"


@pytest.mark.parametrize("command", [pytest.param(SLEEP, id="obedient"), pytest.param(STUBBORN, id="deaf to SIGTERM")])
def test_nothing_is_left_after_the_supervisor_is_killed_and_the_next_start(roster: Path, command: list[str]) -> None:
    parent = subprocess.Popen([sys.executable, "-c", KILLED_SUPERVISOR, roster, *command], cwd=CHECKOUT)
    leader = await_leader(roster, processes=2)
    parent.kill()
    parent.wait()
    with Supervisor({}, roster, CHECKOUT):
        assert list_session(leader) == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a child with its parent")
def test_the_system_ends_programs_of_a_killed_supervisor_at_once(roster: Path) -> None:
    parent = subprocess.Popen([sys.executable, "-c", KILLED_SUPERVISOR, roster, "/bin/sleep", "300"], cwd=CHECKOUT)
    leader = await_leader(roster, processes=1)
    # Until then the tether has not yet become the program.
    assert wait_until(lambda: b"sleep" in Path(f"/proc/{leader.pid}/cmdline").read_bytes()[:11], 20)
    parent.kill()
    parent.wait()
    assert wait_until(lambda: not list_session(leader), 10)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a child with its parent")
def test_the_system_ends_programs_of_killed_tests() -> None:
    """A worker that outlived its tests took matches of the next ones, and held rows that those would empty."""
    with subprocess.Popen([sys.executable, "-c", KILLED_TESTS], cwd=CHECKOUT, stdout=subprocess.PIPE) as parent:
        assert parent.stdout
        pid = int(parent.stdout.readline())
        # Until then the tether has not yet become the program.
        assert wait_until(lambda: b"sleep" in Path(f"/proc/{pid}/cmdline").read_bytes()[:11], 20)
        parent.kill()
    assert wait_until(lambda: (left := find_process(pid)) is None or left.is_dead, 10)


def test_a_stranger_with_an_old_pid_is_not_touched(roster: Path) -> None:
    stranger = subprocess.Popen(["sleep", "300"], start_new_session=True)
    try:
        leader = find_leader(stranger.pid)
        write_roster(roster, [Leader(leader.pid, leader.started - 1)])
        end_leftovers(roster)
        found = find_process(stranger.pid)
        assert found and not found.is_dead
    finally:
        stranger.kill()
        stranger.wait()


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("{", id="cut short"),
        pytest.param(json.dumps([1, 2]), id="another shape"),
        pytest.param(json.dumps([{"pid": 1}]), id="a field missing"),
    ],
)
def test_a_broken_roster_is_no_roster(roster: Path, text: str) -> None:
    roster.write_text(text)
    assert read_roster(roster) == []
