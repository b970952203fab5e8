"""The loop of a confined host: it compiles one module, or loads one and plays it at as many seats as it is asked."""

import os
from dataclasses import dataclass, field

import wasmtime

from bots.runners.wasm.frames import ORDER, REPLY, Order, Outcome
from bots.runners.wasm.inside.chance import ChanceStream
from bots.runners.wasm.inside.check import IMPORTS, RefusedModule, check_module
from bots.runners.wasm.inside.engine import make_engine
from bots.runners.wasm.inside.instance import ModuleFault, ModuleInstance
from bots.runners.wasm.interface import CHANCE, DECIDE, LOG, NAMESPACE

READ_SIZE = 65_536
STDIN, STDOUT = 0, 1
MARK = {DECIDE: b"D"}


class WorkerGone(Exception):
    """The other end of the pipe is closed: there is nobody to answer."""


@dataclass
class Host:
    """Holds one module and its instances by seat. The engine is made before the fork, once for all hosts."""

    engine: wasmtime.Engine = field(default_factory=make_engine)
    asked: str = ""
    prepared: wasmtime.InstancePre | None = None
    active: ModuleInstance | None = None
    instances: dict[int, ModuleInstance] = field(default_factory=dict)
    _received: bytes = b""

    def serve(self) -> None:
        """Until the worker is gone."""
        while True:
            order, seat, length, fuel, seed = ORDER.unpack(self._take(ORDER.size))
            payload = self._take(length)
            if order == Order.LOAD:
                self._load(payload)
            elif order == Order.COMPILE:
                self._compile(payload)
            elif order == Order.CLOSE:
                self._forget(seat)
            else:
                self._run(order, seat, payload, fuel, seed)

    def _take(self, size: int) -> bytes:
        received = self._received
        if len(received) < size:
            parts = [received]
            missing = size - len(received)
            while missing > 0:
                chunk = os.read(STDIN, max(READ_SIZE, missing))
                if not chunk:
                    raise WorkerGone
                parts.append(chunk)
                missing -= len(chunk)
            received = b"".join(parts)
        self._received = received[size:]
        return received[:size]

    def _load(self, payload: bytes) -> None:
        """The artifact, after one byte that says which export is asked."""
        self.asked = "aurum_decide" if payload[:1] == b"D" else "aurum_message"
        try:
            module = wasmtime.Module.deserialize(self.engine, payload[1:])
        except wasmtime.WasmtimeError as error:
            _reply(Outcome.REFUSED, answer=str(error).encode())
            return
        linker = wasmtime.Linker(self.engine)
        for name, function in ((LOG, self._write_log), (CHANCE, self._draw_chance)):
            kinds = [[getattr(wasmtime.ValType, kind)() for kind in kinds] for kinds in IMPORTS[name]]
            linker.define_func(NAMESPACE, name, wasmtime.FuncType(*kinds), function)
        self.prepared = linker.instantiate_pre(module)
        _reply(Outcome.OK)

    def _compile(self, module: bytes) -> None:
        """Answered with one byte for the export that is asked, and the artifact."""
        try:
            compiled = wasmtime.Module(self.engine, module)
            mark = b"D" if check_module(compiled) == DECIDE else b"M"
            _reply(Outcome.OK, answer=mark + bytes(compiled.serialize()))
        except RefusedModule as refusal:
            _reply(Outcome.REFUSED, answer=f"{refusal.code}\n{refusal}".encode())
        except wasmtime.WasmtimeError as error:
            _reply(Outcome.REFUSED, answer=f"wasm_malformed\n{error}".encode())

    def _run(self, order: int, seat: int, payload: bytes, fuel: int, seed: int) -> None:
        assert self.prepared is not None
        if order == Order.OPEN:
            self._forget(seat)
            self.instances[seat] = ModuleInstance(self.prepared, self.asked)
        instance = self.active = self.instances[seat]
        instance.chance = ChanceStream(seed)
        outcome, number, answer = Outcome.OK, 0, b""
        try:
            if order == Order.OPEN:
                instance.open(self.engine, fuel)
            else:
                instance.set_fuel(fuel)
                number = instance.ask(payload)
                if order == Order.ASK and self.asked != DECIDE:
                    answer = instance.read_answer(number)
        except ModuleFault as fault:
            outcome, answer = fault.outcome, str(fault).encode(errors="replace")
        log = bytes(instance.log)
        instance.log.clear()
        _reply(outcome, seat, answer, log, fuel - instance.read_fuel(), number)

    def _forget(self, seat: int) -> None:
        instance = self.instances.pop(seat, None)
        if instance is not None:
            instance.close()

    def _write_log(self, address: int, length: int) -> None:
        assert self.active is not None
        self.active.write_log(address, length)

    def _draw_chance(self) -> int:
        assert self.active is not None
        return self.active.draw_chance()


def _reply(
    outcome: Outcome, seat: int = 0, answer: bytes = b"", log: bytes = b"", fuel: int = 0, number: int = 0
) -> None:
    frame = REPLY.pack(outcome, seat, len(answer), len(log), fuel, number) + answer + log
    while frame:
        frame = frame[os.write(STDOUT, frame) :]
