"""Whether a module keeps to the interface: its imports, its exports, its memory; told before it is ever run."""

import wasmtime

from bots.runners.wasm.interface import (
    BUFFER,
    CHANCE,
    DECIDE,
    INITIALIZE,
    LARGEST_MEMORY,
    LOG,
    MEMORY,
    MESSAGE,
    MOST_EXPORTS,
    NAMESPACE,
)

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
