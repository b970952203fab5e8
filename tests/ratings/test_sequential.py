"""The sequential test: calibrated by simulation, honest after stopping, made of units that cancel the deal's luck."""

import numpy as np
import pytest

from tournaments.rules.sequential import (
    VARIANCE_FLOOR,
    SequentialTest,
    TrialRole,
    TrialVerdict,
    UnitScores,
    crossing_chance,
    duel_seatings,
    estimate_effect,
    score_unit,
)

RUNS = 600


def run_to_the_end(test: SequentialTest, truth: float, deviation: float, seed: int) -> list[UnitScores]:
    """600 tests, each up to where it stops; units come in sixths, as six matches give.

    Where that is, the sums of all its units tell at once; the test itself is asked there and one unit before.
    """
    rng = np.random.default_rng(seed)
    units = np.round(6 * rng.normal(truth, deviation, size=1 << 19)) / 6
    number = np.arange(test.first_look, 4096)
    ends, start = [], 0
    for _ in range(RUNS):
        drawn = units[start : start + 4095]
        total, squares = (sums.cumsum()[test.first_look - 1 :] for sums in (drawn, drawn * drawn))
        variance = np.maximum((squares - total**2 / number) / (number - 1), VARIANCE_FLOOR)
        ratio = test.effect * (total - number * test.effect / 2) / variance
        stop = test.first_look + int(np.argmax((ratio >= test.upper) | (ratio <= test.lower)))
        before = UnitScores().plus(drawn[: stop - 1].tolist())
        ends.append(before.plus([float(drawn[stop - 1])]))
        assert test.assess(before).verdict is TrialVerdict.CONTINUES
        assert test.assess(ends[-1]).verdict is not TrialVerdict.CONTINUES
        start += stop
    return ends


def share_accepted(test: SequentialTest, ends: list[UnitScores]) -> float:
    return sum(test.assess(end).verdict is TrialVerdict.ACCEPTED for end in ends) / len(ends)


@pytest.mark.parametrize(
    ("effect", "deviation"),
    [
        pytest.param(0.12, 0.45, id="deterministic bots, a large effect"),
        pytest.param(0.12, 0.9, id="noisy bots, a large effect"),
        pytest.param(0.05, 0.3, id="deterministic bots, a small effect"),
    ],
)
def test_errors_are_those_that_were_asked_for(effect: float, deviation: float) -> None:
    test = SequentialTest(effect)
    assert share_accepted(test, run_to_the_end(test, 0.0, deviation, seed=1)) <= 0.07
    assert share_accepted(test, run_to_the_end(test, effect, deviation, seed=1)) >= 0.93


@pytest.mark.parametrize(("share", "effect"), [(0.04, 0.02), (0.10, 0.05)], ids=["4 % differ", "10 % differ"])
def test_versions_that_rarely_differ_are_told_apart(share: float, effect: float) -> None:
    """Units at +0.5: a look after sixteen level units, whose variance is nothing, rejected half of these."""
    rng, test, accepted = np.random.default_rng(8), SequentialTest(effect), 0
    for _ in range(200):
        scores, verdict = UnitScores(), TrialVerdict.CONTINUES
        while verdict is TrialVerdict.CONTINUES:
            scores = scores.plus([0.5 * float(rng.random() < share)])
            verdict = test.assess(scores).verdict
        accepted += verdict is TrialVerdict.ACCEPTED
    assert accepted / 200 >= 0.92


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0], ids=["no effect", "half the effect", "the effect"])
def test_the_estimate_is_corrected_for_stopping(share: float) -> None:
    test = SequentialTest(0.12)
    truth = 0.12 * share
    ends = run_to_the_end(test, truth, 0.45, 2)
    estimates = [estimate_effect(test, end) for end in ends]
    plain_miss = abs(np.median([end.mean for end in ends]) - truth)
    miss = abs(np.median([estimate.value for estimate in estimates]) - truth)
    assert miss <= max(0.5 * plain_miss, 0.006)
    assert np.mean([estimate.low <= truth <= estimate.high for estimate in estimates]) >= 0.90
    assert all(estimate.low < estimate.value < estimate.high for estimate in estimates)


