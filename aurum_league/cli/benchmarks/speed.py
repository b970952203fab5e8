"""Measuring how much work is done in a second of one core."""

import time
from collections.abc import Callable
from statistics import median

Work = Callable[[], int]
"""Does a batch of work and answers how many units that were."""


def measure(work: Work, seconds: float) -> float:
    """Units a second of this process's CPU time, which other load on the machine disturbs less than the clock."""
    units = 0
    start = time.process_time()
    end = start
    while end - start < seconds:
        units += work()
        end = time.process_time()
    return units / (end - start)


def measure_medians(
    works: dict[str, Work], runs: int, seconds: float, advance: Callable[[int], object]
) -> dict[str, float]:
    """The median of several runs of each; runs take turns, so that a slow moment hits all alike."""
    speeds: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(runs):
        for name, work in works.items():
            speeds[name].append(measure(work, seconds))
            advance(1)
    return {name: median(values) for name, values in speeds.items()}
