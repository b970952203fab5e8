"""The agents of uploads: a confined process for a main.py, an instance for a module, and what their decisions cost.

CPU time or fuel is counted in buckets half an octave wide, so that a quantile read from them is within a fifth of the
truth, and histograms add up. Whoever has the times themselves finds it exactly.
"""

import json
import sysconfig
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from math import ceil, floor, log2
from pathlib import Path
from typing import Any

from bots.brains.sampling import decision_seed
from bots.contract import (
    BlockWriter,
    ContractError,
    Message,
    TimeLeft,
    draw_match_number,
    make_decide,
    make_happened,
    make_hello,
    make_match_end,
    make_match_start,
    read_action,
    read_number,
)
from bots.runners.archive import MAIN_MODULE
from bots.runners.budget import Limits
from bots.runners.process import BotProcess
from bots.runners.sandbox.memory_files import HOME
from bots.runners.selftest import launch
from bots.runners.streams import MalformedAnswerError, parse_answer, show_bytes
from bots.runners.verdict import RunnerError, Verdict
from bots.runners.wasm import ArtifactCache, HostPool, WasmAnswer, WasmLimits, WasmSeat
from bots.runners.wasm.interface import BILLION
from games.play.agents import AgentFault, AgentSleeps, PlatformFault, SeatOrder
from games.rules.view import View

BUCKETS = 40
SMALLEST = 16e-6
STEPS_AN_OCTAVE = 2
FUEL_A_SECOND = 100_000_000
"""Fuel is put into the buckets of seconds by this, so that the limits of both fall into the same: 2 s, 200 million."""


def bucket_of(seconds: float) -> int:
    """The first bucket takes everything under 16 microseconds too, the last everything over 11 seconds."""
    if seconds <= SMALLEST:
        return 0
    return min(BUCKETS - 1, floor(STEPS_AN_OCTAVE * log2(seconds / SMALLEST)))


def count_buckets(times: Iterable[float]) -> list[int]:
    counts = [0] * BUCKETS
    for seconds in times:
        counts[bucket_of(seconds)] += 1
    return counts


def add_up(histograms: Iterable[Sequence[int]]) -> list[int]:
    totals = [0] * BUCKETS
    for counts in histograms:
        for bucket, count in enumerate(counts):
            totals[bucket] += count
    return totals


def find_quantile(times: Sequence[float], share: float) -> float | None:
    """The same from the times themselves: one of them, exactly."""
    return sorted(times)[max(0, ceil(share * len(times)) - 1)] if times else None


def read_quantile(counts: Sequence[int], share: float) -> float | None:
    """Seconds that this share of the decisions stayed within; None where there were none."""
    total = sum(counts)
    if not total:
        return None
    seen = 0
    for bucket, count in enumerate(counts):
        seen += count
        if seen >= share * total:
            return float(SMALLEST * 2 ** ((bucket + 0.5) / STEPS_AN_OCTAVE))
    raise AssertionError("shares are at most one")


def count_fuel(used: Iterable[int]) -> list[int]:
    return count_buckets(fuel / FUEL_A_SECOND for fuel in used)


def tell_fuel(seconds: float) -> int:
    """A quantile read from buckets that `count_fuel` filled, to two figures."""
    return round(float(f"{seconds * FUEL_A_SECOND:.1e}"))


def tell_milliseconds(seconds: float) -> float:
    """A quantile read from buckets, to two figures: more would be made up."""
    return float(f"{seconds * 1000:.1e}")


STDERR_SHOWN = 16_384
"""Of what it said, the end is shown with a failure; all of it is in the log of the match."""

_encoder = json.JSONEncoder(separators=(",", ":"))


