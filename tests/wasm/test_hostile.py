"""Every hostile module gets its verdict, its author is told why, and a fair module beside it notices nothing."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from bots.runners.budget import MEGABYTE, Limits
from bots.runners.verdict import ArchiveError, Verdict
from bots.runners.wasm import HostPool, WasmLimits, WasmSeat
from bots.runners.wasm.compiler import COMPILE_LIMITS, compile_module
from bots.runners.wasm.interface import LARGEST_LOG
from tests.wasm.hostile import FAULTY, HARMLESS, REFUSED, Hostile, make_slow_module
from tests.wasm.modules import FAIR_ANSWER, make_fair_module

QUESTION = bytes(range(250)) * 2
# A loop of a hundredth of a second tells as much as one of a second.
LIMITS = WasmLimits(start=30_000_000, decision=20_000_000, bank=60_000_000)


def by_name(hostile: Hostile) -> str:
    return hostile.name


@pytest.fixture
def neighbour(pool: HostPool) -> Iterator[WasmSeat]:
    """A fair module that plays on while another misbehaves."""
    seat = pool.open_seat(make_fair_module())
    yield seat
    answer = seat.ask(QUESTION, chance=1)
    seat.close()
    assert (answer.verdict, answer.number) == (Verdict.OK, FAIR_ANSWER)


def test_there_are_more_than_forty() -> None:
    assert len({(hostile.name, hostile.make()) for hostile in REFUSED + FAULTY}) >= 40


@pytest.mark.parametrize("hostile", REFUSED, ids=by_name)
def test_is_refused_before_it_ever_runs(hostile: Hostile, pool: HostPool, neighbour: WasmSeat) -> None:
    with pytest.raises(ArchiveError) as refused:
        pool.open_seat(hostile.make())
    assert refused.value.code in hostile.expected.split("|")
    assert hostile.told in str(refused.value)
    assert 10 < len(str(refused.value)) < 600


@pytest.mark.parametrize(
    ("limits", "code"),
    [
        pytest.param(replace(COMPILE_LIMITS, bank_cpu=0.0), "wasm_compile_time", id="time"),
        pytest.param(replace(COMPILE_LIMITS, memory=160 * MEGABYTE), "wasm_compile_memory", id="memory"),
    ],
)
def test_is_refused_where_compiling_takes_too_much(limits: Limits, code: str, pool: HostPool) -> None:
    with pytest.raises(ArchiveError) as refused:
        compile_module(make_slow_module(), pool.launcher, limits)
    assert refused.value.code == code


@pytest.mark.parametrize("hostile", FAULTY, ids=by_name)
def test_gets_its_verdict_again_and_again(hostile: Hostile, pool: HostPool, neighbour: WasmSeat) -> None:
    module = hostile.make()
    seen = set()
    for _ in range(2):
        seat = pool.open_seat(module, LIMITS)
        answer = seat.ask(QUESTION, chance=7)
        assert answer.verdict in hostile.expected.split("|"), answer
        assert hostile.told in answer.detail
        assert seat.ask(QUESTION, chance=7) is answer
        assert len(seat.log) <= LARGEST_LOG
        seen.add((answer.verdict, answer.fuel, answer.detail, seat.fuel_used, seat.log))
        seat.close()
    assert len(seen) == 1, "the same module, the same seed, and not the same end"


@pytest.mark.parametrize("hostile", HARMLESS, ids=by_name)
def test_is_only_strange(hostile: Hostile, pool: HostPool, neighbour: WasmSeat) -> None:
    seat = pool.open_seat(hostile.make(), LIMITS)
    answer = seat.ask(QUESTION, chance=7)
    seat.close()
    assert (answer.verdict, answer.number) == (Verdict.OK, FAIR_ANSWER)
