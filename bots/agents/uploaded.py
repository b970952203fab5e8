"""The agents of uploads: one confined process for a main.py, and whichever kind a folder holds."""

import json
import sysconfig
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from bots.agents.wasm import WasmAgent
from bots.contract import (
    ContractError,
    TimeLeft,
    draw_match_number,
    make_decide,
    make_happened,
    make_hello,
    make_match_end,
    make_match_start,
    read_action,
)
from bots.runners.archive import MAIN_MODULE
from bots.runners.budget import Limits
from bots.runners.process import BotProcess
from bots.runners.sandbox.memory_files import HOME
from bots.runners.selftest import launch
from bots.runners.verdict import RunnerError, Verdict
from bots.runners.wasm import ArtifactCache, HostPool
from games.play.agents import AgentFault, AgentSleeps, PlatformFault, SeatOrder
from games.rules.view import View


def _hide_folders(stderr: str) -> str:
    """A traceback as the author knows it: `main.py`, not where it lay, and Python's library by its last name."""
    library = sysconfig.get_path("stdlib")
    return stderr.replace(f"{HOME}/", "").replace(library, Path(library).name)


class SandboxedAgent:
    """A fault ends the process; the next decision is asked of a new one, which is told all that happened.

    `cpu` holds the CPU seconds of every decision, `slept` how long it let others wait, `stderr` its last words.
    A new process has only what is left of the banks.
    """

    def __init__(self, order: SeatOrder, code: Path, limits: Limits | None = None) -> None:
        self.order = order
        self.code = code
        self.cpu: list[float] = []
        self.stderr = ""
        self.slept = 0.0
        self._limits = replace(limits or Limits(), patience=order.patience)
        self._left = self._limits
        self._match = draw_match_number(order.bot_seed)
        self._told = 0
        self._is_first = True
        self._process: BotProcess | None = self._start()

    def choose(self, view: View) -> int:
        """Raises AgentFault with the exact exchange, or PlatformFault where the failure is ours."""
        process = self._process or self._restart()
        if view.log_end > self._told:
            process.tell(make_happened(self._match, view, self._told))
            self._told = view.log_end
        question = make_decide(self._match, view, self._time_left(process))
        answer = process.ask(question)
        self._is_first = False
        self.cpu.append(answer.cpu)
        if answer.payload is None:
            raise self._fault(answer.verdict, answer.detail, question, answer.written)
        try:
            return read_action(answer.payload, view)
        except ContractError as error:
            answered = json.dumps(answer.payload, ensure_ascii=False)
            raise self._fault(Verdict(error.verdict), str(error), question, answered) from None

    def end(self, view: View, forfeits: list[int]) -> None:
        """Tell how the match ended and let go; nothing that the bot does now is waited for or judged."""
        if self._process is not None:
            self._process.tell(make_happened(self._match, view, self._told))
            self._process.tell(make_match_end(self._match, self.order.seat, view.result, forfeits))
            self._process.dismiss()

    def close(self) -> None:
        if self._process is not None:
            self._end_process(self._process)

    def _start(self) -> BotProcess:
        order = self.order
        try:
            process = launch(self.code, self._left)
        except RunnerError as error:
            raise PlatformFault(str(error)) from error
        names = order.seat_names or tuple(f"seat {seat}" for seat in range(order.ruleset.players))
        process.tell(make_hello(names[order.seat], clock="cpu"))
        process.tell(
            make_match_start(
                match=self._match, ruleset=order.ruleset, seat=order.seat, names=names, chance=order.bot_seed
            )
        )
        return process

    def _restart(self) -> BotProcess:
        self._told = 0
        self._is_first = True
        self._process = self._start()
        return self._process

    def _time_left(self, process: BotProcess) -> TimeLeft:
        bank = process.bank_left
        return TimeLeft(self._limits.start_cpu if self._is_first else min(self._limits.decision_cpu, bank), bank)

    def _fault(self, verdict: Verdict, detail: str, question: dict[str, Any], answered: str) -> Exception:
        """What to raise; the process is over, so that all its stderr is there to show."""
        assert self._process is not None
        self._left = replace(self._limits, bank_cpu=self._process.bank_left, bank_wall=self._process.wall_left)
        self._end_process(self._process)
        if verdict is Verdict.PLATFORM:
            return PlatformFault(detail)
        if verdict is Verdict.SLEEPS:
            return AgentSleeps(self.order.seat)
        asked = json.dumps(question, ensure_ascii=False, separators=(",", ":"))
        return AgentFault(verdict.value, detail, asked, answered, self.stderr)

    def _end_process(self, process: BotProcess) -> None:
        self.slept += process.slept
        self.stderr = _hide_folders(process.close().stderr)
        self._process = None


COMPILED = "compiled"
UploadedAgent = SandboxedAgent | WasmAgent


def open_uploaded(order: SeatOrder, code: Path, limits: Limits | None = None) -> UploadedAgent:
    """Take the seat; `limits` are a Python bot's, a module's fuel is the same everywhere. Raises PlatformFault."""
    module = find_module(code)
    if module is None:
        return SandboxedAgent(order, code, limits)
    return WasmAgent(order, module.read_bytes(), find_pool(code))


def compile_uploaded(code: Path) -> None:
    """Have a module's compiled code kept before it plays; Python has nothing to compile.

    Raises ArchiveError where the module is refused, another RunnerError where the failure is ours.
    """
    module = find_module(code)
    if module is not None:
        find_pool(code).fetch_artifact(module.read_bytes())


def find_module(code: Path) -> Path | None:
    """The module in the folder of an upload; None where it is Python."""
    module = code / MAIN_MODULE
    return module if module.is_file() else None


def find_pool(code: Path) -> HostPool:
    """This process's hosts of modules; compiled code is kept beside the folders of uploads."""
    return _open_pool(code.parent / COMPILED)


@cache
def _open_pool(folder: Path) -> HostPool:
    return HostPool(ArtifactCache(folder))
