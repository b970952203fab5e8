"""How fast the learning environment is, with ratios against other libraries in the same run.

`python -m benchmarks.learn` prints it. Each loop plays at random with observation and legal actions read at every
decision. Time is CPU time of the process, so that load from elsewhere does not count; the clock's rate stands beside.
"""

import random
import time
from collections.abc import Callable

from benchmarks.report import Figure, Survey, at_least
from games.learn import Tables

N = 4096


def measure(work: Callable[[], int], seconds: float) -> tuple[float, float]:
    """Decisions a second of CPU time, and of the clock, in the best of three parts of the time."""
    best = (0.0, 0.0)
    work()
    for _ in range(3):
        cpu, wall, decisions = time.process_time(), time.perf_counter(), 0
        while time.process_time() - cpu < seconds / 3:
            decisions += work()
        told = decisions / (time.process_time() - cpu), decisions / (time.perf_counter() - wall)
        best = max(best, told)
    return best


def tables_loop(code: str, *, spread: bool = False, threads: int = 1) -> Callable[[], int]:
    tables = Tables(N, code, spread=spread, threads=threads)

    def work() -> int:
        for _ in range(10):
            tables.step_random()
        return 10 * N

    return work


def openspiel_loop(name: str) -> Callable[[], int]:
    import pyspiel

    game = pyspiel.load_game(name)
    draw = random.Random(1)

    def work() -> int:
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(draw.choices(outcomes, weights)[0])
                continue
            state.information_state_tensor(state.current_player())
            state.apply_action(draw.choice(state.legal_actions()))
            decisions += 1
        return decisions

    return work


def rlcard_loop(name: str) -> Callable[[], int]:
    import rlcard

    table = rlcard.make(name, config={"seed": 1})
    draw = random.Random(1)

    def work() -> int:
        state, _ = table.reset()
        decisions = 0
        while not table.is_over():
            state, _ = table.step(draw.choice(list(state["legal_actions"])))
            decisions += 1
        return decisions

    return work


def measure_learn(*, seconds: float) -> Survey:
    """Decisions a second of CPU time; ratios are to OpenSpiel's hearts in the same run."""
    loops: dict[str, Callable[[], Callable[[], int]]] = {
        "OpenSpiel hearts": lambda: openspiel_loop("hearts"),
        "RLCard doudizhu": lambda: rlcard_loop("doudizhu"),
        "Tables en3, planes of bits": lambda: tables_loop("en3"),
        "Tables en4, planes of bits": lambda: tables_loop("en4"),
        "Tables en3, a byte a bit": lambda: tables_loop("en3", spread=True),
        "Tables en4, a byte a bit": lambda: tables_loop("en4", spread=True),
        "Tables en3, two threads": lambda: tables_loop("en3", threads=2),
    }
    figures, notes, yardstick = [], [], 0.0
    for name, make in loops.items():
        try:
            work = make()
        except ImportError as error:
            notes.append(f"{name}: not installed ({error.name}); pip install aurum-league[learn]")
            continue
        by_cpu, by_clock = measure(work, seconds)
        yardstick = yardstick or (by_cpu if name.startswith("OpenSpiel") else 0.0)
        goal = at_least(5e6) if "planes" in name else None
        figures += [
            Figure(name, "decisions", by_cpu, "/s of CPU", goal, by_cpu / yardstick if yardstick else None),
            Figure(name, "decisions", by_clock, "/s by the clock"),
        ]
    return Survey("Learning environment", figures, notes)
