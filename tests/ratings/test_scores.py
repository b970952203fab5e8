"""What scores say of winning: much where the pool shows it, nothing where it does not, and never in place of wins."""

import dataclasses
from typing import NamedTuple

import numpy as np
import pytest

from benchmarks.coverage import Scenario, draw_pool
from tournaments.rules.ratings.fit import fit_pool
from tournaments.rules.ratings.likelihood import FloatArray, PoolTables
from tournaments.rules.ratings.listing import span_fit
from tournaments.rules.ratings.scores import find_score_strengths

POOLS = 15


def add_scores(tables: PoolTables, worth: FloatArray, rng: np.random.Generator, noise: float = 30.0) -> PoolTables:
    """Scores of so much a player on top of 100, and luck."""
    scores = 100 + worth[tables.sides[:, :, 0]] + rng.normal(0, noise, tables.places.shape)
    return dataclasses.replace(tables, scores=scores)


class Found(NamedTuple):
    error: float
    error_without: float
    held: float
    parted: float


def measure(scenario: Scenario, gain: float, style: float) -> Found:
    """Root mean square errors with scores and without, intervals that hold, and pools of equals with anybody parted.

    A unit of strength is worth `gain` points a match; `style` is the deviation of points that say nothing of winning.
    """
    rng, rows = np.random.default_rng(5), []
    for _ in range(POOLS):
        truth, plain = draw_pool(scenario, rng)
        fit = fit_pool(add_scores(plain, gain * truth + style * rng.normal(size=len(truth)), rng))
        centred = truth - truth.mean()
        held = [one.low <= gap <= one.high for gap, one in zip(centred, fit.strengths().values(), strict=True)]
        errors = [((found.theta - centred) ** 2).mean() for found in (fit, fit_pool(plain))]
        rows.append((*errors, float(np.mean(held)), any(span.best > 1 for span in span_fit(fit).values())))
    error, error_without, held_share, parted = np.mean(rows, axis=0).tolist()
    return Found(error**0.5, error_without**0.5, held_share, parted)


def test_scores_that_tell_are_worth_half_the_matches() -> None:
    with_scores = measure(Scenario("free", 12, 150, strengths="0.5"), gain=40, style=3)
    twice = measure(Scenario("free", 12, 300, strengths="0.5"), gain=40, style=3)
    assert with_scores.error < twice.error_without < with_scores.error_without
    assert 0.90 <= with_scores.held <= 0.99


def test_scores_that_say_nothing_do_no_harm() -> None:
    found = measure(Scenario("free", 12, 150, strengths="0.5"), gain=0, style=40)
    assert found.error < 1.1 * found.error_without
    assert 0.90 <= found.held <= 0.99


def test_equals_of_many_styles_are_not_parted() -> None:
    found = measure(Scenario("free", 7, 72, strengths="equal"), gain=0, style=40)
    assert found.parted <= 0.06
    assert 0.90 <= found.held <= 0.99


def test_who_scores_without_winning_is_held_by_the_interval() -> None:
    """One player has the points of the strongest and the wins of the rest."""
    rng, held = np.random.default_rng(6), []
    for _ in range(POOLS):
        truth, plain = draw_pool(Scenario("free", 12, 400, strengths="0.5"), rng)
        worth = 40 * truth
        worth[0] = 80.0
        one = fit_pool(add_scores(plain, worth, rng)).strengths()[0]
        held.append(one.low <= truth[0] - truth.mean() <= one.high)
    assert np.mean(held) >= 0.84


def test_strengths_by_scores_are_those_of_least_squares() -> None:
    rng = np.random.default_rng(7)
    _, plain = draw_pool(Scenario("free", 7, 300), rng)
    worth = rng.normal(0, 30, 7)
    found = find_score_strengths(add_scores(plain, worth, rng, noise=1.0))
    assert np.corrcoef(found, worth)[0, 1] > 0.99
    assert found.mean() == pytest.approx(0, abs=1e-9)
    assert not find_score_strengths(plain).any()
    assert not find_score_strengths(dataclasses.replace(plain, scores=np.full(plain.places.shape, np.nan))).any()


def test_matches_without_scores_say_nothing_of_them() -> None:
    rng = np.random.default_rng(8)
    _, plain = draw_pool(Scenario("free", 7, 60), rng)
    scored = add_scores(plain, rng.normal(0, 30, 7), rng)
    assert scored.scores is not None
    gone = scored.scores.copy()
    gone[::2] = np.nan
    kept = PoolTables(plain.players, plain.sides[1::2], plain.places[1::2], plain.blocks[1::2], None, gone[1::2])
    both = dataclasses.replace(scored, scores=gone)
    assert find_score_strengths(both) == pytest.approx(find_score_strengths(kept), abs=1e-6)
