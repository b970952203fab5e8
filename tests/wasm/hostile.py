"""More than forty modules that mean no good, each with the verdict it must get and a word its author must be told."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.wasm.modules import (
    ANSWER,
    BUFFER,
    CHANCE,
    LOG,
    MEMORY,
    build,
    encode_number,
    make_fair_module,
    make_module,
    make_section,
)

HEADER = b"\0asm\1\0\0\0"
FOREVER = "(loop $again (br $again)) (unreachable)"


@dataclass(frozen=True)
class Hostile:
    """`expected` is a verdict of a seat, or the code with which an upload is refused; `|` parts two that may be."""

    name: str
    make: Callable[[], bytes]
    expected: str
    told: str = ""


def bot(decide: str, **parts: str) -> Callable[[], bytes]:
    return lambda: make_module(decide, **parts)


def raw(body: str) -> Callable[[], bytes]:
    return lambda: build(body)


def repeat(step: str) -> str:
    return f"(loop $again {step} (br $again)) (unreachable)"


def buffer(body: str) -> Callable[[], bytes]:
    return bot(ANSWER, buffer=f'(func (export "aurum_buffer") (param i32) (result i32) {body})')


def table_call(function: str, elements: str = "(elem (i32.const 0) $r)") -> Callable[[], bytes]:
    more = f"(type $f (func (result i32))) (table 1 funcref) {elements} {function}"
    return bot("(call_indirect (type $f) (i32.const 0))", more=more)


def make_slow_module() -> bytes:
    """Hundreds of values live through a thousand blocks that jump to each other by a table."""
    blocks, values = 1_500, 900
    sets = "".join(
        f"(local.set {1 + index} (i32.add (local.get {1 + (index * 7 + 1) % values}) (local.get {index})))"
        for index in range(values)
    )
    table = " ".join(str(index) for index in range(blocks))
    opened = "block " * blocks + f"(br_table {table} (local.get 0)) " + f"end {sets} " * 120
    body = f"(loop $top {opened} {'end ' * (blocks - 120)} (br $top)) {ANSWER}"
    return make_module(f"(local{' i32' * (values + 2)}) {body}")


NOT_MODULES = (
    Hostile("no bytes", lambda: b"", "wasm_malformed"),
    Hostile("only the magic", lambda: HEADER[:4], "wasm_malformed"),
    Hostile("a component", lambda: b"\0asm\x0d\0\1\0", "wasm_malformed"),
    Hostile("forged length of a section", lambda: HEADER + b"\1" + encode_number(1 << 31) + b"\1", "wasm_malformed"),
    Hostile(
        "forged count of functions",
        lambda: HEADER + make_section(1, b"\1\x60\0\0") + make_section(3, encode_number(0x0FFFFFFF) + b"\0"),
        "wasm_malformed",
    ),
    Hostile(
        "forged length of a name",
        lambda: HEADER + make_section(7, b"\1" + encode_number(0xFFFFFFF) + b"x"),
        "wasm_malformed",
    ),
    Hostile("cut in the middle", lambda: make_fair_module()[:-40], "wasm_malformed"),
    Hostile(
        "a constant of another type", lambda: make_fair_module().replace(b"\x41\x3b", b"\x42\x3b"), "wasm_malformed"
    ),
    Hostile("over the size of an upload", lambda: make_fair_module() + bytes(2 << 20), "archive_too_large"),
    Hostile("text instead of binary", lambda: b"(module)", "wasm_malformed"),
)

IMPORTS = (
    Hostile("WASI", bot(ANSWER, imports='(import "wasi_snapshot_preview1" "fd_write" (func))'), "wasm_import", "WASI"),
    Hostile("no such import", bot(ANSWER, imports='(import "aurum" "peek" (func))'), "wasm_import", "aurum.log"),
    Hostile(
        "another shape", bot(ANSWER, imports='(import "aurum" "log" (func (param i64)))'), "wasm_import", "i32, i32"
    ),
    Hostile("the environment", bot(ANSWER, imports='(import "env" "abort" (func))'), "wasm_import", "env.abort"),
    Hostile("a memory", raw('(import "aurum" "log" (memory 1))'), "wasm_import"),
    Hostile("a table", raw('(import "aurum" "chance" (table 1 funcref))'), "wasm_import"),
    Hostile("a global", raw('(import "aurum" "chance" (global (mut i64)))'), "wasm_import"),
    Hostile("a long name", raw(f'(import "aurum" "{"x" * 90_000}" (func))'), "wasm_import", "xxx; only"),
)

EXPORTS = (
    Hostile("no exports", raw(""), "wasm_export", "memory"),
    Hostile("memory that is a function", raw('(func (export "memory"))'), "wasm_export", "memory"),
    Hostile("no buffer", bot(ANSWER, buffer=""), "wasm_export", "aurum_buffer"),
    Hostile("no decide", raw(MEMORY + BUFFER), "wasm_export", "aurum_decide or aurum_message"),
    Hostile(
        "decide and message",
        bot(ANSWER, more=f'(func (export "aurum_message") (param i32) (result i32) {ANSWER})'),
        "wasm_export",
        "not both",
    ),
    Hostile(
        "decide of another shape",
        raw(f'{MEMORY} {BUFFER} (func (export "aurum_decide") (result f64) (f64.const 0))'),
        "wasm_export",
        "(i32) -> (i32)",
    ),
    Hostile(
        "two thousand exports",
        lambda: make_module(ANSWER, more="".join(f'(func (export "f{index}"))' for index in range(2_000))),
        "wasm_export",
        "1000",
    ),
)

FEATURES = (
    Hostile("four gigabytes at once", bot(ANSWER, memory='(memory (export "memory") 65535)'), "wasm_memory", "4095 MB"),
    Hostile("shared memory", bot(ANSWER, memory='(memory (export "memory") 2 4 shared)'), "wasm_malformed", "thread"),
    Hostile("64-bit memory", bot(ANSWER, memory='(memory (export "memory") i64 2)'), "wasm_malformed"),
    Hostile("two memories", bot(ANSWER, more="(memory $other 1)"), "wasm_malformed"),
    Hostile(
        "relaxed SIMD",
        bot(f"(drop (i8x16.relaxed_swizzle (v128.const i64x2 0 0) (v128.const i64x2 0 0))) {ANSWER}"),
        "wasm_malformed",
    ),
    Hostile("an exception", bot("(throw $e)", more="(tag $e)"), "wasm_malformed"),
    Hostile("too many locals", bot(f"(local{' i64' * 50_001}) {ANSWER}"), "wasm_malformed", "locals"),
)

REFUSED = NOT_MODULES + IMPORTS + EXPORTS + FEATURES

ENDLESS = (
    Hostile("a loop", bot(FOREVER), "fuel"),
    Hostile("a loop at the start", bot(ANSWER, more=f"(func $s {FOREVER}) (start $s)"), "fuel"),
    Hostile("a loop in _initialize", bot(ANSWER, more=f'(func (export "_initialize") {FOREVER})'), "fuel"),
    Hostile("a loop in the buffer", buffer(FOREVER), "fuel"),
    Hostile("growth of memory", bot(repeat("(drop (memory.grow (i32.const 1)))")), "fuel"),
    Hostile(
        "growth of a table",
        bot(repeat("(drop (table.grow $t (ref.null func) (i32.const 100)))"), more="(table $t 1 funcref)"),
        "fuel",
    ),
    Hostile(
        "filling all memory",
        bot(
            "(drop (memory.grow (i32.const 1000)))"
            + repeat("(memory.fill (i32.const 0) (i32.const 7) (i32.const 60000000))")
        ),
        "fuel",
    ),
    Hostile(
        "filling a table",
        bot(repeat("(table.fill $t (i32.const 0) (ref.null func) (i32.const 10000))"), more="(table $t 10000 funcref)"),
        "fuel",
    ),
    Hostile("a flood of the log", bot(repeat("(call $log (i32.const 0) (i32.const 65536))"), imports=LOG), "fuel"),
    Hostile("a flood of nothing", bot(repeat("(call $log (i32.const 0) (i32.const 0))"), imports=LOG), "fuel"),
    Hostile("chance", bot(repeat("(drop (call $chance))"), imports=CHANCE), "fuel"),
)

FORGED = (
    Hostile("address of a log", bot(f"(call $log (i32.const -1) (i32.const 8)) {ANSWER}", imports=LOG), "protocol"),
    Hostile("length of a log", bot(f"(call $log (i32.const 8) (i32.const -1)) {ANSWER}", imports=LOG), "fuel"),
    Hostile("end of a log", bot(f"(call $log (i32.const 131071) (i32.const 2)) {ANSWER}", imports=LOG), "protocol"),
    Hostile(
        "log at the start",
        bot(ANSWER, imports=LOG, more="(func $s (call $log (i32.const 0) (i32.const 1))) (start $s)"),
        "protocol",
        "start function",
    ),
    Hostile("no buffer", buffer("(i32.const 0)"), "protocol", "no room"),
    Hostile("buffer beyond memory", buffer("(i32.const 131071)"), "protocol", "no room"),
    Hostile("buffer at the last address", buffer("(i32.const -1)"), "protocol", "no room"),
)

TRAPS = (
    Hostile(
        "deep recursion",
        bot("(call $deep (local.get 0))", more="(func $deep (param i32) (result i32) "
            "(i32.add (i32.const 1) (call $deep (local.get 0))))"),
        "crash",
        "stack",
    ),
    Hostile(
        "recursion through a table",
        table_call("(func $r (type $f) (i32.add (i32.const 1) (call_indirect (type $f) (i32.const 0))))"),
        "crash",
        "stack",
    ),
    Hostile("unreachable", bot("(unreachable)"), "crash", "unreachable"),
    Hostile("unreachable at the start", bot(ANSWER, more="(func $s (unreachable)) (start $s)"), "crash", "unreachable"),
    Hostile("division by zero", bot("(i32.div_u (i32.const 1) (i32.const 0))"), "crash", "divide by zero"),
    Hostile("overflow", bot("(i32.div_s (i32.const 0x80000000) (i32.const -1))"), "crash", "overflow"),
    Hostile("load beyond memory", bot("(i32.load (i32.const 131072))"), "crash", "out of bounds"),
    Hostile("load at the last address", bot("(i32.load offset=4294967295 (i32.const -1))"), "crash", "out of bounds"),
    Hostile("store far away", bot(f"(i32.store offset=4294967292 (i32.const 4) (i32.const 1)) {ANSWER}"), "crash"),
    Hostile("call of nothing", table_call("", elements=""), "crash", "uninitialized"),
    Hostile("call of another shape", table_call("(func $r)"), "crash", "type mismatch"),
    Hostile("no number made an integer", bot("(i32.trunc_f64_s (f64.const nan))"), "crash", "integer"),
    Hostile("data beyond memory", bot(ANSWER, more='(data (i32.const 131071) "xx")'), "crash", "out of bounds"),
    Hostile("elements beyond a table", bot(ANSWER, more="(table 1 funcref) (elem (i32.const 1) 0)"), "crash"),
    Hostile("a table of a billion", bot(ANSWER, more="(table 1000000000 funcref)"), "memory", "table"),
    Hostile("five tables", bot(ANSWER, more="(table 1 funcref)" * 5), "memory", "table"),
)  # fmt: skip

FAULTY = ENDLESS + FORGED + TRAPS

HARMLESS = (
    Hostile("a megabyte of nothing", lambda: make_fair_module() + make_section(0, b"\1n" + bytes(1_000_000)), "ok"),
    Hostile("a hundred thousand nops", lambda: make_module("nop " * 100_000 + ANSWER), "ok"),
    Hostile("five thousand functions", lambda: make_module(ANSWER, more="(func nop)" * 5_000), "ok"),
    Hostile("thousands of blocks deep", lambda: make_module("block " * 5_000 + "end " * 5_000 + ANSWER), "ok"),
    Hostile("memory refused", bot(f"(drop (memory.grow (i32.const 60000))) {ANSWER}"), "ok"),
    Hostile(
        "table refused",
        bot(f"(drop (table.grow $t (ref.null func) (i32.const 2000000))) {ANSWER}", more="(table $t 1 funcref)"),
        "ok",
    ),
    Hostile("nothing at the end", bot(f"(call $log (i32.const 131072) (i32.const 0)) {ANSWER}", imports=LOG), "ok"),
)
