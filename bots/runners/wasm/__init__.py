"""Bots as WebAssembly modules: compiled once, run with fuel instead of time, inside the process sandbox."""

from bots.runners.wasm.compiler import ArtifactCache
from bots.runners.wasm.hosts import HostPool, WasmAnswer, WasmSeat
from bots.runners.wasm.interface import MAGIC, WasmLimits, is_module, read_module_hash

__all__ = [
    "MAGIC",
    "ArtifactCache",
    "HostPool",
    "WasmAnswer",
    "WasmLimits",
    "WasmSeat",
    "is_module",
    "read_module_hash",
]
