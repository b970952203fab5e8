"""How fast the learning environment is, with ratios against other libraries in the same run.

`python -m benchmarks.learn` prints it. Each loop plays at random with observation and legal actions read at every
decision. Time is CPU time of the process, so that load from elsewhere does not count; the clock's rate stands beside.
"""

import argparse
import random
import time
from collections.abc import Callable

from games.learn import Tables

SECONDS = 3.0
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="CPU time a row")
    seconds: float = parser.parse_args().seconds
    loops: dict[str, Callable[[], Callable[[], int]]] = {
        "OpenSpiel hearts": lambda: openspiel_loop("hearts"),
        "RLCard doudizhu": lambda: rlcard_loop("doudizhu"),
        "Tables en3, planes of bits": lambda: tables_loop("en3"),
        "Tables en4, planes of bits": lambda: tables_loop("en4"),
        "Tables en3, a byte a bit": lambda: tables_loop("en3", spread=True),
        "Tables en4, a byte a bit": lambda: tables_loop("en4", spread=True),
        "Tables en3, two threads": lambda: tables_loop("en3", threads=2),
    }
    rates: dict[str, float] = {}
    print(f"{'loop':30} {'decisions/s of CPU':>20} {'of the clock':>14} {'x hearts':>9} {'x doudizhu':>10}")
    for name, make in loops.items():
        try:
            work = make()
        except ImportError as error:
            print(f"{name:30} not installed ({error.name}); pip install aurum-league[learn]")
            continue
        by_cpu, by_clock = measure(work, seconds)
        rates[name] = by_cpu
        others = (rates.get(other) for other in ("OpenSpiel hearts", "RLCard doudizhu"))
        ratios = [f"{by_cpu / rate:.1f}" if rate else "-" for rate in others]
        print(f"{name:30} {by_cpu:20,.0f} {by_clock:14,.0f} {ratios[0]:>9} {ratios[1]:>10}", flush=True)


if __name__ == "__main__":
    main()
