"""A referee and its bots share a core while they talk, and nobody keeps one that is no longer needed."""

import os
import threading
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest

from bots.runners.budget import Limits
from bots.runners.cores import SharedCore, find_shared_core
from bots.runners.launchers import ForkServer
from bots.runners.process import BotProcess
from games.services.play import PATIENCE_SECONDS, PATIENT_SECONDS

CORES = os.sched_getaffinity(0)
SILENT = "import time\ntime.sleep(60)\n"
pytestmark = pytest.mark.skipif(len(CORES) < 2, reason="needs two cores")


@pytest.fixture(autouse=True)
def own_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Referees of other tests take cores too."""
    monkeypatch.setattr("bots.runners.cores.CLAIM", f"aurum-test-{uuid.uuid4()}")


def test_bots_share_the_referees_core_until_the_last_has_left(
    write_bot: Callable[[str], Path], fork_server: ForkServer
) -> None:
    code = write_bot(SILENT)
    first = BotProcess.start(code, Limits(), fork_server)
    second = BotProcess.start(code, Limits(), fork_server)
    shared = os.sched_getaffinity(0)
    assert len(shared) == 1
    assert os.sched_getaffinity(first.pid) == os.sched_getaffinity(second.pid) == shared
    first.close()
    assert os.sched_getaffinity(0) == shared
    second.close()
    assert os.sched_getaffinity(0) == CORES


def test_a_referee_of_sleepers_takes_no_core_from_those_who_work(
    write_bot: Callable[[str], Path], fork_server: ForkServer
) -> None:
    code = write_bot(SILENT)
    with BotProcess.start(code, Limits(patience=PATIENT_SECONDS), fork_server) as sleeper:
        assert os.sched_getaffinity(0) == os.sched_getaffinity(sleeper.pid) == CORES
    with BotProcess.start(code, Limits(patience=PATIENCE_SECONDS), fork_server):
        assert len(os.sched_getaffinity(0)) == 1


def test_no_two_referees_take_one_core_and_who_finds_none_is_free() -> None:
    taken: list[set[int]] = []
    together = threading.Barrier(len(CORES) + 1)

    def referee() -> None:
        core = find_shared_core()
        core.join(core.thread)
        taken.append(os.sched_getaffinity(core.thread))
        together.wait()
        core.leave(core.thread)
        assert os.sched_getaffinity(core.thread) == CORES

    threads = [threading.Thread(target=referee) for _ in range(len(CORES) + 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(sorted, taken)) == sorted([sorted(CORES), *([core] for core in CORES)])


def test_a_core_is_free_again_for_the_next() -> None:
    first, second = SharedCore(), SharedCore()
    first.join(os.getpid())
    shared = os.sched_getaffinity(0)
    first.leave(os.getpid())
    second.join(os.getpid())
    assert os.sched_getaffinity(0) == shared
    second.leave(os.getpid())
    assert os.sched_getaffinity(0) == CORES