@pytest.mark.parametrize(
    ("scores", "verdict"),
    [
        pytest.param([1.0] * 15, TrialVerdict.CONTINUES, id="never before the first look"),
        pytest.param([1.0] * 16, TrialVerdict.ACCEPTED, id="all better, no variance: the floor still decides"),
        pytest.param([-1.0] * 16, TrialVerdict.REJECTED, id="all worse"),
        pytest.param([1.0, -0.9] * 10, TrialVerdict.CONTINUES, id="not parted yet"),
        pytest.param([1.0, -0.9] * 20, TrialVerdict.UNDECIDED, id="not parted by the last look"),
        pytest.param([], TrialVerdict.CONTINUES, id="nothing played"),
    ],
)
def test_verdicts(scores: list[float], verdict: TrialVerdict) -> None:
    progress = SequentialTest(0.1, last_look=40).assess(UnitScores().plus(scores))
    assert progress.verdict is verdict
    assert progress.lower == pytest.approx(-2.944, abs=1e-3)
    assert progress.upper == pytest.approx(2.944, abs=1e-3)


def test_scores_add_up_one_by_one() -> None:
    together = UnitScores().plus([0.5, -0.25, 0.75])
    assert UnitScores().plus([0.5]).plus([-0.25]).plus([0.75]) == together
    assert together.mean == pytest.approx(1 / 3)
    assert together.variance == pytest.approx(np.var([0.5, -0.25, 0.75], ddof=1))


def test_crossing_chance_is_that_of_simulated_walks() -> None:
    rng = np.random.default_rng(3)
    walks = (0.01 + 0.1 * rng.normal(size=(4000, 900))).cumsum(axis=1)
    up, down = (np.where(hit.any(axis=1), hit.argmax(axis=1), 10_000) for hit in (walks >= 2.0, walks <= -1.0))
    crossed = float(np.mean((up < down) & (up < 200)))
    moved = 0.583 * 0.1
    assert crossing_chance(0.01, 0.1, 2.0 + moved, 1.0 + moved, 200) == pytest.approx(crossed, abs=0.02)


@pytest.mark.parametrize("players", [3, 4])
def test_units_give_both_versions_the_same_seats(players: int) -> None:
    seatings = duel_seatings(players)
    for seat in range(len(seatings[0])):
        held = [seating[seat] for seating in seatings]
        assert held.count(TrialRole.CANDIDATE) == held.count(TrialRole.BASELINE) > 0
    assert len({tuple(seating) for seating in seatings}) == len(seatings)


def test_while_it_runs_the_estimate_is_the_plain_mean_with_its_interval() -> None:
    scores = UnitScores().plus([1.0, -0.9] * 8)
    error = np.std([1.0, -0.9] * 8, ddof=1) / 4
    estimate = estimate_effect(SequentialTest(0.1), scores)
    assert estimate[:3] == pytest.approx((0.05, 0.05 - 1.96 * error, 0.05 + 1.96 * error))
    assert not estimate.is_corrected
    assert estimate_effect(SequentialTest(0.1), UnitScores().plus([1.0, -0.8] * 300)).is_corrected


def test_a_unit_with_a_match_too_few_is_refused() -> None:
    with pytest.raises(ValueError):
        score_unit(duel_seatings(3), [[1.0, 1.0, 1.0]] * 5)


def test_a_unit_scores_the_difference_of_means() -> None:
    seatings = duel_seatings(3)
    points = [[2.0 if role is TrialRole.CANDIDATE else 0.5 for role in seating] for seating in seatings]
    assert score_unit(seatings, points) == pytest.approx(1.5)


@pytest.mark.parametrize(
    "wrong", [{"effect": 0.0}, {"effect": 0.1, "false_accept": 0.6}, {"effect": 0.1, "first_look": 1},
              {"effect": 0.1, "last_look": 5}], ids=str,
)
def test_senseless_tests_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError):
        SequentialTest(**wrong)  # type: ignore[arg-type]
