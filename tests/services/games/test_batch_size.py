"""Batches follow the pace of the matches: many short ones at once, long ones alone."""

import pytest

from games.models import RunnerNeed
from games.services.play import BUSY_TIMES, FIRST, LONGEST_BATCH_SECONDS, MOST, BatchSize, WorkClock


@pytest.mark.parametrize(
    ("need", "played", "playing", "waiting", "size"),
    [
        pytest.param(RunnerNeed.HOUSE, 64, 0.08, 0.01, 800, id="short matches: what fits a second"),
        pytest.param(RunnerNeed.HOUSE, 64, 0.001, 0.01, MOST[RunnerNeed.HOUSE], id="never more than the most"),
        pytest.param(RunnerNeed.HOUSE, 64, 32.0, 0.1, 2, id="two a second"),
        pytest.param(RunnerNeed.HOUSE, 1, 12.0, 0.1, 1, id="never fewer than one"),
        pytest.param(RunnerNeed.HOUSE, 1, 0.0, 0.0, MOST[RunnerNeed.HOUSE], id="a clock that stood still"),
        pytest.param(RunnerNeed.HOUSE, 64, 0.64, 1.5, 600, id="far servers: four times as long as they let one wait"),
        pytest.param(RunnerNeed.HOUSE, 1, 0.01, 1.5, 600, id="and never smaller and smaller batches"),
        pytest.param(RunnerNeed.HOUSE, 64, 32.0, 60.0, 16, id="nor ones that hold slow matches for minutes"),
        pytest.param(RunnerNeed.SANDBOX, 4, 0.1, 0.1, MOST[RunnerNeed.SANDBOX], id="sandboxed ones stay few"),
    ],
)
def test_the_next_batch_takes_about_a_second(
    need: RunnerNeed, played: int, playing: float, waiting: float, size: int
) -> None:
    sizes = BatchSize()
    assert sizes.of(need) == FIRST[need]
    sizes.learn(need, played=played, playing=playing, waiting=waiting)
    assert sizes.of(need) == size
    other = RunnerNeed.SANDBOX if need is RunnerNeed.HOUSE else RunnerNeed.HOUSE
    assert sizes.of(other) == FIRST[other]


@pytest.mark.parametrize(
    ("need", "wall", "cpu", "read"),
    [
        pytest.param(RunnerNeed.HOUSE, 1.0, 0.9, 0.9, id="house bots on a quiet machine"),
        pytest.param(RunnerNeed.HOUSE, 3.0, 1.0, 1.0, id="three want the processor: what it gave"),
        pytest.param(RunnerNeed.HOUSE, 8.0, 0.1, 8.0 / BUSY_TIMES, id="but not for ever"),
        pytest.param(RunnerNeed.SANDBOX, 3.0, 1.0, 3.0, id="uploads work in processes of their own"),
    ],
)
def test_work_is_measured_by_what_the_processor_gave(need: RunnerNeed, wall: float, cpu: float, read: float) -> None:
    clock = WorkClock(need)
    clock.wall -= wall
    clock.cpu -= cpu
    assert clock.read() == pytest.approx(read, abs=0.05)
    assert clock.is_over(read - 0.1) and not clock.is_over(max(read, wall) + 0.5)
    clock.wall -= LONGEST_BATCH_SECONDS
    assert clock.is_over(read + 0.5), "whoever waits for results has them by now"
