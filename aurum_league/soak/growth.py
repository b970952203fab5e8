"""Whether a series of samples grows: its last quarter against its second, since the first is warming up."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

LEAST_SAMPLES = 8
TOLERANCES = {"memory in MB": (10.0, 0.10), "open files": (6.0, 0.10), "connections": (3.0, 0.10)}
USUAL_TOLERANCE = (5.0, 0.25)
"""How much more is no growth: so many units, or this part of what there was, whichever is larger."""


@dataclass(frozen=True)
class Growth:
    name: str
    before: float
    after: float
    is_growing: bool


def judge_growth(name: str, series: Sequence[float]) -> Growth:
    """Raises ValueError where there are too few samples to say."""
    if len(series) < LEAST_SAMPLES:
        raise ValueError(f"{len(series)} samples of {name} are too few to judge")
    quarter = len(series) // 4
    before, after = median(series[quarter : 2 * quarter]), median(series[-quarter:])
    units, part = TOLERANCES.get(name.rpartition(": ")[2], USUAL_TOLERANCE)
    return Growth(name, before, after, after - before > max(units, part * before))
