"""What a module and the league say to each other: names, limits and prices; docs/WASM.md tells authors the same."""

from dataclasses import dataclass

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
LARGEST_LOG = 16 * KILOBYTE
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
