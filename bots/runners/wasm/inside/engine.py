"""The one engine that compiles and runs modules, set so that the same module does the same everywhere."""

import platform

import wasmtime
from wasmtime import _ffi as ffi

from bots.runners.wasm.interface import LARGEST_MEMORY, LARGEST_STACK

# Every x86_64 since 2009 has these; a fixed list instead of the machine's own makes one artifact good for all.
X86_FLAGS = ("has_sse3", "has_ssse3", "has_sse41", "has_sse42", "has_popcnt")
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
    machine = platform.machine()
    error = ffi.wasmtime_config_target_set(config.ptr(), f"{machine}-unknown-linux-gnu".encode())
    if error:
        raise wasmtime.WasmtimeError._from_ptr(error)
    if machine == "x86_64":
        for flag in X86_FLAGS:
            ffi.wasmtime_config_cranelift_flag_enable(config.ptr(), flag.encode())
