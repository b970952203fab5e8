"""CPU time or fuel of decisions as counts in buckets: small enough for every match, and histograms add up.

A bucket is half an octave wide, so that a quantile read from it is within a fifth of the truth. Whoever has the times
themselves finds it exactly.
"""

from collections.abc import Iterable, Sequence
from math import ceil, floor, log2

BUCKETS = 40
SMALLEST = 16e-6
STEPS_AN_OCTAVE = 2
FUEL_A_SECOND = 100_000_000
"""Fuel is put into the buckets of seconds by this, so that the limits of both fall into the same: 2 s, 200 million."""


def bucket_of(seconds: float) -> int:
    """The first bucket takes everything under 16 microseconds too, the last everything over 11 seconds."""
    if seconds <= SMALLEST:
        return 0
    return min(BUCKETS - 1, floor(STEPS_AN_OCTAVE * log2(seconds / SMALLEST)))


def count_buckets(times: Iterable[float]) -> list[int]:
    counts = [0] * BUCKETS
    for seconds in times:
        counts[bucket_of(seconds)] += 1
    return counts


def add_up(histograms: Iterable[Sequence[int]]) -> list[int]:
    totals = [0] * BUCKETS
    for counts in histograms:
        for bucket, count in enumerate(counts):
            totals[bucket] += count
    return totals


def find_quantile(times: Sequence[float], share: float) -> float | None:
    """The same from the times themselves: one of them, exactly."""
    return sorted(times)[max(0, ceil(share * len(times)) - 1)] if times else None


def read_quantile(counts: Sequence[int], share: float) -> float | None:
    """Seconds that this share of the decisions stayed within; None where there were none."""
    total = sum(counts)
    if not total:
        return None
    seen = 0
    for bucket, count in enumerate(counts):
        seen += count
        if seen >= share * total:
            return float(SMALLEST * 2 ** ((bucket + 0.5) / STEPS_AN_OCTAVE))
    raise AssertionError("shares are at most one")


def count_fuel(used: Iterable[int]) -> list[int]:
    return count_buckets(fuel / FUEL_A_SECOND for fuel in used)


def tell_fuel(seconds: float) -> int:
    """A quantile read from buckets that `count_fuel` filled, to two figures."""
    return round(float(f"{seconds * FUEL_A_SECOND:.1e}"))


def tell_milliseconds(seconds: float) -> float:
    """A quantile read from buckets, to two figures: more would be made up."""
    return float(f"{seconds * 1000:.1e}")
