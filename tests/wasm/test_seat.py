"""What a seat may rely on: its own memory, its chance, its fuel, its log; JSON modules; restarts after a fault."""

import json
import struct
from dataclasses import replace

import pytest

from bots.agents.uploaded import WasmAgent
from bots.brains import make_brain
from bots.runners.verdict import Verdict
from bots.runners.wasm import HostPool, WasmLimits
from bots.runners.wasm.interface import CALL_FUEL
from games.play.agents import AgentFault, AgentRef, SeatOrder
from games.rules.match import Match
from games.rules.ruleset import Ruleset
from games.rules.view import view
from tests.wasm.modules import ANSWER, BUFFER, CHANCE, FAIR_ANSWER, LOG, MEMORY, build, make_json_module, make_module

COUNTS = make_module(
    "(global.set $n (i32.add (global.get $n) (i32.const 1))) (global.get $n)",
    more="(global $n (mut i32) (i32.const 0))",
)
DRAWS = make_module(
    "(i64.store (i32.const 8) (call $chance)) (i64.store (i32.const 16) (call $chance))"
    f"(call $log (i32.const 8) (i32.const 16)) {ANSWER}",
    imports=CHANCE + LOG,
)
# SplitMix64 from the seed 1234567, as its author published it.
KNOWN_DRAWS = (6457827717110365317, 3203168211198807973)


def make_order(code: str = "en3", seat: int = 0) -> SeatOrder:
    return SeatOrder(AgentRef("version", "1"), seat, Ruleset.from_code(code), bot_seed=42, match=7)


def make_view(code: str = "en3") -> tuple[Match, int]:
    match = Match(Ruleset.from_code(code), bytes(32))
    return match, match.round.turn


def test_an_instance_remembers_within_a_match_and_shares_nothing(pool: HostPool) -> None:
    seats = [pool.open_seat(COUNTS) for _ in range(6)]
    answers = [[seat.ask(b"x", chance=0).number for seat in seats] for _ in range(3)]
    for seat in seats:
        seat.close()
    assert answers == [[1] * 6, [2] * 6, [3] * 6]
    again = pool.open_seat(COUNTS)
    assert again.ask(b"x", chance=0).number == 1
    again.close()


def test_chance_is_splitmix_from_the_seed_of_the_decision(pool: HostPool) -> None:
    seat = pool.open_seat(DRAWS)
    first = [seat.ask(b"x", chance=1234567) for _ in range(2)]
    seat.close()
    assert {answer.fuel for answer in first} == {first[0].fuel} and first[0].fuel > 3 * CALL_FUEL
    raw = pool.open_seat(DRAWS)
    raw.ask(b"x", chance=1234567)
    drawn = struct.unpack("<2Q", bytes(raw._log))
    raw.close()
    assert drawn == KNOWN_DRAWS


def test_the_bank_is_charged_from_the_second_answer_on(pool: HostPool) -> None:
    burn = make_module(
        "(local $i i32) (loop $l (local.set $i (i32.add (local.get $i) (i32.const 1)))"
        f"(br_if $l (i32.lt_u (local.get $i) (i32.const 1000)))) {ANSWER}"
    )
    seat = pool.open_seat(burn, WasmLimits(start=20_000, decision=15_000, bank=20_000))
    assert (seat.decision_left, seat.bank_left) == (20_000, 20_000)
    first, second = seat.ask(b"x", chance=0), seat.ask(b"x", chance=0)
    assert first.verdict == second.verdict == Verdict.OK and first.fuel == second.fuel
    assert seat.bank_left == 20_000 - second.fuel and seat.decision_left == min(15_000, seat.bank_left)
    third = seat.ask(b"x", chance=0)
    seat.ask(b"x", chance=0)
    assert seat.ask(b"x", chance=0).verdict == Verdict.FUEL
    assert third.verdict in (Verdict.OK, Verdict.FUEL) and seat.bank_left == 0
    seat.close()


