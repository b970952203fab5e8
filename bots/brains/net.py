"""A small net in whole numbers, so that it answers the same compiled and plain: features in, a few values out.

The first layer is sparse: each feature that holds adds its row. Activations are kept between nought and ONE_UNIT.
Compiles with net.pxd; trained by bots/training.
"""

from array import array
from ast import literal_eval
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Protocol
from zipfile import ZipFile

HIDDEN = 128
SECOND = 32
ONE_UNIT = 256
"""An activation of one."""

WEIGHT_UNIT = 256
"""A weight of one in the second and the last layer."""

VALUE_UNIT = ONE_UNIT * WEIGHT_UNIT
"""A value of one, as a net answers it."""


# The same as C knows them: what it knows is not seen from outside.
ONE, WEIGHT = ONE_UNIT, WEIGHT_UNIT
FOLDER = Path(__file__).parent / "weights"


class Numbers(Protocol):
    """An array of this library, or one of numpy's."""

    def tobytes(self) -> bytes: ...


class Net:
    """One net; `begin` takes features that many questions share, `answer` adds a question's own and fills `out`.

    Biases of the second and the last layer have 32 bits, all other weights 16.
    """

    def __init__(self, weights: "Mapping[str, Numbers]") -> None:
        self.rows = array("h", weights["rows"].tobytes())
        self.bias = array("h", weights["bias"].tobytes())
        self.second = array("h", weights["second"].tobytes())
        self.second_bias = array("i", weights["second_bias"].tobytes())
        self.last = array("h", weights["last"].tobytes())
        self.last_bias = array("i", weights["last_bias"].tobytes())
        self.width = len(self.bias)
        self.depth = len(self.second_bias)
        self.outputs = len(self.last_bias)
        self.base = array("h", [0]) * self.width
        self.sums = array("h", [0]) * self.width
        self.hidden = array("h", [0]) * self.depth
        self.out = array("i", [0]) * self.outputs

    def begin(self, active: "list[int]", count: int) -> None:
        copy_row(self.base, self.bias, self.width)
        for place in range(count):
            add_row(self.base, self.rows, active[place] * self.width, self.width)

    def answer(self, active: "list[int]", start: int, count: int) -> int:
        """The first value, with the features from `start` to `count` added to those it began with."""
        copy_row(self.sums, self.base, self.width)
        for place in range(start, count):
            add_row(self.sums, self.rows, active[place] * self.width, self.width)
        clip_row(self.sums, self.width)
        for unit in range(self.depth):
            total = self.second_bias[unit] + multiply(self.sums, self.second, unit * self.width, self.width)
            self.hidden[unit] = min(max(total // WEIGHT, 0), ONE)
        for unit in range(self.outputs):
            self.out[unit] = self.last_bias[unit] + multiply(self.hidden, self.last, unit * self.depth, self.depth)
        return self.out[0]


# These loops are functions of their own, because only so does a C compiler see that nothing else changes meanwhile.
def copy_row(sums: "array[int]", row: "array[int]", count: int) -> None:
    for unit in range(count):
        sums[unit] = row[unit]


def add_row(sums: "array[int]", rows: "array[int]", start: int, count: int) -> None:
    for unit in range(count):
        sums[unit] += rows[start + unit]


def clip_row(sums: "array[int]", count: int) -> None:
    top = ONE
    for unit in range(count):
        value = sums[unit]
        value = value if value > 0 else 0
        sums[unit] = value if value < top else top


def multiply(inputs: "array[int]", weights: "array[int]", start: int, count: int) -> int:
    total = 0
    for unit in range(count):
        total += inputs[unit] * weights[start + unit]
    return total


_KINDS = {"<i2": "h", "<i4": "i", "<f8": "d"}
_MAGIC = b"\x93NUMPY\x01\x00"


def read_weights(path: Path) -> "dict[str, array[int] | array[float]]":
    """The arrays of an .npz file, row after row, without numpy: who plays needs Python alone."""
    with ZipFile(path) as stored:
        return {name.removesuffix(".npy"): _read_array(stored.read(name)) for name in stored.namelist()}


def _read_array(stored: bytes) -> "array[int] | array[float]":
    start = len(_MAGIC) + 2
    end = start + int.from_bytes(stored[len(_MAGIC) : start], "little")
    told = literal_eval(stored[start:end].decode("latin-1"))
    if not stored.startswith(_MAGIC):
        raise ValueError("weights are stored as numpy stores them, version 1")
    numbers = array(_KINDS[told["descr"]], stored[end:])
    if not told["fortran_order"]:
        return numbers
    rows = told["shape"][0]
    turned = array(numbers.typecode)
    for row in range(rows):
        turned += numbers[row::rows]
    return turned


@cache
def read_own_weights(name: str) -> "dict[str, array[int] | array[float]]":
    """The weights of a net that lies in this package."""
    return read_weights(FOLDER / f"{name}.npz")


def load_net(name: str) -> Net:
    """A net of its own for one user of it, since it keeps what it was asked last."""
    return Net(read_own_weights(name))
