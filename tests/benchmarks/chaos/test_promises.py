"""Promises about time, on histories made by hand: what is late is named, what is excused is not."""

import pytest

from benchmarks.chaos.faults import Strike
from benchmarks.chaos.ledger import MatchChange
from benchmarks.chaos.trial import check_readings, check_rescues, check_resumes, count_served
from benchmarks.site import Reading

LEASE = 30.0


def make_history(claimed: float, again: float) -> dict[int, list[MatchChange]]:
    """A match claimed at one time, last heard of then, freed after its lease, and claimed again."""
    freed = claimed + LEASE + 1
    return {
        7: [
            MatchChange(7, "ready", 0, None, 0),
            MatchChange(7, "playing", 1, claimed + LEASE, claimed),
            MatchChange(7, "ready", 1, claimed + LEASE, freed),
            MatchChange(7, "playing", 2, again + LEASE, again),
            MatchChange(7, "finished", 2, again + LEASE, again + 1),
        ]
    }


@pytest.mark.parametrize(
    ("again", "blows", "broken"),
    [
        pytest.param(135, [100.5], False, id="in time"),
        pytest.param(141, [100.5], True, id="late"),
        pytest.param(141, [105.0], False, id="counted from the blow"),
        pytest.param(141, [], True, id="it killed its worker itself"),
        pytest.param(141, [90.0, 135.0], True, id="blows before and long after are not its own"),
    ],
)
def test_rescues(again: float, blows: list[float], broken: bool) -> None:
    finding = check_rescues(make_history(100, again), [Strike("child killed", at) for at in blows], LEASE)
    assert bool(finding.breaches) == broken and finding.measured.startswith("1 times")


def test_a_match_given_back_in_time_is_no_rescue() -> None:
    told = [("playing", 1, 130, 100), ("ready", 1, 130, 105), ("playing", 2, 300, 270)]
    changes = [MatchChange(7, *one) for one in told]
    assert check_rescues({7: changes}, [], LEASE).measured.startswith("0 times")


@pytest.mark.parametrize(
    ("returned", "broken"),
    [
        pytest.param(130.5, False, id="nothing was ready"),
        pytest.param(131.5, True, id="ready, and left lying for longer than 15 s"),
        pytest.param(140.0, False, id="soon enough"),
        pytest.param(None, False, id="still away"),
    ],
)
def test_resumes(returned: float | None, broken: bool) -> None:
    diary = [Strike("redis killed", 120, returned), Strike("redis flushed", 100, 100)]
    assert bool(check_resumes(make_history(100, 150), diary).breaches) == broken


@pytest.mark.parametrize(
    ("away", "counted"),
    [
        pytest.param([], 30, id="nobody"),
        pytest.param([("redis killed", 5, 12)], 28, id="from before on"),
        pytest.param([("postgres killed", 20, 25), ("redis killed", 22, 28)], 22, id="both at once for a while"),
        pytest.param([("redis killed", 20, 30), ("postgres killed", 22, 24)], 20, id="one within the other"),
        pytest.param([("redis killed", 35, None)], 25, id="still away"),
        pytest.param([("redis killed", 1, 8), ("redis killed", 41, 50)], 30, id="before and after"),
        pytest.param([("worker killed", 12, 20), ("redis flushed", 15, 16)], 30, id="other faults"),
    ],
)
def test_time_without_a_server_is_not_counted(away: list[tuple[str, float, float | None]], counted: float) -> None:
    assert count_served([Strike(*fault) for fault in away], 10, 40) == counted


def test_play_that_never_resumes_is_a_breach() -> None:
    history = {7: [MatchChange(7, "ready", 0, None, 0)]}
    assert check_resumes(history, [Strike("redis killed", 10, 20)]).breaches


@pytest.mark.parametrize(
    ("fault", "status", "broken"),
    [
        pytest.param("redis killed", 200, False, id="read without Redis"),
        pytest.param("redis killed", 500, True, id="an error without Redis"),
        pytest.param("redis killed", 0, True, id="silence without Redis"),
        pytest.param("postgres killed", 500, False, id="nothing to show without Postgres"),
    ],
)
def test_readings(fault: str, status: int, broken: bool) -> None:
    finding = check_readings([Reading(1, 2, 200), Reading(11, 12, status)], [Strike(fault, 10, 15)])
    assert bool(finding.breaches) == broken


def test_an_error_long_after_postgres_returned_is_a_breach() -> None:
    assert check_readings([Reading(30, 31, 500)], [Strike("postgres killed", 10, 15)]).breaches
    assert check_readings([], []).breaches == ("the site never answered",)
