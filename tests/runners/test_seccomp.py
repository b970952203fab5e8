"""The seccomp program, run by a small BPF machine, for both architectures wherever the tests run."""

import fcntl
import os
import struct

import pytest

from bots.runners.sandbox.seccomp import RET_ALLOW, RET_DENY, RET_KILL_PROCESS, build_filter
from bots.runners.sandbox.syscalls import ALLOWED, ARCHITECTURES, CLOCKS, FCNTL, OPENAT

MACHINES = list(ARCHITECTURES)


def run_filter(program: bytes, architecture: int, number: int, *arguments: int) -> int:
    words = [word & (1 << 64) - 1 for word in (*arguments, *[0] * (6 - len(arguments)))]
    call = struct.pack("<IIQ6Q", number, architecture, 0, *words)
    steps = list(struct.iter_unpack("=HBBI", program))
    position, value = 0, 0
    while True:
        code, if_true, if_false, operand = steps[position]
        position += 1
        if code == 0x06:
            return int(operand)
        if code == 0x20:
            value = struct.unpack_from("<I", call, operand)[0]
            continue
        holds = {0x15: value == operand, 0x35: value >= operand, 0x45: bool(value & operand)}[code]
        position += if_true if holds else if_false


@pytest.mark.parametrize("machine", MACHINES)
def test_exactly_the_listed_calls_are_allowed(machine: str) -> None:
    architecture, column = ARCHITECTURES[machine]
    program = build_filter(machine)
    listed = {numbers[column] for numbers in (*ALLOWED.values(), *CLOCKS.values(), OPENAT)} - {None}
    allowed = {n for n in range(600) if run_filter(program, architecture, n) == RET_ALLOW}
    assert allowed - {FCNTL[column]} == listed
    assert {run_filter(program, architecture, n) for n in set(range(600)) - allowed} == {RET_DENY}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("call", "arguments", "action"),
    [
        pytest.param(OPENAT, (-100, 0, os.O_RDONLY | os.O_CLOEXEC), RET_ALLOW, id="open to read"),
        pytest.param(OPENAT, (-100, 0, os.O_WRONLY), RET_DENY, id="open to write"),
        pytest.param(OPENAT, (-100, 0, os.O_RDWR | os.O_CREAT), RET_DENY, id="open to create"),
        pytest.param(OPENAT, (-100, 0, os.O_PATH), RET_DENY, id="open past Landlock"),
        pytest.param(FCNTL, (0, fcntl.F_GETFD), RET_ALLOW, id="ask for a flag"),
        pytest.param(FCNTL, (0, fcntl.F_SETLK), RET_DENY, id="lock"),
        pytest.param(FCNTL, (0, fcntl.F_SETPIPE_SZ), RET_DENY, id="resize a pipe"),
        pytest.param(CLOCKS["clock_gettime"], (1,), RET_ALLOW, id="monotonic clock"),
        pytest.param(CLOCKS["clock_gettime"], ((~1 << 3) | 2,), RET_DENY, id="clock of another process"),
    ],
)
def test_arguments_are_looked_at(machine: str, call: tuple[int, int], arguments: tuple[int, ...], action: int) -> None:
    architecture, column = ARCHITECTURES[machine]
    assert run_filter(build_filter(machine), architecture, call[column], *arguments) == action


def test_other_abis_are_killed() -> None:
    program = build_filter("x86_64")
    x86_64, aarch64 = (ARCHITECTURES[machine][0] for machine in ("x86_64", "aarch64"))
    assert run_filter(program, aarch64, 0) == RET_KILL_PROCESS
    assert run_filter(program, x86_64, 0x40000000) == RET_KILL_PROCESS


def test_unknown_architecture_has_no_filter() -> None:
    with pytest.raises(KeyError):
        build_filter("riscv64")