class WasmAgent:
    """A fault ends the instance; the next decision is asked of a new one, with what is left of the bank.

    `fuel` and `cpu` hold what every decision used, `stderr` the end of what the last instance has logged.
    """

    def __init__(self, order: SeatOrder, module: bytes, pool: HostPool, limits: WasmLimits | None = None) -> None:
        self.order = order
        self.fuel: list[int] = []
        self.cpu: list[float] = []
        self.stderr = ""
        self._said = ""
        self._module = module
        self._pool = pool
        self._limits = limits or WasmLimits()
        self._match = draw_match_number(order.bot_seed)
        self._blocks = BlockWriter()
        self._told = 0
        self._seat: WasmSeat | None = self._start()

    def choose(self, view: View) -> int:
        """Raises AgentFault with the exact exchange, or PlatformFault where the failure is ours."""
        seat = self._seat or self._restart()
        if seat.reads_json and view.log_end > self._told:
            seat.tell(_encode(make_happened(self._match, view, self._told)))
            self._told = view.log_end
        chance = decision_seed(self.order.bot_seed, view)
        answer = seat.ask(self._make_question(seat, view, chance), chance=chance)
        self.fuel.append(answer.fuel)
        self.cpu.append(answer.cpu)
        if answer.verdict is not Verdict.OK:
            raise self._fault(seat, view, answer.verdict, answer.detail, show_bytes(answer.text))
        try:
            return self._read(seat, view, answer)
        except ContractError as error:
            raise self._fault(seat, view, Verdict(error.verdict), str(error), _tell_answer(seat, answer)) from None
        except MalformedAnswerError as error:
            raise self._fault(seat, view, Verdict.PROTOCOL, str(error), _tell_answer(seat, answer)) from None

    def end(self, view: View, forfeits: list[int]) -> None:
        """A module that reads JSON is told how the match ended; nothing that it does now is judged."""
        if self._seat is not None and self._seat.reads_json:
            self._seat.tell(_encode(make_happened(self._match, view, self._told)))
            self._seat.tell(_encode(make_match_end(self._match, self.order.seat, view.result, forfeits)))

    def close(self) -> None:
        if self._seat is not None:
            self._end_seat(self._seat)

    def take_words(self) -> str:
        """What it has logged since the last call."""
        said, self._said = self._said, ""
        return said + self._seat.take_words() if self._seat is not None else said

    def _read(self, seat: WasmSeat, view: View, answer: WasmAnswer) -> int:
        if seat.reads_json:
            return read_action(parse_answer(answer.text), view)
        return read_number(answer.number, view)

    def _make_question(self, seat: WasmSeat, view: View, chance: int) -> bytes:
        if seat.reads_json:
            return _encode(self._make_decide(seat, view))
        return self._blocks.write(view, chance=chance, fuel=seat.decision_left, bank=seat.bank_left)

    def _make_decide(self, seat: WasmSeat, view: View) -> Message:
        time = TimeLeft(seat.decision_left / BILLION, seat.bank_left / BILLION)
        return make_decide(self._match, view, time)

    def _start(self) -> WasmSeat:
        order = self.order
        try:
            seat = self._pool.open_seat(self._module, self._limits)
        except RunnerError as error:
            raise PlatformFault(str(error)) from error
        if seat.reads_json:
            names = order.seat_names or tuple(f"seat {number}" for number in range(order.ruleset.players))
            facts: dict[str, Any] = {"match": self._match, "ruleset": order.ruleset, "seat": order.seat}
            seat.tell(_encode(make_hello(names[order.seat], clock="fuel")))
            seat.tell(_encode(make_match_start(**facts, names=names, chance=order.bot_seed)))
        return seat

    def _restart(self) -> WasmSeat:
        self._told = 0
        self._seat = self._start()
        return self._seat

    def _fault(self, seat: WasmSeat, view: View, verdict: Verdict, detail: str, answered: str) -> Exception:
        """What to raise; the question is shown as JSON to authors of either kind."""
        asked = _encode(self._make_decide(seat, view)).decode()
        self._limits = replace(self._limits, bank=seat.bank_left)
        self._end_seat(seat)
        if verdict is Verdict.PLATFORM:
            return PlatformFault(detail)
        return AgentFault(verdict.value, detail, asked, answered, self.stderr)

    def _end_seat(self, seat: WasmSeat) -> None:
        self._said += seat.take_words()
        self.stderr = seat.log[-STDERR_SHOWN:]
        seat.close()
        self._seat = None


def _encode(message: Message) -> bytes:
    return _encoder.encode(message).encode()


def _tell_answer(seat: WasmSeat, answer: WasmAnswer) -> str:
    return show_bytes(answer.text) if seat.reads_json else str(answer.number)


def _hide_folders(stderr: str) -> str:
    """A traceback as the author knows it: `main.py`, not where it lay, and Python's library by its last name."""
    library = sysconfig.get_path("stdlib")
    return stderr.replace(f"{HOME}/", "").replace(library, Path(library).name)


class SandboxedAgent:
    """A fault ends the process; the next decision is asked of a new one, which is told all that happened.

    `cpu` and `wall` hold the seconds of every decision, `slept` how long it let others wait, `stderr` its last words.
    A new process has only what is left of the banks.
    """

    def __init__(self, order: SeatOrder, code: Path, limits: Limits | None = None) -> None:
        self.order = order
        self.code = code
        self.cpu: list[float] = []
        self.wall: list[float] = []
        self.stderr = ""
        self.slept = 0.0
        self._said = ""
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
        self.wall.append(answer.wall)
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

    def take_words(self) -> str:
        """What it has written to stderr since the last call."""
        said, self._said = self._said, ""
        return _hide_folders(said + self._process.take_words() if self._process is not None else said)

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
        process = self._process
        left = replace(self._limits, bank_cpu=process.bank_left, bank_wall=process.wall_left)
        self._left = replace(left, patience=process.patience_left)
        self._end_process(self._process)
        if verdict is Verdict.PLATFORM:
            return PlatformFault(detail)
        if verdict is Verdict.SLEEPS:
            return AgentSleeps(self.order.seat)
        asked = json.dumps(question, ensure_ascii=False, separators=(",", ":"))
        return AgentFault(verdict.value, detail, asked, answered, self.stderr)

    def _end_process(self, process: BotProcess) -> None:
        self.slept += process.slept
        self.stderr = _hide_folders(process.close().stderr)[-STDERR_SHOWN:]
        self._said += process.take_words()
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
