"""The frames that a worker and a host of modules exchange over its pipes; both halves import this and little else."""

from enum import IntEnum
from struct import Struct

from bots.runners.wasm.interface import DECIDE, MESSAGE


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
