"""Histograms of CPU time: quantiles close to the truth, and sums that lose nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.agents.uploaded import BUCKETS, add_up, count_buckets, find_quantile, read_quantile, tell_milliseconds

times = st.lists(st.floats(20e-6, 10.0), min_size=1, max_size=300)


@given(times, st.sampled_from([0.5, 0.9, 0.99, 1.0]))
def test_a_quantile_is_within_a_fifth_of_the_truth(seconds: list[float], share: float) -> None:
    exact = sorted(seconds)[min(len(seconds) - 1, -int(-share * len(seconds) // 1) - 1)]
    read = read_quantile(count_buckets(seconds), share)
    assert read is not None
    assert exact / 1.2 < read < exact * 1.2


@given(times, times)
def test_two_histograms_add_up(first: list[float], second: list[float]) -> None:
    assert add_up([count_buckets(first), count_buckets(second)]) == count_buckets(first + second)


@pytest.mark.parametrize(("seconds", "told"), [(0.0001, 0.11), (0.012, 14.0), (0.123456, 110.0), (2.5, 2500.0)])
def test_a_quantile_says_no_more_than_is_known(seconds: float, told: float) -> None:
    """A bucket is no measurement to the microsecond; the times themselves are."""
    read = read_quantile(count_buckets([seconds]), 0.5)
    assert read is not None and tell_milliseconds(read) == told
    assert find_quantile([seconds], 0.5) == seconds


@given(times, st.sampled_from([0.5, 0.9, 0.99, 1.0]))
def test_an_exact_quantile_is_one_of_the_times_with_that_share_below(seconds: list[float], share: float) -> None:
    found = find_quantile(seconds, share)
    assert found is not None and found in seconds
    assert sum(time <= found for time in seconds) >= share * len(seconds)
    assert sum(time < found for time in seconds) < share * len(seconds)


def test_nothing_has_no_quantile_and_extremes_have_a_bucket() -> None:
    assert read_quantile([0] * BUCKETS, 0.5) is None
    assert find_quantile([], 0.5) is None
    assert count_buckets([0.0, 1e9])[0] == count_buckets([0.0, 1e9])[-1] == 1
