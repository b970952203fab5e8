"""Modules for tests, written as text: a fair one, and the parts that hostile ones are made of."""

from wasmtime import wat2wasm

MEMORY = '(memory (export "memory") 2)'
BUFFER = '(func (export "aurum_buffer") (param i32) (result i32) (i32.const 1024))'
LOG = '(import "aurum" "log" (func $log (param i32 i32)))'
CHANCE = '(import "aurum" "chance" (func $chance (result i64)))'
FAIR_ANSWER = 59
ANSWER = f"(i32.const {FAIR_ANSWER})"


def build(body: str) -> bytes:
    return bytes(wat2wasm(f"(module {body})"))


def make_module(decide: str, *, imports: str = "", memory: str = MEMORY, buffer: str = BUFFER, more: str = "") -> bytes:
    """A module whose `aurum_decide` has this body; the length of its question is local 0."""
    function = f'(func (export "aurum_decide") (param i32) (result i32) {decide})'
    return build(f"{imports} {memory} {buffer} {more} {function}")


def make_fair_module() -> bytes:
    """It adds up every byte of its question, and answers the same each time."""
    return make_module(
        f"""(local $i i32) (local $sum i32)
        (loop $next
          (local.set $sum (i32.add (local.get $sum) (i32.load8_u offset=1024 (local.get $i))))
          (local.set $i (i32.add (local.get $i) (i32.const 1)))
          (br_if $next (i32.lt_u (local.get $i) (local.get 0))))
        (i32.store (i32.const 0) (local.get $sum))
        {ANSWER}"""
    )


def make_json_module(answer: str, more: str = "", imports: str = "") -> bytes:
    """A module that reads JSON and writes this text over every message."""
    escaped = answer.replace("\\", "\\\\").replace('"', '\\"')
    size = len(answer.encode())
    return build(
        f"""{imports} {MEMORY} {BUFFER} (data (i32.const 0) "{escaped}") {more}
        (func (export "aurum_message") (param i32) (result i32)
          (memory.copy (i32.const 1024) (i32.const 0) (i32.const {size})) (i32.const {size}))"""
    )


def encode_number(number: int) -> bytes:
    """LEB128, as everything in a module is counted."""
    encoded = bytearray()
    while True:
        low, number = number & 0x7F, number >> 7
        encoded.append(low | (0x80 if number else 0))
        if not number:
            return bytes(encoded)


def make_section(number: int, content: bytes) -> bytes:
    return bytes([number]) + encode_number(len(content)) + content
