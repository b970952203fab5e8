"""The referee's side of one bot process: questions out, answers in, and a verdict on whatever goes wrong."""

import json
import math
import time
from pathlib import Path
from typing import Any, Self

from bots.runners.budget import Budget, Limits, WallBank
from bots.runners.cores import find_shared_core, read_cpu_time, read_peak_memory
from bots.runners.launchers import Child, Ended, Launcher
from bots.runners.streams import MalformedAnswerError, OutputClosed, Streams, parse_answer, show_bytes
from bots.runners.verdict import Answer, Exit, Fault, LaunchError, Verdict, judge_status

# From a closed output to the process's end; longer than this, it lives on without a voice.
LEAVING_SECONDS = 0.05
# From its last message on: time enough to note something on stderr, and none to hold anybody up.
FAREWELL_SECONDS = 0.05


class BotProcess:
    """One seat in one match. Any verdict but ok ends the process; later questions get that same verdict."""

    def __init__(self, child: Child, limits: Limits) -> None:
        self._child = child
        self._limits = limits
        self._streams = Streams(child, limits)
        self._core = find_shared_core()
        if limits.takes_core:
            self._core.join(child.pid)
        self._cpu = 0.0
        self._bank_start: float | None = None
        self._wall_bank = WallBank(child.pid, limits.bank_wall)
        self._patience = WallBank(child.pid, limits.patience)
        self._last: Answer | None = None
        self._exit: Exit | None = None
        self._leaves_by: float | None = None

    @classmethod
    def start(cls, code: Path, limits: Limits, launcher: Launcher) -> Self:
        """A confined process running `code`, a file or a directory with main.py. Raises LaunchError.

        For bots of others use `launch`, which asks first whether the sandbox holds here.
        """
        process = cls(launcher.spawn(code.resolve(), limits), limits)
        if not process._streams.wait_until_confined():
            raise LaunchError(process.close().stderr.strip() or "the sandbox was not ready in time.")
        process._cpu = process._read_cpu()
        return process

    @property
    def pid(self) -> int:
        return self._child.pid

    @property
    def has_ended(self) -> bool:
        return self._exit is not None

    @property
    def bank_left(self) -> float:
        """CPU seconds left for the rest of the match, as far as known after the last answer."""
        used = 0.0 if self._bank_start is None else self._cpu - self._bank_start
        return max(0.0, self._limits.bank_cpu - used)

    @property
    def wall_left(self) -> float:
        """Seconds on the wall left for the rest of the match."""
        return self._wall_bank.left

    @property
    def slept(self) -> float:
        """Seconds for which it let the referee wait without working, where its patience has an end; else 0."""
        most = self._limits.patience
        return most - self._patience.allow(most) if math.isfinite(most) else 0.0

    def take_words(self) -> str:
        """What it wrote to stderr since the last call."""
        return self._streams.take_new_stderr(is_open=self._exit is None)

    def ask(self, message: dict[str, Any]) -> Answer:
        """Send a message and wait for its answer, no longer than the limits allow."""
        if self._last is not None:
            return self._last
        started = time.monotonic()
        cpu_before = self._cpu
        line = b""
        try:
            budget = self._make_budget()
            self._streams.refuse_early_output()
            self._streams.send(_encode(message))
            line = self._streams.read_line(budget)
            payload = parse_answer(line)
        except (Fault, OutputClosed, MalformedAnswerError) as problem:
            fault = self._end(problem)
            wall = time.monotonic() - started
            self._wall_bank.charge(wall)
            if fault.verdict is Verdict.SLEEPS:
                self._patience.charge(self._patience.left)
            written = show_bytes(line or self._streams.received)
            self._last = Answer(fault.verdict, None, max(0.0, self._cpu - cpu_before), wall, fault.detail, written)
            return self._last
        self._cpu = self._read_cpu()
        if self._bank_start is None:
            self._bank_start = self._cpu
        wall = time.monotonic() - started
        self._wall_bank.charge(wall)
        self._patience.charge(max(0.0, wall - (self._cpu - cpu_before)))
        return Answer(Verdict.OK, payload, self._cpu - cpu_before, wall)

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message that has no answer; a bot that is no longer there misses nothing."""
        if self._last is not None:
            return
        try:
            self._streams.send(_encode(message))
        except Fault as fault:
            self._end(fault)
            self._last = Answer(fault.verdict, None, 0.0, 0.0, fault.detail)

    def dismiss(self) -> None:
        """There will be no more messages: the bot may read those it has and go, and is not waited for until `close`."""
        if self._exit is None and self._leaves_by is None:
            self._child.close_stdin()
            self._leaves_by = time.monotonic() + FAREWELL_SECONDS

    def close(self) -> Exit:
        """End the process if it has not ended; the same answer every time."""
        if self._exit is None:
            if self._leaves_by is not None:
                self._child.has_ended(within=max(0.0, self._leaves_by - time.monotonic()))
            self._kill()
        assert self._exit is not None
        return self._exit

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _make_budget(self) -> Budget:
        """CPU that the bot used since its last answer comes from its bank too: thinking meanwhile is not free."""
        now = self._read_cpu()
        if self._bank_start is None:
            cpu_end = self._cpu + self._limits.start_cpu
            wall = self._limits.start_cpu * self._limits.wall_factor
        else:
            bank_end = self._bank_start + self._limits.bank_cpu
            cpu_end = min(now + self._limits.decision_cpu, bank_end)
            wall = self._limits.decision_cpu * self._limits.wall_factor
        return Budget(self._child.pid, now, cpu_end, wall, self._wall_bank, self._patience)

    def _read_cpu(self) -> float:
        cpu = read_cpu_time(self._child.pid)
        return self._cpu if cpu is None else cpu

    def _end(self, problem: Exception) -> Fault:
        if isinstance(problem, OutputClosed) and self._child.has_ended(within=LEAVING_SECONDS):
            ended = self._kill()
            return judge_status(ended.status, ended.cpu, self._limits.cpu_seconds)
        self._kill()
        if isinstance(problem, Fault):
            return problem
        detail = "The bot closed its stdout." if isinstance(problem, OutputClosed) else str(problem)
        return Fault(Verdict.PROTOCOL, detail)

    def _kill(self) -> Ended:
        self._cpu = self._read_cpu()
        peak_memory = read_peak_memory(self._child.pid)
        ended = self._child.kill()
        self._core.leave(self._child.pid)
        self._cpu = max(self._cpu, ended.cpu)
        stderr = self._streams.take_stderr()
        self._child.close()
        self._exit = Exit(ended.status, stderr, peak_memory or ended.peak_memory, self._cpu)
        return ended


_encoder = json.JSONEncoder(separators=(",", ":"))


def _encode(message: dict[str, Any]) -> bytes:
    return _encoder.encode(message).encode() + b"\n"
