"""One seat in one match for a module: messages in, answers out, fuel charged, a verdict on whatever goes wrong."""

from dataclasses import dataclass

from bots.runners.cores import read_cpu_time
from bots.runners.verdict import Fault, Verdict
from bots.runners.wasm.host_process import HostProcess, Reply
from bots.runners.wasm.interface import LARGEST_LOG, Order, Outcome, WasmLimits

VERDICTS = {
    Outcome.OK: Verdict.OK,
    Outcome.FUEL: Verdict.FUEL,
    Outcome.CRASH: Verdict.CRASH,
    Outcome.MEMORY: Verdict.MEMORY,
    Outcome.PROTOCOL: Verdict.PROTOCOL,
    Outcome.OUTPUT: Verdict.OUTPUT,
    # A host refuses only what we gave it to load.
    Outcome.REFUSED: Verdict.PLATFORM,
}


@dataclass(frozen=True, slots=True)
class WasmAnswer:
    """`number` is what a module that reads blocks answers, `text` what one that reads JSON has written."""

    verdict: Verdict
    fuel: int
    cpu: float
    number: int = 0
    text: bytes = b""
    detail: str = ""


class WasmSeat:
    """Any verdict but ok ends the instance; later questions get that same verdict."""

    def __init__(self, host: HostProcess, seat: int, limits: WasmLimits, reads_json: bool) -> None:
        self.reads_json = reads_json
        self.fuel_used = 0
        self._host = host
        self._seat = seat
        self._limits = limits
        self._bank = limits.bank
        self._start: int | None = limits.start
        self._log = bytearray()
        self._last: WasmAnswer | None = None
        self._open()

    @property
    def pid(self) -> int:
        """Of the host's process, which other seats of the module may share."""
        return self._host.pid

    @property
    def bank_left(self) -> int:
        return self._bank

    @property
    def decision_left(self) -> int:
        """What the next answer may use."""
        return self._start if self._start is not None else min(self._limits.decision, self._bank)

    @property
    def log(self) -> str:
        """What the module has written for its author so far."""
        return self._log.decode(errors="replace").replace("\0", "\N{REPLACEMENT CHARACTER}")

    def ask(self, message: bytes, *, chance: int) -> WasmAnswer:
        """A question; `chance` is the seed of this decision."""
        if self._last is not None:
            return self._last
        before = read_cpu_time(self._host.pid) or 0.0
        answer = self._give(Order.ASK, message, chance, before)
        if self._start is not None:
            self._start = None
        return answer

    def tell(self, message: bytes) -> None:
        """A message of JSON that has no answer; what it burns is taken from what the next answer may use."""
        if self._last is None:
            self._give(Order.TELL, message, 0, 0.0)

    def close(self) -> None:
        self._host.forget(self._seat)
        if self._last is None:
            self._last = WasmAnswer(Verdict.PLATFORM, 0, 0.0, detail="The seat was closed.")

    def _open(self) -> None:
        self._give(Order.OPEN, b"", 0, 0.0)

    def _give(self, order: Order, message: bytes, chance: int, cpu_before: float) -> WasmAnswer:
        fuel = self.decision_left
        limits = self._limits
        try:
            reply = self._host.exchange(
                order,
                message,
                seat=self._seat,
                fuel=fuel,
                seed=chance,
                cpu=limits.least_cpu + limits.cpu_a_fuel * fuel,
                patience=limits.patience,
            )
        except Fault as fault:
            self._last = WasmAnswer(fault.verdict, 0, 0.0, detail=fault.detail)
            return self._last
        cpu = max(0.0, (read_cpu_time(self._host.pid) or cpu_before) - cpu_before) if order == Order.ASK else 0.0
        return self._take(reply, cpu)

    def _take(self, reply: Reply, cpu: float) -> WasmAnswer:
        self.fuel_used += reply.fuel
        if self._start is not None:
            self._start = max(0, self._start - reply.fuel)
        else:
            self._bank = max(0, self._bank - reply.fuel)
        self._log += reply.log[: LARGEST_LOG - len(self._log)]
        verdict = VERDICTS[reply.outcome]
        if verdict is Verdict.OK:
            return WasmAnswer(verdict, reply.fuel, cpu, reply.number, reply.answer)
        self._last = WasmAnswer(verdict, reply.fuel, cpu, detail=reply.answer.decode(errors="replace"))
        return self._last
