"""The loop of a confined host: it compiles one module, or loads one and plays it at as many seats as it is asked."""

import os

import wasmtime

from bots.runners.wasm.inside.engine import IMPORTS, RefusedModule, check_module, make_engine
from bots.runners.wasm.inside.instance import ChanceStream, ModuleFault, ModuleInstance
from bots.runners.wasm.interface import (
    BILLION,
    BUFFER,
    CHANCE,
    DECIDE,
    LOG,
    MARKED,
    MARKS,
    NAMESPACE,
    ORDER,
    REPLY,
    Order,
    Outcome,
)

READ_SIZE = 65_536
STDIN, STDOUT = 0, 1


class WorkerGone(Exception):
    """The other end of the pipe is closed: there is nobody to answer."""


# Played once before the fork, so that no host has to find its way for the first time while somebody waits.
REHEARSAL = f"""(module (import "aurum" "log" (func $log (param i32 i32))) (memory (export "memory") 1)
  (func (export "{BUFFER}") (param i32) (result i32) (i32.const 8))
  (func (export "{DECIDE}") (param i32) (result i32) (call $log (i32.const 8) (local.get 0)) (local.get 0)))"""


class Host:
    """Holds one module and its instances by seat. It is made before the fork, engine and all, once for all hosts."""

    def __init__(self) -> None:
        self._engine = make_engine()
        self._linker = wasmtime.Linker(self._engine)
        for name, function in ((LOG, self._write_log), (CHANCE, self._draw_chance)):
            kinds = [[getattr(wasmtime.ValType, kind)() for kind in kinds] for kinds in IMPORTS[name]]
            self._linker.define_func(NAMESPACE, name, wasmtime.FuncType(*kinds), function)
        self._asked = DECIDE
        self._prepared: wasmtime.InstancePre | None = None
        self._active: ModuleInstance | None = None
        self._instances: dict[int, ModuleInstance] = {}
        self._received = b""
        self._rehearse()

    def _rehearse(self) -> None:
        compiled = wasmtime.Module(self._engine, REHEARSAL)
        check_module(compiled)
        self._prepare(bytes(compiled.serialize()))
        for _ in range(2):
            self._run(Order.OPEN, 0, b"", BILLION, 0)
            self._run(Order.ASK, 0, b"question", BILLION, 1)
        self._forget(0)
        self._prepared = self._active = None

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
                _send(self._run(order, seat, payload, fuel, seed))

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
        """The artifact, after the mark that says which export is asked."""
        self._asked = MARKED[payload[:1]]
        try:
            self._prepare(payload[1:])
        except wasmtime.WasmtimeError as error:
            _send(_make_reply(Outcome.REFUSED, answer=str(error).encode()))
        else:
            _send(_make_reply(Outcome.OK))

    def _prepare(self, artifact: bytes) -> None:
        self._prepared = self._linker.instantiate_pre(wasmtime.Module.deserialize(self._engine, artifact))

    def _compile(self, module: bytes) -> None:
        """Answered with the mark of the export that is asked, and the artifact."""
        try:
            compiled = wasmtime.Module(self._engine, module)
            mark = MARKS[check_module(compiled)]
            _send(_make_reply(Outcome.OK, answer=mark + bytes(compiled.serialize())))
        except RefusedModule as refusal:
            _send(_make_reply(Outcome.REFUSED, answer=f"{refusal.code}\n{refusal}".encode()))
        except wasmtime.WasmtimeError as error:
            _send(_make_reply(Outcome.REFUSED, answer=f"wasm_malformed\n{error}".encode()))

    def _run(self, order: int, seat: int, payload: bytes, fuel: int, seed: int) -> bytes:
        assert self._prepared is not None
        if order == Order.OPEN:
            self._forget(seat)
            self._instances[seat] = ModuleInstance(self._prepared, self._asked)
        instance = self._active = self._instances[seat]
        instance.chance = ChanceStream(seed)
        outcome, number, answer = Outcome.OK, 0, b""
        try:
            if order == Order.OPEN:
                instance.open(self._engine, fuel)
            else:
                instance.set_fuel(fuel)
                number = instance.ask(payload)
                if order == Order.ASK and self._asked != DECIDE:
                    answer = instance.read_answer(number)
        except ModuleFault as fault:
            outcome, answer = fault.outcome, str(fault).encode(errors="replace")
        log = bytes(instance.log)
        instance.log.clear()
        return _make_reply(outcome, seat, answer, log, fuel - instance.read_fuel(), number)

    def _forget(self, seat: int) -> None:
        instance = self._instances.pop(seat, None)
        if instance is not None:
            instance.close()

    def _write_log(self, address: int, length: int) -> None:
        assert self._active is not None
        self._active.write_log(address, length)

    def _draw_chance(self) -> int:
        assert self._active is not None
        return self._active.draw_chance()


def _make_reply(
    outcome: Outcome, seat: int = 0, answer: bytes = b"", log: bytes = b"", fuel: int = 0, number: int = 0
) -> bytes:
    return REPLY.pack(outcome, seat, len(answer), len(log), fuel, number) + answer + log


def _send(frame: bytes) -> None:
    while frame:
        frame = frame[os.write(STDOUT, frame) :]