@pytest.mark.parametrize(
    ("answer", "verdict", "told"),
    [
        pytest.param('{"action": 5}', "protocol", "action", id="no text"),
        pytest.param("[]", "protocol", "object", id="no object"),
        pytest.param("{", "protocol", "JSON", id="no JSON"),
        pytest.param('{"action": "play B7"}', "illegal", "Legal:", id="another phase"),
        pytest.param('{"action": "dance"}', "illegal", "no action", id="no action"),
    ],
)
def test_json_answers_are_judged_as_those_of_any_bot(answer: str, verdict: str, told: str, pool: HostPool) -> None:
    agent = WasmAgent(make_order(), make_json_module(answer), pool)
    match, seat = make_view()
    with pytest.raises(AgentFault) as fault:
        agent.choose(view(match, seat))
    agent.close()
    assert fault.value.verdict == verdict and told in fault.value.detail
    assert fault.value.answered == answer
    assert json.loads(fault.value.asked)["type"] == "decide"


def make_json_logger() -> bytes:
    """Logs every message, and answers `keep` to all of them."""
    answer = '{"action": "keep"}'
    escaped = answer.replace('"', '\\"')
    return build(
        f"""{LOG} {MEMORY} {BUFFER} (data (i32.const 0) "{escaped}\\n")
        (func (export "aurum_message") (param i32) (result i32)
          (call $log (i32.const 1024) (local.get 0)) (call $log (i32.const {len(answer)}) (i32.const 1))
          (memory.copy (i32.const 1024) (i32.const 0) (i32.const {len(answer)})) (i32.const {len(answer)}))"""
    )


def test_a_json_module_is_sent_every_message_of_the_contract(pool: HostPool) -> None:
    match, _ = make_view("en3")
    brain = make_brain("greedy", 0)
    while match.round.phase == 0:
        match.apply(match.round.turn, brain.choose(view(match, match.round.turn)))
    seat = match.round.turn
    agent = WasmAgent(make_order(seat=seat), make_json_logger(), pool)
    assert agent.choose(view(match, seat)) == FAIR_ANSWER
    agent.close()
    messages = [json.loads(line) for line in agent.stderr.splitlines()]
    assert [message["type"] for message in messages] == ["hello", "match_start", "happened", "decide"]
    assert messages[0]["clock"] == "fuel" and messages[1]["chance"] == f"{42:016x}"
    assert messages[3]["time"] == {"decision": 0.4, "bank": 2.0}


def test_a_new_instance_goes_on_after_a_fault_with_the_bank_that_is_left(pool: HostPool) -> None:
    """It plays once and traps the second time, again and again."""
    module = make_module(
        f"(if (global.get $n) (then (unreachable))) (global.set $n (i32.const 1)) {ANSWER}",
        more="(global $n (mut i32) (i32.const 0))",
    )
    match, _ = make_view("en3")
    brain = make_brain("greedy", 0)
    while match.round.phase == 0:
        match.apply(match.round.turn, brain.choose(view(match, match.round.turn)))
    seen = view(match, match.round.turn)
    agent = WasmAgent(make_order(seat=seen.seat), module, pool, replace(WasmLimits(), bank=1_000_000))
    for _ in range(3):
        assert agent.choose(seen) == FAIR_ANSWER
        with pytest.raises(AgentFault, match="unreachable"):
            agent.choose(seen)
    agent.close()
    assert len(agent.fuel) == len(agent.cpu) == 6
    assert agent.fuel[0] == agent.fuel[2] and agent.fuel[1] == agent.fuel[3]


def test_names_of_functions_are_in_the_trap(pool: HostPool) -> None:
    module = make_module("(call $think) (unreachable)", more="(func $think (unreachable))")
    seat = pool.open_seat(module)
    answer = seat.ask(b"x", chance=0)
    seat.close()
    assert answer.verdict == Verdict.CRASH and "think" in answer.detail and "memory in use" in answer.detail
