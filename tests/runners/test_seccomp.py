"""The seccomp program, run by a small BPF machine, for both architectures wherever the tests run."""

import fcntl
import struct

import pytest

from bots.runners.sandbox.seccomp import (
    ALLOWED,
    ARCHITECTURES,
    CLOCKS,
    FCNTL,
    FUTEX,
    MADVISE,
    MAPPINGS,
    NUMBERS_OF_ITSELF,
    RET_ALLOW,
    RET_DENY,
    RET_KILL_PROCESS,
    RET_ZERO,
    build_filter,
)

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
    listed = {numbers[column] for numbers in (*ALLOWED.values(), *CLOCKS.values(), *MAPPINGS.values())} - {None}
    answers = {n: run_filter(program, architecture, n) for n in range(600)}
    assert {n for n, answer in answers.items() if answer == RET_ALLOW} - {FCNTL[column]} == listed
    assert {n for n, answer in answers.items() if answer == RET_ZERO} == {
        numbers[column] for numbers in NUMBERS_OF_ITSELF.values()
    }
    assert set(answers.values()) == {RET_ALLOW, RET_ZERO, RET_DENY}


# Every call of both tables that takes a path, or tells of a file or a folder.
FILE_CALLS = {
    "x86_64": "2 4 5 6 21 78 79 80 82 85 89 137 138 191 217 257 262 267 269 303 332 437 439 451",
    "aarch64": "8 17 43 44 48 49 50 56 61 78 79 80 264 291 437 439 451",
}


@pytest.mark.parametrize("machine", MACHINES)
def test_no_call_reaches_a_file_or_tells_of_one(machine: str) -> None:
    program, architecture = build_filter(machine), ARCHITECTURES[machine][0]
    assert {run_filter(program, architecture, number) for number in map(int, FILE_CALLS[machine].split())} == {RET_DENY}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("call", "arguments", "action"),
    [
        pytest.param(FUTEX, (0, 128), RET_ALLOW, id="wait for itself"),
        pytest.param(FUTEX, (0, 129), RET_ALLOW, id="wake itself"),
        pytest.param(FUTEX, (0, 0), RET_DENY, id="wait for another process"),
        pytest.param(FUTEX, (0, 1), RET_DENY, id="wake another process"),
        pytest.param(MAPPINGS["mmap"], (0, 0, 3), RET_ALLOW, id="take memory"),
        pytest.param(MAPPINGS["mmap"], (0, 0, 7), RET_DENY, id="take memory to run code in"),
        pytest.param(MAPPINGS["mmap"], (0, 0, 3, 0x40022), RET_DENY, id="take a large page"),
        pytest.param(MAPPINGS["mprotect"], (0, 0, 5), RET_DENY, id="run code in memory"),
        pytest.param(MADVISE, (0, 0, 4), RET_ALLOW, id="give memory back"),
        pytest.param(MADVISE, (0, 0, 12), RET_DENY, id="join equal pages"),
        pytest.param(MADVISE, (0, 0, 21), RET_DENY, id="put pages to disk"),
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
