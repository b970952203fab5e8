"""The agent that plays a WebAssembly module: one instance a seat, questions in, actions out, fuel instead of time."""

import json
from dataclasses import replace
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
from bots.runners.streams import MalformedAnswerError, parse_answer, show_bytes
from bots.runners.verdict import RunnerError, Verdict
from bots.runners.wasm import HostPool, WasmAnswer, WasmLimits, WasmSeat
from bots.runners.wasm.interface import BILLION
from games.play.agents import AgentFault, PlatformFault, SeatOrder
from games.rules.view import View

_encoder = json.JSONEncoder(separators=(",", ":"))


class WasmAgent:
    """A fault ends the instance; the next decision is asked of a new one, with what is left of the bank.

    `fuel` and `cpu` hold what every decision used, `stderr` what the last instance has logged.
    """

    def __init__(self, order: SeatOrder, module: bytes, pool: HostPool, limits: WasmLimits | None = None) -> None:
        self.order = order
        self.fuel: list[int] = []
        self.cpu: list[float] = []
        self.stderr = ""
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
        self.stderr = seat.log
        seat.close()
        self._seat = None


def _encode(message: Message) -> bytes:
    return _encoder.encode(message).encode()


def _tell_answer(seat: WasmSeat, answer: WasmAnswer) -> str:
    return show_bytes(answer.text) if seat.reads_json else str(answer.number)
