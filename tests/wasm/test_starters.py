"""Starters in five languages are built, decide alike to the last action, and beat `greedy`."""

import sys
from pathlib import Path

import pytest

from benchmarks.wasm import compare_loads
from bots.agents.uploaded import WasmAgent
from bots.brains import make_brain
from bots.runners.wasm import HostPool
from bots.starters import STARTERS
from games.play.agents import Agent, AgentRef, SeatOrder, close_agent
from games.rules.deal import derive_seed
from games.rules.match import Match
from games.rules.ruleset import Ruleset
from games.rules.view import view
from tests.wasm.steady import SteadyBrain
from tests.wasm.toolchains import BUILT, ToolMissing, build_starter, run_tool

SEED = bytes(range(32))
RULESETS = ("en3", "fr4", "de3-nozero-golden", "ru4-nozero-cumulative")


@pytest.fixture(scope="module", params=BUILT)
def module(request: pytest.FixtureRequest) -> bytes:
    try:
        return build_starter(request.param, Path(request.config.cache.mkdir("starters")))
    except ToolMissing as missing:
        pytest.skip(f"THE {request.param.upper()} STARTER WAS NOT BUILT: {missing}")


def play_match(match: Match, agents: list[Agent]) -> None:
    try:
        while match.result is None:
            seat = match.round.turn
            match.apply(seat, agents[seat].choose(view(match, seat)))
    finally:
        for agent in agents:
            close_agent(agent)


@pytest.mark.parametrize("code", RULESETS)
def test_decides_as_the_others_do(module: bytes, code: str, pool: HostPool) -> None:
    ruleset = Ruleset.from_code(code)
    match = Match(ruleset, derive_seed(SEED, code))
    agents = [
        WasmAgent(SeatOrder(AgentRef("version", "1"), seat, ruleset, seat), module, pool)
        for seat in range(ruleset.players)
    ]
    steady = SteadyBrain()
    while match.result is None:
        seat = match.round.turn
        seen = view(match, seat)
        action = agents[seat].choose(seen)
        assert action == steady.choose(seen), seen.to_dict()
        match.apply(seat, action)
    for agent in agents:
        agent.close()
    assert any(agent.stderr == "a new match\n" for agent in agents)
    assert all(1_000 < fuel < 100_000 for agent in agents for fuel in agent.fuel)


@pytest.mark.parametrize(("code", "deals", "even"), [("en3", 8, 1 / 3), ("en4", 16, 1 / 2)])
def test_beats_greedy(module: bytes, code: str, deals: int, even: float, pool: HostPool) -> None:
    """On every deal from every seat, as a ladder step is played; the deals are always the same."""
    ruleset = Ruleset.from_code(code)
    won = 0.0
    for deal in range(deals):
        for turn in range(ruleset.sides):
            match = Match(ruleset, derive_seed(SEED, f"{code} {deal}"))
            agents: list[Agent] = [
                WasmAgent(SeatOrder(AgentRef("version", "1"), seat, ruleset, seat), module, pool)
                if seat % ruleset.sides == turn
                else make_brain("greedy", seat)
                for seat in range(ruleset.players)
            ]
            play_match(match, agents)
            assert match.result is not None
            best = match.result.places[0]
            won += 1 / len(best) if turn in best else 0.0
    assert won / (deals * ruleset.sides) > even * 1.1


def test_is_the_same_beside_a_load_to_the_last_unit_of_fuel(module: bytes) -> None:
    """A few of the decisions that `aurum bench wasm` compares by ten thousands."""
    unlike, fuel = compare_loads({"starter": module}, 400)
    assert unlike.is_reached and fuel.value > 1_000


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        pytest.param("error: linker `rust-lld` not found", ToolMissing, id="no linker"),
        pytest.param("/usr/bin/python: No module named ziglang", ToolMissing, id="no compiler"),
        pytest.param("error[E0425]: cannot find value `legal`", AssertionError, id="a fault in the starter"),
    ],
)
def test_a_missing_tool_is_told_from_a_broken_starter(told: str, expected: type[Exception], tmp_path: Path) -> None:
    with pytest.raises(expected):
        run_tool([sys.executable, "-c", f"import sys; sys.exit({told!r})"], tmp_path)


def test_every_starter_says_how_it_is_built() -> None:
    for starter in STARTERS.values():
        source = starter.read_source("my_bot", f"my_bot.{starter.ending}")
        told = " ".join(source.replace("//", " ").split())
        assert starter.tell_build("my_bot", f"my_bot.{starter.ending}") in told, starter.language
        assert "NAME" not in source and "FILE" not in source
