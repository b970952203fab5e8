"""The one engine that compiles and runs modules, set so that the same module does the same everywhere."""

import wasmtime
from wasmtime import _ffi as ffi

from bots.runners.wasm.interface import LARGEST_MEMORY, LARGEST_STACK

# The same code on every machine, whatever its processor.
TARGET = "pulley64"
GUARD = 64 * 1024


def make_engine() -> wasmtime.Engine:
    """Fuel on; NaN canonical; no threads, relaxed SIMD, exceptions, garbage collection, or second memories."""
    config = wasmtime.Config()
    config.consume_fuel = True
    config.cranelift_nan_canonicalization = True
    config.cranelift_opt_level = "speed"
    for setting in (
        "wasm_threads", "wasm_relaxed_simd", "wasm_memory64", "wasm_multi_memory", "wasm_exceptions", "wasm_gc",
        "wasm_function_references", "wasm_component_model", "wasm_wide_arithmetic", "wasm_custom_page_sizes",
        "wasm_stack_switching", "debug_info", "parallel_compilation", "gc_support",
    ):  # fmt: skip
        _switch_off(config, setting)
    config.max_wasm_stack = LARGEST_STACK
    _fix_memory(config)
    _fix_target(config)
    return wasmtime.Engine(config)


def _switch_off(config: wasmtime.Config, setting: str) -> None:
    getattr(ffi, f"wasmtime_config_{setting}_set")(config.ptr(), False)


def _fix_memory(config: wasmtime.Config) -> None:
    """All of a memory is reserved at the start, so that growing it never depends on what the machine has left."""
    pointer = config.ptr()
    ffi.wasmtime_config_memory_reservation_set(pointer, LARGEST_MEMORY)
    ffi.wasmtime_config_memory_reservation_for_growth_set(pointer, 0)
    ffi.wasmtime_config_memory_guard_size_set(pointer, GUARD)
    ffi.wasmtime_config_memory_may_move_set(pointer, False)
    # Initial memory shared between instances would be a file in memory, which no confined process may make.
    ffi.wasmtime_config_memory_init_cow_set(pointer, False)
    # Bounds are checked by code: no signal of the kernel, and so none of its handlers, is part of how a module runs.
    ffi.wasmtime_config_signals_based_traps_set(pointer, False)


def _fix_target(config: wasmtime.Config) -> None:
    """For wasmtime's own interpreter: no confined process may make memory executable, and hosts are no exception."""
    error = ffi.wasmtime_config_target_set(config.ptr(), TARGET.encode())
    if error:
        raise wasmtime.WasmtimeError._from_ptr(error)
