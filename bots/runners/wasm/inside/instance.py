"""One module at one seat: its own memory, its fuel, its log, and what became of every call."""

import ctypes
from ctypes import POINTER, byref
from typing import Any

import wasmtime
from wasmtime import _ffi as ffi
from wasmtime import _func

from bots.runners.wasm.interface import (
    BUFFER,
    BYTE_FUEL,
    CALL_FUEL,
    INITIALIZE,
    LARGEST_ANSWER,
    LARGEST_LOG,
    LARGEST_MEMORY,
    LARGEST_TABLE,
    MEMORY,
    MOST_TABLES,
    Outcome,
)

_MASK = 0xFFFFFFFFFFFFFFFF
_GAMMA = 0x9E3779B97F4A7C15


class ChanceStream:
    """SplitMix64; nothing is carried from one decision to the next, so that any of them can be played again."""

    def __init__(self, seed: int) -> None:
        self._state = seed

    def draw(self) -> int:
        """The next 64 bits, as the signed number that WebAssembly's i64 is to Python."""
        self._state = (self._state + _GAMMA) & _MASK
        value = self._state
        value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 & _MASK
        value = (value ^ value >> 27) * 0x94D049BB133111EB & _MASK
        value ^= value >> 31
        return value - (1 << 64) if value >> 63 else value


_FUEL_CODE = wasmtime.TrapCode.OUT_OF_FUEL


class ModuleFault(Exception):
    """Why an instance is over: the outcome, and a sentence for its author."""

    def __init__(self, outcome: Outcome, sentence: str) -> None:
        super().__init__(sentence)
        self.outcome = outcome


