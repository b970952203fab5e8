"""Both ways to start a bot, and a place to write one."""

from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from bots.runners.launchers import ColdLauncher, ForkServer, Launcher


@pytest.fixture(scope="session")
def fork_server() -> Iterator[ForkServer]:
    server = ForkServer()
    yield server
    server.close()


@pytest.fixture(params=["fork", "cold"])
def launcher(request: pytest.FixtureRequest, fork_server: ForkServer) -> Launcher:
    return fork_server if request.param == "fork" else ColdLauncher()


@pytest.fixture
def write_bot(tmp_path: Path) -> Callable[[str], Path]:
    def write(source: str) -> Path:
        folder = tmp_path / "bot"
        folder.mkdir()
        (folder / "main.py").write_text(dedent(source))
        return folder

    return write
