"""Intervals from a player's own results: the sums beside inverses written out, and pools in which beliefs misled."""

import numpy as np
import pytest
import scipy

from benchmarks.coverage import Scenario, draw_pool
from tournaments.rules.ratings.fit import fit_pool
from tournaments.rules.ratings.likelihood import FloatArray
from tournaments.rules.ratings.scores import SLOPE_SD, Prior
from tournaments.rules.ratings.traits import Averaged, SpreadFit, own_against, own_against_mean

SIZE = 5
ISLANDS = np.array([0, 0, 0, 0, 0])


def make_fit(seed: int, sd: float, slope: float = 0.0) -> tuple[SpreadFit, FloatArray, FloatArray]:
    """A fit of normal results with the beliefs in it; and the results' information and lift without them."""
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(SIZE, 2 * SIZE))
    information, lift = root @ root.T, rng.normal(size=SIZE)
    mean, precision = rng.normal(size=SIZE), np.full(SIZE, sd**-2.0)
    precision[2] = 1.5**-2.0
    prior = Prior(mean, precision, slope * rng.normal(size=SIZE))
    return SpreadFit(*solve_by_hand(prior, information, lift), 0.0, prior), information, lift


def solve_by_hand(prior: Prior, information: FloatArray, lift: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Strengths and slope together, then the strengths alone."""
    precision, scores = prior.precision, prior.scores
    joint = np.zeros((SIZE + 1, SIZE + 1))
    joint[:SIZE, :SIZE] = information + np.diag(precision)
    joint[SIZE, :SIZE] = joint[:SIZE, SIZE] = -precision * scores
    joint[SIZE, SIZE] = precision @ scores**2 + SLOPE_SD**-2.0
    believed = np.append(precision * prior.mean, -(precision * scores) @ prior.mean)
    covariance: FloatArray = scipy.linalg.inv(joint)
    return (covariance @ (np.append(lift, 0.0) + believed))[:SIZE], covariance[:SIZE, :SIZE]


def free_by_hand(fit: SpreadFit, information: FloatArray, lift: FloatArray, free: list[int]) -> tuple[FloatArray, ...]:
    precision = fit.prior.precision.copy()
    precision[free] = fit.prior.own_precision
    return solve_by_hand(fit.prior._replace(precision=precision), information, lift)


def average_of(*fits: SpreadFit) -> Averaged:
    weights = np.full(len(fits), 1 / len(fits))
    return Averaged(fits[0].theta, fits[0].covariance, 1.0, weights, fits)


@pytest.mark.parametrize(("seed", "slope"), [(1, 0.0), (2, 0.0), (3, 0.5), (4, 2.0)])
def test_against_the_mean_the_belief_about_one_is_taken_away(seed: int, slope: float) -> None:
    fit, information, lift = make_fit(seed, 0.4, slope)
    own = own_against_mean(average_of(fit), ISLANDS)
    for row in range(SIZE):
        theta, covariance = free_by_hand(fit, information, lift, [row])
        contrast = np.eye(SIZE)[row] - 1 / SIZE
        assert own.value[row] == pytest.approx(contrast @ theta)
        assert own.se[row] == pytest.approx((contrast @ covariance @ contrast) ** 0.5)


@pytest.mark.parametrize(("seed", "slope"), [(1, 0.0), (2, 0.0), (3, 0.5), (4, 2.0)])
def test_against_an_anchor_the_beliefs_about_both_are_taken_away(seed: int, slope: float) -> None:
    fit, information, lift = make_fit(seed, 0.4, slope)
    own = own_against(average_of(fit), 3)
    assert (own.value[3], own.se[3]) == (0.0, 0.0)
    for row in (0, 1, 2, 4):
        theta, covariance = free_by_hand(fit, information, lift, [row, 3])
        contrast = np.eye(SIZE)[row] - np.eye(SIZE)[3]
        assert own.value[row] == pytest.approx(contrast @ theta)
        assert own.se[row] == pytest.approx((contrast @ covariance @ contrast) ** 0.5)


def test_doubt_about_the_spread_is_part_of_the_error() -> None:
    fits = [make_fit(1, sd)[0] for sd in (0.2, 1.0)]
    parts = [own_against(average_of(fit), 0) for fit in fits]
    both = own_against(average_of(*fits), 0)
    assert both.value == pytest.approx((parts[0].value + parts[1].value) / 2)
    between = ((parts[0].value - parts[1].value) / 2) ** 2
    assert both.se**2 == pytest.approx((parts[0].se ** 2 + parts[1].se ** 2) / 2 + between)


def test_the_ends_leave_as_much_on_either_side_over_all_spreads() -> None:
    fits = [make_fit(1, sd)[0] for sd in (0.2, 1.0)]
    own = own_against(average_of(*fits), 0)
    low, high = own.interval()
    for end, share in ((low, 0.025), (high, 0.975)):
        parts = (own_against(average_of(fit), 0) for fit in fits)
        below = sum(scipy.special.ndtr((end[1:] - part.value[1:]) / part.se[1:]) for part in parts) / 2
        assert below == pytest.approx(share, abs=1e-5)
    assert (low[0], high[0]) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("scenario", "least", "most"),
    [
        # Shares in brackets: of intervals around the best guess, with its own error, as they were before.
        pytest.param(Scenario("free", 7, 72, strengths="equal"), 0.92, 0.98, id="equals (1.00)"),
        pytest.param(Scenario("free", 7, 18, sides=2, strengths="-2.6 to 1.6"), 0.93, 0.99, id="wide pairs (0.86)"),
        pytest.param(Scenario("swiss", 60, 8, strengths="equal"), 0.92, 0.98, id="equals in a Swiss (1.00)"),
        # Shares in brackets: with a belief that is flat in the spread, which was learnt too large.
        pytest.param(Scenario("swiss", 200, 8, strengths="equal"), 0.935, 0.97, id="equals in a large Swiss (0.929)"),
        pytest.param(Scenario("ladder", 60, 100, 2, "equal"), 0.94, 0.97, id="equal pairs on a ladder (0.933)"),
        # Shares in brackets: with next to no belief about oneself, and deals weighed as if strengths lay far apart.
        pytest.param(Scenario("swiss", 200, 8, 2, "equal"), 0.93, 0.97, id="equal pairs in a Swiss (0.922)"),
        pytest.param(Scenario("swiss", 200, 8, 3, "0.35", 3, 0.0), 0.93, 0.98, id="a Swiss in blocks (0.907)"),
        pytest.param(Scenario("swiss", 200, 8, 3, "0.35", 3, 0.4), 0.91, 0.98, id="a Swiss in blocks alike (0.812)"),
    ],
)
def test_intervals_hold_whatever_the_pool_is_like(scenario: Scenario, least: float, most: float) -> None:
    rng, held = np.random.default_rng(1), []
    for _ in range(25):
        truth, tables = draw_pool(scenario, rng)
        fit = fit_pool(tables)
        for anchor in range(0, len(truth), len(truth) // 7):
            shown = enumerate(fit.strengths(int(fit.players[anchor])).values())
            others = [(truth[row] - truth[anchor], one) for row, one in shown if row != anchor]
            held += [one.low <= gap <= one.high for gap, one in others]
    assert least <= np.mean(held) <= most


def test_the_best_guess_lies_in_its_interval() -> None:
    rng = np.random.default_rng(3)
    for _ in range(10):
        _, tables = draw_pool(Scenario("free", 7, 18, sides=2, strengths="1"), rng)
        for anchor in (None, 2):
            assert all(one.low <= one.value <= one.high for one in fit_pool(tables).strengths(anchor).values())
