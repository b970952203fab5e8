"""Measures what a WebAssembly bot costs, and whether it does the same on a quiet and on a loaded machine."""

import contextlib
import hashlib
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from wasmtime import wat2wasm

from aurum_league.cli.main import CommandError
from benchmarks.report import Figure, Survey, at_least, at_most
from bots.agents.uploaded import WasmAgent
from bots.brains import make_brain
from bots.runners.cores import read_cpu_time
from bots.runners.verdict import RunnerError
from bots.runners.wasm import ArtifactCache, HostPool, WasmSeat
from games.play.agents import AgentRef, SeatOrder
from games.rules.deal import derive_seed
from games.rules.match import Match
from games.rules.ruleset import Ruleset
from games.rules.view import view

# Answers at once, so that all that is measured is ours; NUMBER makes modules of it that differ.
ECHO = """(module (memory (export "memory") 2)
  (func (export "aurum_buffer") (param i32) (result i32) (i32.const 1024))
  (func (export "aurum_decide") (param i32) (result i32) (i32.const NUMBER)))"""
# About the size of a block late in a match.
QUESTION = bytes(range(256)) * 2
FIRST_ANSWERS = 40
REST_SECONDS = 0.02
BATCHES, BATCH = 400, 25
BUSY_LOOPS = 6
RULESETS = ("en3", "de4", "fr3-nozero-golden", "ru4-nozero-cumulative")


def make_echo(number: int) -> bytes:
    return bytes(wat2wasm(ECHO.replace("NUMBER", str(number))))


def measure_wasm(*, modules: str, decisions: int) -> Survey:
    """Raises CommandError on a machine that cannot hold an uploaded bot, and for a file that is no module."""
    try:
        loaded = {file: Path(file).read_bytes() for file in filter(None, modules.split(","))}
        costs = list_wasm_costs()
        compared = list(compare_loads(loaded, decisions))
    except (RunnerError, OSError) as error:
        raise CommandError(str(error)) from None
    broken = [f"{one.name} does not decide alike beside a load" for one in compared if one.is_reached is False]
    return Survey("WebAssembly bots", [*costs, *compared], broken=broken)


def list_wasm_costs() -> list[Figure]:
    """Some seconds. Goals are for the quietest tenth of starts and batches: what others do here is not ours to pay."""
    with open_pool() as pool:
        walls, cpus = _measure_first_answers(pool)
        seat = pool.open_seat(make_echo(0))
        decision, decision_cpu = _measure_batches(lambda: seat.ask(QUESTION, chance=1), seat)
        start, start_cpu = _measure_batches(lambda: pool.open_seat(make_echo(0)).close(), seat)
        seat.close()
    return [
        Figure("first answer from the cache", "wall, quietest tenth", find_quiet(walls) * 1e3, "ms", at_most(3)),
        Figure("first answer from the cache", "CPU time of both", find_quiet(cpus) * 1e3, "ms", at_most(3)),
        Figure("module's decision", "wall, quietest tenth", decision * 1e6, "µs", at_most(40)),
        Figure("module's decision", "CPU time of both", decision_cpu * 1e6, "µs", at_most(40)),
        Figure("instances started a second", "on the wall", 1 / start, "", at_least(1000)),
        Figure("instances started a second", "of CPU time", 1 / start_cpu, "", at_least(1000)),
    ]


@contextlib.contextmanager
def open_pool() -> Iterator[HostPool]:
    with tempfile.TemporaryDirectory(prefix="aurum-bench-") as folder:
        pool = HostPool(ArtifactCache(Path(folder) / "compiled"))
        try:
            yield pool
        finally:
            pool.close()


def find_quiet(times: list[float]) -> float:
    return statistics.median(sorted(times)[: max(1, len(times) // 10)])


def _measure_first_answers(pool: HostPool) -> tuple[list[float], list[float]]:
    """From a module whose machine code is on disk, and a host that waits, to the answer."""
    modules = [make_echo(number + 1) for number in range(FIRST_ANSWERS)]
    for module in modules:
        pool.fetch_artifact(module)
    walls, cpus = [], []
    for module in modules:
        host = pool.prepare()
        # As a worker that waits for a match: who has just worked would be the next to be interrupted.
        time.sleep(REST_SECONDS)
        cpu_before = read_cpu_time(host) or 0.0
        started, cpu_started = time.perf_counter(), time.process_time()
        seat = pool.open_seat(module)
        seat.ask(QUESTION, chance=1)
        walls.append(time.perf_counter() - started)
        cpus.append(time.process_time() - cpu_started + (read_cpu_time(host) or 0.0) - cpu_before)
        seat.close()
    return walls, cpus


def _measure_batches(action: Callable[[], object], seat: WasmSeat) -> tuple[float, float]:
    """Seconds an action takes in the quietest batches: on the wall, and of CPU time in both processes."""
    walls, cpus = [], []
    for _ in range(BATCHES):
        cpu_started = time.process_time() + (read_cpu_time(seat.pid) or 0.0)
        started = time.perf_counter()
        for _ in range(BATCH):
            action()
        walls.append((time.perf_counter() - started) / BATCH)
        cpus.append((time.process_time() + (read_cpu_time(seat.pid) or 0.0) - cpu_started) / BATCH)
    return find_quiet(walls), find_quiet(cpus)


def digest_decisions(module: bytes, decisions: int, pool: HostPool) -> tuple[str, int]:
    """The hash of so many answers, each with its fuel, and of what was logged; and all fuel that was used."""
    digest = hashlib.sha256()
    done = fuel = number = 0
    while done < decisions:
        ruleset = Ruleset.from_code(RULESETS[number % len(RULESETS)])
        match = Match(ruleset, derive_seed(bytes(32), f"digest {number}"))
        agents = [
            WasmAgent(SeatOrder(AgentRef("version", "1"), seat, ruleset, seat), module, pool)
            for seat in range(ruleset.players)
        ]
        brain = make_brain("random", number)
        while match.result is None and done < decisions:
            seat = match.round.turn
            seen = view(match, seat)
            action = agents[seat].choose(seen)
            fuel += agents[seat].fuel[-1]
            digest.update(f"{action} {agents[seat].fuel[-1]}\n".encode())
            done += 1
            # Half of the match is left to luck, so that positions differ.
            match.apply(seat, brain.choose(seen) if done % 2 else action)
        for agent in agents:
            agent.close()
            digest.update(agent.stderr.encode())
        number += 1
    return digest.hexdigest(), fuel


@contextlib.contextmanager
def keep_busy(loops: int) -> Iterator[None]:
    """A load of endless loops beside what is measured."""
    command = [sys.executable, "-I", "-S", "-c", "while True: pass"]
    running = [subprocess.Popen(command) for _ in range(loops)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


def compare_loads(modules: dict[str, bytes], decisions: int) -> Iterator[Figure]:
    """For each module whether it decided alike, fuel for fuel, without and with a load beside it: 0 where it did."""
    for name, module in modules.items():
        with open_pool() as pool:
            quiet = digest_decisions(module, decisions, pool)
        with keep_busy(BUSY_LOOPS), open_pool() as pool:
            loaded = digest_decisions(module, decisions, pool)
        yield Figure(name, f"{decisions:,} decisions, unlike under load", quiet != loaded, "", at_most(0))
        yield Figure(name, "fuel a decision", quiet[1] / decisions)
