"""The one engine that compiles and runs modules the same everywhere, and whether a module keeps to the interface."""

import wasmtime
from wasmtime import _ffi as ffi

from bots.runners.wasm.interface import (
    BUFFER,
    CHANCE,
    DECIDE,
    INITIALIZE,
    LARGEST_MEMORY,
    LARGEST_STACK,
    LOG,
    MEMORY,
    MESSAGE,
    MOST_EXPORTS,
    NAMESPACE,
)

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


PAGE = 65_536
LONGEST_NAME = 100
Shape = tuple[tuple[str, ...], tuple[str, ...]]
IMPORTS: dict[str, Shape] = {LOG: (("i32", "i32"), ()), CHANCE: ((), ("i64",))}
EXPORTS: dict[str, Shape] = {
    BUFFER: (("i32",), ("i32",)),
    DECIDE: (("i32",), ("i32",)),
    MESSAGE: (("i32",), ("i32",)),
    INITIALIZE: ((), ()),
}


class RefusedModule(Exception):
    """`code` is for programs, the message a sentence for the author."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


def check_module(module: wasmtime.Module) -> str:
    """The export that is asked, DECIDE or MESSAGE; raises RefusedModule."""
    for wanted in module.imports:
        _check_import(wanted)
    listed = module.exports
    if len(listed) > MOST_EXPORTS:
        raise RefusedModule("wasm_export", f"The module has more than {MOST_EXPORTS} exports.")
    exports = {export.name: export.type for export in listed}
    _check_memory(exports.get(MEMORY))
    for name, shape in EXPORTS.items():
        if name in exports and _shape_of(exports[name]) != shape:
            raise RefusedModule("wasm_export", f"{name} must be a function {_tell_shape(shape)}.")
    if BUFFER not in exports:
        raise RefusedModule("wasm_export", f"The module exports no function {BUFFER}{_tell_shape(EXPORTS[BUFFER])}.")
    if (DECIDE in exports) == (MESSAGE in exports):
        raise RefusedModule("wasm_export", f"The module must export either {DECIDE} or {MESSAGE}, and not both.")
    return DECIDE if DECIDE in exports else MESSAGE


def _check_import(wanted: wasmtime.ImportType) -> None:
    name = wanted.name or ""
    shown = f"{wanted.module[:LONGEST_NAME]}.{name[:LONGEST_NAME]}"
    if wanted.module.startswith("wasi"):
        advice = "Build for a bare target without WASI, such as wasm32-unknown-unknown or wasm32-freestanding."
        raise RefusedModule("wasm_import", f"The module imports {shown}, and there is no such system here. {advice}")
    if wanted.module != NAMESPACE or name not in IMPORTS:
        offered = ", ".join(f"{NAMESPACE}.{known}" for known in IMPORTS)
        raise RefusedModule("wasm_import", f"The module imports {shown}; only {offered} are offered.")
    if _shape_of(wanted.type) != IMPORTS[name]:
        raise RefusedModule("wasm_import", f"{shown} must be imported as a function {_tell_shape(IMPORTS[name])}.")


def _check_memory(memory: object) -> None:
    if not isinstance(memory, wasmtime.MemoryType):
        raise RefusedModule("wasm_export", f"The module exports no memory by the name {MEMORY}.")
    wanted = memory.limits.min * PAGE
    if wanted > LARGEST_MEMORY:
        sentence = f"The module wants {wanted >> 20} MB at once; {LARGEST_MEMORY >> 20} are given."
        raise RefusedModule("wasm_memory", sentence)


def _shape_of(type_: object) -> Shape | None:
    if not isinstance(type_, wasmtime.FuncType):
        return None
    return tuple(str(value) for value in type_.params), tuple(str(value) for value in type_.results)


def _tell_shape(shape: Shape) -> str:
    return f"({', '.join(shape[0])}) -> ({', '.join(shape[1])})"
