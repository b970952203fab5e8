"""Decisions of house bots and of modules, played again from a record, its seed and the match's number alone."""

from pathlib import Path
from typing import Any

import pytest

from aurum_league.cli.main import main
from bots.agents.conformance import replay_decisions
from bots.agents.uploaded import WasmAgent
from bots.brains import make_brain
from bots.runners.wasm import HostPool
from games.play.agents import Agent, AgentRef, SeatOrder, close_agent, derive_bot_seed
from games.play.table import Table
from games.rules.match import Match
from games.rules.record import dump_record, make_record, read_record
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


def play(code: str, pool: HostPool) -> tuple[dict[str, Any], int]:
    match = Match(Ruleset.from_code(code), SEED)
    agents = open_agents(match, pool)
    table = Table(match, agents, lambda seat: make_brain("greedy", seat))
    table.advance()
    for agent in agents:
        close_agent(agent)
    seats = [{"agent": name} for name in ("version:3", "house:search-1", "house:random", "version:3")[: match.players]]
    return make_record(match, with_seed=True, match=NUMBER, seats=seats), len(table.failures)


@pytest.mark.parametrize("code", ["en3", "de4-golden"])
def test_every_decision_comes_out_again(code: str, pool: HostPool) -> None:
    record, failed = play(code, pool)
    assert failed, "a module that traps now and then did not: the replay of failures goes untested"
    match = read_record(record)
    agents = dict(enumerate(open_agents(match, pool)))
    differences = list(replay_decisions(match, agents))
    for agent in agents.values():
        close_agent(agent)
    assert differences == [None] * len(match.log)


def test_another_bot_is_found_out(pool: HostPool) -> None:
    record, _ = play("en3", pool)
    match = read_record(record)
    found = [difference for difference in replay_decisions(match, {1: make_brain("greedy", 1)}) if difference]
    assert found and {difference.seat for difference in found} == {1}


def test_the_command_asks_house_bots_and_given_modules(
    pool: HostPool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record, _ = play("en3", pool)
    file, module = tmp_path / "records.jsonl", tmp_path / "lucky.wasm"
    file.write_text(dump_record(record) + "\n")
    module.write_bytes(LUCKY)
    decisions = len(read_record(record).log)
    assert main(["verify", "--replay", "--bot", f"version:3={module}", str(file)]) == 0
    assert f"{decisions} of {decisions} decisions of bots come out again." in capsys.readouterr().out
    record["seats"][1]["agent"] = "house:greedy"
    file.write_text(dump_record(record) + "\n")
    assert main(["verify", "--replay", str(file)]) == 1
    told = capsys.readouterr().out
    assert "of house:greedy at seat 1: the record has" in told and "things do not" in told
    assert main(["verify", "--replay", "--bot", "version:3=bot.py", str(file)]) == 2
