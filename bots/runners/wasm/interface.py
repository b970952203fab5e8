"""What a module and the league, and a worker and its host, say to each other: names, limits, prices and frames."""

import hashlib
from dataclasses import dataclass
from enum import IntEnum
from struct import Struct

INTERFACE = 1
"""Raised when a module made for this interface would no longer play."""

NAMESPACE = "aurum"
LOG, CHANCE = "log", "chance"
MEMORY, BUFFER, DECIDE, MESSAGE, INITIALIZE = "memory", "aurum_buffer", "aurum_decide", "aurum_message", "_initialize"

# A call of ours takes some four microseconds, in which a module burns about as much.
CALL_FUEL = 5_000
BYTE_FUEL = 1

KILOBYTE = 1024
MEGABYTE = 1024 * KILOBYTE
MILLION = 1_000_000
BILLION = 1_000 * MILLION

LARGEST_MEMORY = 64 * MEGABYTE
LARGEST_TABLE = 10_000
MOST_TABLES = 4
LARGEST_STACK = 512 * KILOBYTE
LARGEST_ANSWER = 64 * KILOBYTE
LARGEST_LOG = 250 * KILOBYTE
MOST_EXPORTS = 1_000


@dataclass(frozen=True)
class WasmLimits:
    """Fuel is charged, about one an instruction; CPU time is only a backstop that no fair module can reach."""

    bank: int = 2_000 * MILLION
    decision: int = 200 * MILLION
    # For the first answer, with everything that runs before it; not taken from the bank.
    start: int = 400 * MILLION
    # The slowest fuel we could make took 26 ns (docs/WASM.md).
    cpu_a_fuel: float = 200e-9
    least_cpu: float = 2.0
    # As long as this the platform may keep a module from running.
    patience: float = 120.0


class Order(IntEnum):
    """What the worker asks of a host."""

    LOAD = 1
    OPEN = 2
    ASK = 3
    TELL = 4
    CLOSE = 5
    COMPILE = 6


class Outcome(IntEnum):
    """How an order went, in a module's terms."""

    OK = 0
    FUEL = 1
    CRASH = 2
    MEMORY = 3
    PROTOCOL = 4
    OUTPUT = 5
    REFUSED = 6


# The first byte of an artifact, and of what is loaded: the export that the module is asked by.
MARKS = {DECIDE: b"D", MESSAGE: b"M"}
MARKED = {mark: export for export, mark in MARKS.items()}
# Order, seat, bytes that follow, fuel that may be used, seed of the decision.
ORDER = Struct("<BxHIQQ")
# Outcome, seat, bytes of the answer, bytes of the log that follow it, fuel used, answer as a number.
REPLY = Struct("<BxHIIQi")


MAGIC = b"\0asm"


def is_module(upload: bytes) -> bool:
    """Whether a file says of itself that it is WebAssembly; the compiler judges the rest."""
    return upload.startswith(MAGIC)


def read_module_hash(module: bytes) -> str:
    return hashlib.sha256(module).hexdigest()
