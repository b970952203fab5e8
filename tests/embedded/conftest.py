"""Services of a test's own, in a short folder that a dropped user can reach, stopped whatever happens."""

import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from aurum_league.embedded.layout import Layout, find_layout, list_processes, wait_until, works_in


@pytest.fixture
def folder() -> Iterator[Path]:
    """pytest's own tmp_path is closed to other users, as root's services are."""
    made = Path(tempfile.mkdtemp(prefix="aurum-t-", dir="/var/tmp"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made)


@pytest.fixture
def make_layout() -> Iterator[Callable[[Path], Layout]]:
    layouts = []

    def make(data: Path) -> Layout:
        layouts.append(find_layout(data))
        return layouts[-1]

    yield make
    for layout in layouts:
        kill_services(layout)
        for place in (layout.services, layout.run):
            shutil.rmtree(place, ignore_errors=True)


def kill_services(layout: Layout) -> None:
    """Quicker than stopping: nobody needs these rows any more."""

    def list_serving() -> list[int]:
        folders = (layout.postgres, layout.valkey)
        return [process.pid for process in list_processes() if any(works_in(process.pid, place) for place in folders)]

    for pid in list_serving():
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    assert wait_until(lambda: not list_serving(), 60)


@pytest.fixture
def layout(folder: Path, make_layout: Callable[[Path], Layout]) -> Layout:
    return make_layout(folder / "data")


needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user or mount a small disk")
