"""Decisions of house bots and of modules, played again from a record, its seed and the match's number alone."""

from typing import Any

import pytest

from bots.agents.conformance import replay_decisions
from bots.agents.uploaded import WasmAgent
from bots.brains import make_brain
from bots.runners.wasm import HostPool
from games.play.agents import Agent, AgentRef, SeatOrder, close_agent, derive_bot_seed
from games.play.table import Table
from games.rules.match import Match
from games.rules.record import make_record, read_record
from games.rules.ruleset import Ruleset
from tests.wasm.modules import CHANCE, make_module

SEED = bytes(range(32))
NUMBER = 17
# Any legal card by chance; before a trick it keeps the bids, and now and then it traps.
LUCKY = make_module(
    """(local $card i32)
    (if (i32.eq (i32.load8_u offset=1203 (i32.const 0)) (i32.const 1)) (then (return (i32.const 59))))
    (if (i64.eqz (i64.rem_u (call $chance) (i64.const 40))) (then (unreachable)))
    (loop $again
      (local.set $card (i32.wrap_i64 (i64.rem_u (call $chance) (i64.const 60))))
      (br_if $again (i64.eqz (i64.and (i64.const 1) (i64.shr_u (i64.load offset=1056 (i32.const 0))
        (i64.extend_i32_u (local.get $card)))))))
    (local.get $card)""",
    imports=CHANCE,
)


def open_agents(match: Match, pool: HostPool) -> list[Agent]:
    agents: list[Agent] = []
    for seat, name in enumerate(("module", "search-1", "random", "module")[: match.players]):
        assert match.seed is not None
        chance = derive_bot_seed(match.seed, NUMBER, seat)
        order = SeatOrder(AgentRef.parse(name), seat, match.ruleset, chance, NUMBER)
        agents.append(WasmAgent(order, LUCKY, pool) if name == "module" else make_brain(name, chance))
    return agents


def play(code: str, pool: HostPool) -> tuple[dict[str, Any], list[int]]:
    match = Match(Ruleset.from_code(code), SEED)
    agents = open_agents(match, pool)
    table = Table(match, agents, lambda seat: make_brain("greedy", seat))
    table.advance()
    for agent in agents:
        close_agent(agent)
    return make_record(match, with_seed=True), [failure.step for failure in table.failures]


@pytest.mark.parametrize("code", ["en3", "de4-golden"])
def test_every_decision_comes_out_again(code: str, pool: HostPool) -> None:
    record, failed = play(code, pool)
    assert failed, "a module that traps now and then did not: the replay of failures goes untested"
    match = read_record(record)
    agents = dict(enumerate(open_agents(match, pool)))
    differences = list(replay_decisions(match, agents, failed))
    for agent in agents.values():
        close_agent(agent)
    assert differences == []


def test_another_bot_is_found_out(pool: HostPool) -> None:
    record, failed = play("en3", pool)
    match = read_record(record)
    differences = list(replay_decisions(match, {1: make_brain("greedy", 1)}, failed))
    assert differences and {difference.seat for difference in differences} == {1}
