"""A leak is told from a program that warms up, and from one that breathes."""

import pytest

from benchmarks.soak import judge_growth

MINUTES = 30
SAMPLES = MINUTES * 6


@pytest.mark.parametrize(
    ("name", "series", "is_growing"),
    [
        pytest.param("web: memory in MB", [100.0] * SAMPLES, False, id="steady"),
        pytest.param("web: memory in MB", [100 + n / 4 for n in range(SAMPLES)], True, id="a leak of 1.5 MB a minute"),
        pytest.param("web: memory in MB", [min(160, 60 + 4 * n) for n in range(SAMPLES)], False, id="warming up"),
        pytest.param("web: memory in MB", [100 + 8 * (n % 7) for n in range(SAMPLES)], False, id="breathing"),
        pytest.param("web: open files", [30 + n // 10 for n in range(SAMPLES)], True, id="files left open"),
        pytest.param("postgres: connections", [9 + n // 20 for n in range(SAMPLES)], True, id="connections kept"),
        pytest.param("leases run out", [n // 10 for n in range(SAMPLES)], True, id="leases nobody frees"),
        pytest.param("leases held", [200.0 * (n % 2) for n in range(SAMPLES)], False, id="batches come and go"),
    ],
)
def test_growth(name: str, series: list[float], is_growing: bool) -> None:
    assert judge_growth(name, series).is_growing == is_growing


def test_too_few_samples() -> None:
    with pytest.raises(ValueError, match="too few"):
        judge_growth("web: memory in MB", [1.0] * 7)