class ModuleInstance:
    """Calls go past wasmtime's checked ones, which look up a function's type each time and cost fourteen times as much.

    The shapes of all functions called here were checked when the module was compiled.
    """

    def __init__(self, prepared: wasmtime.InstancePre, asked: str) -> None:
        self._prepared = prepared
        self._asked_name = asked
        self.log = bytearray()
        self.logged = 0
        self.chance = ChanceStream(0)
        self._pending: ModuleFault | None = None
        self._words = (ffi.wasmtime_val_raw_t * 1)()
        self._left = ctypes.c_uint64(0)

    def open(self, engine: wasmtime.Engine, fuel: int) -> None:
        """Make the instance: data is laid out, a start function runs, and so does `_initialize`."""
        self._store = wasmtime.Store(engine)
        self._store.set_limits(LARGEST_MEMORY, LARGEST_TABLE, 1, MOST_TABLES, 1)
        self._context = self._store._context()
        self.set_fuel(fuel)
        try:
            self._raw = self._prepared.instantiate(self._store)._instance
        except wasmtime.Trap as trap:
            raise self._judge(trap) from None
        except wasmtime.WasmtimeError as error:
            raise self._pending or _judge_instantiation(str(error)) from None
        self._memory = self._find(MEMORY).of.memory
        self._buffer = self._find(BUFFER).of.func
        self._asked = self._find(self._asked_name).of.func
        initialize = self._look_up(INITIALIZE)
        if initialize is not None:
            self._call(initialize.of.func, 0)

    def ask(self, message: bytes) -> int:
        """What the module returns for a message laid into its memory; raises ModuleFault."""
        size = len(message)
        self.address = self._call(self._buffer, size) & 0xFFFFFFFF
        if self.address == 0 or self.address + size > self._memory_size():
            raise ModuleFault(Outcome.PROTOCOL, f"{BUFFER} gave no room of {size} bytes inside the memory.")
        ctypes.memmove(self._base() + self.address, message, size)
        return self._call(self._asked, size)

    def read_answer(self, length: int) -> bytes:
        """The answer that the module has written over its message."""
        if length > LARGEST_ANSWER:
            raise ModuleFault(Outcome.OUTPUT, f"The answer is longer than {LARGEST_ANSWER} bytes.")
        if length <= 0:
            raise ModuleFault(Outcome.PROTOCOL, "The module gave no answer to a question.")
        return self.read_memory(self.address, length)

    def read_memory(self, address: int, length: int) -> bytes:
        self._require_inside(address, length)
        return ctypes.string_at(self._base() + address, length)

    def write_log(self, address: int, length: int) -> None:
        """The import `log`; what is over the limit is paid for and thrown away."""
        address &= 0xFFFFFFFF
        length &= 0xFFFFFFFF
        try:
            self._charge(CALL_FUEL + BYTE_FUEL * length)
            if not self._has_memory():
                raise ModuleFault(Outcome.PROTOCOL, f"A start function cannot log; {INITIALIZE} and what follows can.")
            self._require_inside(address, length)
            room = LARGEST_LOG - self.logged
            text = self.read_memory(address, min(length, room))
            self.logged += len(text)
            self.log += text
        except ModuleFault as fault:
            self._pending = fault
            raise

    def draw_chance(self) -> int:
        """The import `chance`."""
        try:
            self._charge(CALL_FUEL)
        except ModuleFault as fault:
            self._pending = fault
            raise
        return self.chance.draw()

    def _require_inside(self, address: int, length: int) -> None:
        if address + length > self._memory_size():
            raise ModuleFault(Outcome.PROTOCOL, f"{length} bytes at {address} are not inside the module's memory.")

    def set_fuel(self, fuel: int) -> None:
        ffi.wasmtime_context_set_fuel(self._context, fuel)

    def read_fuel(self) -> int:
        ffi.wasmtime_context_get_fuel(self._context, byref(self._left))
        return self._left.value

    def close(self) -> None:
        self._store.close()

    def _charge(self, fuel: int) -> None:
        left = self.read_fuel()
        self.set_fuel(max(0, left - fuel))
        if left < fuel:
            raise ModuleFault(Outcome.FUEL, "The fuel ran out in a call to the league.")

    def _call(self, function: Any, argument: int) -> int:
        """The function's number; its argument and its result share one word."""
        self._words[0].i64 = argument
        trap = POINTER(ffi.wasm_trap_t)()
        error = ffi.wasmtime_func_call_unchecked(self._context, byref(function), self._words, 1, byref(trap))
        if trap:
            raise self._judge(wasmtime.Trap._from_ptr(trap))
        if error:
            raise self._pending or ModuleFault(Outcome.CRASH, str(wasmtime.WasmtimeError._from_ptr(error)))
        return int(self._words[0].i32)

    def _judge(self, trap: wasmtime.Trap) -> ModuleFault:
        # What a function of ours raised would else be raised again by the next call that goes wrong, at another seat.
        _func.LAST_EXCEPTION = None
        if self._pending is not None:
            return self._pending
        if trap.trap_code == _FUEL_CODE:
            return ModuleFault(Outcome.FUEL, "The answer used more fuel than was left.")
        used = f"memory in use: {self._memory_size() >> 20} of {LARGEST_MEMORY >> 20} MB" if self._has_memory() else ""
        return ModuleFault(Outcome.CRASH, "\n".join(part for part in (trap.message.strip(), used) if part))

    def _has_memory(self) -> bool:
        return hasattr(self, "_memory")

    def _memory_size(self) -> int:
        return int(ffi.wasmtime_memory_data_size(self._context, byref(self._memory)))

    def _base(self) -> int:
        return ctypes.cast(ffi.wasmtime_memory_data(self._context, byref(self._memory)), ctypes.c_void_p).value or 0

    def _look_up(self, name: str) -> Any:
        item = ffi.wasmtime_extern_t()
        found = ffi.wasmtime_instance_export_get(self._context, byref(self._raw), name.encode(), len(name), byref(item))
        return item if found else None

    def _find(self, name: str) -> Any:
        item = self._look_up(name)
        assert item is not None, f"the check lets no module pass without {name}"
        return item


def _judge_instantiation(message: str) -> ModuleFault:
    """Over a limit that a module can keep to; anything else is ours, since the module was compiled and checked."""
    sentence = message.strip().partition("\n")[0][:300]
    return ModuleFault(Outcome.MEMORY if "limit" in sentence else Outcome.REFUSED, sentence)
