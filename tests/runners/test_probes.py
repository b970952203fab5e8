"""No probe gets out, whoever runs the worker; and without the sandbox nearly every one does."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Self

import pytest

from bots.runners import selftest
from bots.runners.launchers import ColdLauncher, Launcher
from bots.runners.selftest import SandboxState, bait_probes, compare_readings, launch, probe_sandbox, read_sandbox_state
from bots.runners.verdict import SandboxUnsafeError

ORDINARY_USER = 60_001
# Some need root, or a kernel module that this machine has not.
FEWEST_OPEN_WHEN_BARE = 0.8
# Some need a disk that notes accesses, or are there for the fork server, which a bare process has not.
FEWEST_TALKING_WHEN_BARE = 0.7


def test_no_probe_is_open(launcher: Launcher) -> None:
    state = probe_sandbox(launcher)
    assert state.open_probes == ()
    assert state.is_safe, state.reason
    assert state.probes >= 200
    assert state.abi >= 1


def find_python_for_everyone() -> str | None:
    """An interpreter of 3.11 or later that another user may execute."""
    check = "import sys; sys.exit(sys.version_info < (3, 11))"
    for candidate in (os.path.realpath(sys.executable), shutil.which("python3", path="/usr/local/bin:/usr/bin")):
        try:
            if candidate and not subprocess.run([candidate, "-I", "-c", check], user=ORDINARY_USER).returncode:
                return candidate
        except PermissionError:
            continue
    return None


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")
def test_no_probe_is_open_for_an_ordinary_user(tmp_path_factory: pytest.TempPathFactory) -> None:
    python = find_python_for_everyone()
    if python is None:
        pytest.skip("no Python that an ordinary user may execute")
    report = subprocess.run(
        [python, "-B", "-m", "bots.runners.selftest"],
        user=ORDINARY_USER, group=ORDINARY_USER, extra_groups=[],
        env={}, capture_output=True, text=True, check=True, timeout=30,
    )  # fmt: skip
    states = [json.loads(line) for line in report.stdout.splitlines()]
    assert [(state["is_safe"], state["open_probes"]) for state in states] == [(True, [])] * 2


class BareBot:
    """The probe bot without a sandbox."""

    def __init__(self, code: Path) -> None:
        # Not -I, which would hide the bot's own modules from it.
        command = [sys.executable, "-E", "-s", "-B", str(code / "main.py")]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def tell(self, context: dict[str, Any], do: str) -> None:
        assert self.process.stdin is not None
        print(json.dumps({**context, "do": do}), file=self.process.stdin, flush=True)

    def ask(self, context: dict[str, Any], do: str) -> dict[str, Any]:
        self.tell(context, do)
        assert self.process.stdout is not None
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()


def test_probes_are_open_without_the_sandbox() -> None:
    with bait_probes() as (code, context), BareBot(code) as bot:
        outcome = bot.ask(context, "try")
    assert len(outcome["open"]) >= FEWEST_OPEN_WHEN_BARE * len(outcome["tried"]), set(outcome["tried"]) - set(
        outcome["open"]
    )


def test_pairs_talk_without_the_sandbox() -> None:
    with bait_probes() as (code, context):
        with BareBot(code) as first:
            before = first.ask(context, "read")["found"]
        with BareBot(code) as writer:
            writer.ask(context, "write")
            writer.tell(context, "hold")
            with BareBot(code) as beside:
                now = beside.ask({**context, "writer": writer.process.pid}, "read")["found"]
        with BareBot(code) as following:
            after = following.ask(context, "read")["found"]
            following.ask(context, "clean")
    talking = compare_readings(before, now, after)
    assert len(talking) >= FEWEST_TALKING_WHEN_BARE * len(before), set(before) - set(talking)


def test_a_sandbox_that_cannot_start_is_not_safe() -> None:
    state = probe_sandbox(ColdLauncher(python="/bin/true"))
    assert not state.is_safe
    assert state.reason


def test_launch_starts_a_bot_where_the_sandbox_holds(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text("print(input())")
    assert read_sandbox_state().is_safe
    with launch(tmp_path) as bot:
        assert bot.ask({"a": 1}).payload == {"a": 1}


def test_launch_refuses_where_the_sandbox_does_not_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unsafe = SandboxState(False, ("fork",), "the sandbox leaves open: fork.", "none", 7)
    monkeypatch.setattr(selftest, "_probed", (float("inf"), unsafe))
    with pytest.raises(SandboxUnsafeError, match="leaves open: fork") as refusal:
        launch(tmp_path)
    assert refusal.value.code == "sandbox_unsafe"
