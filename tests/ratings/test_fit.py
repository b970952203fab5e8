"""The batch fit: right on pools whose truth is known, honest about its doubt, and blind to the order of arrival."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import spearmanr

from tests.ratings.pools import simulate_partners, simulate_threes
from tournaments.rules.ratings import uncertainty
from tournaments.rules.ratings.fit import SUCCESSOR_SD, PoolFit, Prior, fit_pool, succession_priors
from tournaments.rules.ratings.likelihood import information_diagonal, information_matrix, log_likelihood
from tournaments.rules.ratings.rankings import FloatArray, PoolTables, strict_orders
from tournaments.rules.ratings.separable import are_separable, span_ranks
from tournaments.rules.ratings.values import Estimate, RatedTable

PLAYERS, MATCHES_EACH = 60, 100


def errors_of(fit: PoolFit, truth: FloatArray) -> FloatArray:
    return (fit.theta - fit.theta.mean()) - (truth - truth.mean())


@pytest.fixture(scope="module")
def fitted_pools() -> list[tuple[FloatArray, PoolFit]]:
    pools = [simulate_threes(PLAYERS, PLAYERS * MATCHES_EACH // 3, seed) for seed in range(20)]
    return [(truth, fit_pool(tables)) for truth, tables in pools]


def test_ranks_follow_the_truth(fitted_pools: list[tuple[FloatArray, PoolFit]]) -> None:
    correlations = [spearmanr(truth, fit.theta).statistic for truth, fit in fitted_pools]
    assert np.mean(correlations) >= 0.965


def test_errors_are_small(fitted_pools: list[tuple[FloatArray, PoolFit]]) -> None:
    squares = [np.mean(errors_of(fit, truth) ** 2) for truth, fit in fitted_pools]
    assert np.sqrt(np.mean(squares)) <= 0.25


def test_intervals_cover_the_truth(fitted_pools: list[tuple[FloatArray, PoolFit]]) -> None:
    single, paired = [], []
    for truth, fit in fitted_pools:
        error = errors_of(fit, truth)
        single.append(np.abs(error) <= 1.96 * fit.se)
        upper = np.triu_indices(PLAYERS, 1)
        gap = np.abs(error[:, None] - error[None, :])[upper]
        paired.append(gap <= 1.96 * np.hypot(fit.se[:, None], fit.se[None, :])[upper])
    assert 0.93 <= np.mean(single) <= 0.97
    assert 0.93 <= np.mean(paired) <= 0.97


def test_shared_ranks_part_what_should_be_parted(fitted_pools: list[tuple[FloatArray, PoolFit]]) -> None:
    wrongly_parted = clearly_apart = parted = pairs = 0
    for truth, fit in fitted_pools[:5]:
        estimates = list(fit.estimates().values())
        for one in range(PLAYERS):
            for other in range(one):
                is_parted = are_separable(estimates[one], estimates[other])
                gap = (truth[one] - truth[other]) * (1 if estimates[one].value > estimates[other].value else -1)
                pairs += 1
                wrongly_parted += is_parted and gap < 0
                if abs(truth[one] - truth[other]) > 1.0:
                    clearly_apart += 1
                    parted += is_parted
    assert wrongly_parted / pairs < 0.005
    assert parted / clearly_apart > 0.95


def test_partners_add_up() -> None:
    truth, tables = simulate_partners(40, 4000, 3)
    fit = fit_pool(tables)
    assert spearmanr(truth, fit.theta).statistic >= 0.95
    assert np.mean(np.abs(errors_of(fit, truth)) <= 1.96 * fit.se) >= 0.85
    assert fit.matches.sum() == 4 * 4000


def test_order_of_arrival_does_not_matter() -> None:
    _, tables = simulate_threes(30, 600, 5)
    order = np.random.default_rng(1).permutation(600)
    shuffled = PoolTables(tables.players, tables.sides[order], tables.places[order], tables.blocks[order])
    one, other = fit_pool(tables), fit_pool(shuffled)
    assert other.theta == pytest.approx(one.theta, abs=1e-5)
    assert other.se == pytest.approx(one.se, abs=1e-6)


def test_seats_do_not_matter() -> None:
    _, tables = simulate_threes(30, 600, 6)
    turned = PoolTables(tables.players, tables.sides[:, [2, 0, 1]], tables.places[:, [2, 0, 1]], tables.blocks)
    assert fit_pool(turned).theta == pytest.approx(fit_pool(tables).theta, abs=1e-6)


@pytest.mark.parametrize("simulate", [simulate_threes, simulate_partners], ids=["three sides", "sides of two"])
def test_slope_and_curvature_are_those_of_the_likelihood(
    simulate: Callable[[int, int, int], tuple[FloatArray, PoolTables]],
) -> None:
    truth, tables = simulate(8, 50, 2)
    tables.places[:9] = 1
    tables.places[9:20, -1] = 1
    rankings = strict_orders(tables)
    _, slope = log_likelihood(truth, rankings)
    curvature = information_matrix(truth, rankings)
    for player, step in enumerate(1e-5 * np.eye(8)):
        up, slope_up = log_likelihood(truth + step, rankings)
        down, slope_down = log_likelihood(truth - step, rankings)
        assert slope[player] == pytest.approx((up - down) / 2e-5, abs=1e-4)
        assert curvature[player] == pytest.approx((slope_down - slope_up) / 2e-5, abs=1e-4)
    assert np.diag(curvature) == pytest.approx(information_diagonal(truth, rankings))


@pytest.mark.parametrize(
    ("places", "orders"),
    [
        pytest.param((2, 1, 3), {(1, 0, 2): 1.0}, id="no tie"),
        pytest.param((1, 1, 2), {(0, 1, 2): 0.5, (1, 0, 2): 0.5}, id="shared first"),
        pytest.param((2, 1, 2), {(1, 0, 2): 0.5, (1, 2, 0): 0.5}, id="shared second"),
        pytest.param((1, 1), {(0, 1): 0.5, (1, 0): 0.5}, id="a draw of two sides"),
    ],
)
def test_ties_become_every_order_that_fits(places: tuple[int, ...], orders: dict[tuple[int, ...], float]) -> None:
    sides = tuple((player,) for player in range(len(places)))
    rankings = strict_orders(PoolTables.from_tables([RatedTable(sides, places)]))
    found = dict(zip(map(tuple, rankings.order[:, 0].T.tolist()), rankings.weights.tolist(), strict=True))
    assert found == orders


def test_all_tied_says_nothing_of_who_is_better() -> None:
    fit = fit_pool(PoolTables.from_tables([RatedTable(((1,), (2,), (3,)), (1, 1, 1))] * 10))
    assert fit.theta == pytest.approx([0, 0, 0], abs=1e-6)


def test_a_forfeit_counts_as_last() -> None:
    played = [RatedTable(((1,), (2,), (3,)), (1, 2, 3), frozenset({1}))] * 10
    fit = fit_pool(PoolTables.from_tables(played))
    assert fit.estimate(2).value > fit.estimate(3).value > fit.estimate(1).value


def test_blocks_with_shared_luck_widen_the_intervals() -> None:
    covered: dict[bool, list[float]] = {True: [], False: []}
    for seed in range(6):
        truth, tables = simulate_threes(40, 3600, seed, block_size=6, deal_luck=1.0)
        alone = PoolTables(tables.players, tables.sides, tables.places, np.arange(3600))
        for is_clustered, pool in ((True, tables), (False, alone)):
            fit = fit_pool(pool)
            error = fit.theta - fit.theta.mean() - _shrunk(truth, fit)
            covered[is_clustered].append(float(np.mean(np.abs(error) <= 1.96 * fit.se)))
    assert np.mean(covered[False]) < 0.85
    assert np.mean(covered[True]) > 0.90


def _shrunk(truth: FloatArray, fit: PoolFit) -> FloatArray:
    """The truth on the scale of the fit: luck that a whole block shares makes all strengths look smaller."""
    centred = truth - truth.mean()
    return centred * float(centred @ fit.theta) / float(centred @ centred)


@pytest.mark.parametrize("block_size", [1, 2])
def test_large_pools_use_the_diagonal_and_agree(monkeypatch: pytest.MonkeyPatch, block_size: int) -> None:
    _, tables = simulate_threes(60, 3000, 8, block_size=block_size, deal_luck=0.5 * (block_size - 1))
    dense = fit_pool(tables)
    monkeypatch.setattr(uncertainty, "DENSE_LIMIT", 10)
    assert fit_pool(tables).se == pytest.approx(dense.se, rel=0.15)


def test_a_fit_says_whether_it_found_the_peak(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = simulate_threes(10, 50, 1)[1]
    assert fit_pool(tables).is_converged is True
    assert fit_pool(PoolTables.from_tables([])).is_converged is True
    monkeypatch.setattr("tournaments.rules.ratings.fit.GRADIENT_TOLERANCE", 1e-30)
    assert fit_pool(tables).is_converged is False


def test_large_strengths_are_no_overflow() -> None:
    _, tables = simulate_threes(3, 5, 1)
    value, gradient = log_likelihood(np.array([1000.0, 990.0, 985.0]), strict_orders(tables))
    assert np.isfinite(value) and np.isfinite(gradient).all()


@pytest.mark.parametrize(("se", "sd"), [(0.0, SUCCESSOR_SD), (0.3, float(np.hypot(0.3, 0.5))), (3.0, 1.0)])
def test_a_successor_is_doubted_more_than_its_forerunner_but_no_more_than_a_stranger(se: float, sd: float) -> None:
    fit = PoolFit(np.array([7]), np.array([0.4]), np.array([se]), np.array([5]), is_converged=True)
    priors = succession_priors(fit, {8: 7, 9: 6})
    assert list(priors) == [8]
    assert priors[8] == pytest.approx(Prior(0.4, sd))


def test_a_player_who_never_played_is_not_in_the_fit() -> None:
    with pytest.raises(KeyError, match="99"):
        fit_pool(simulate_threes(5, 20, 1)[1]).estimate(99)


def test_a_successor_starts_from_its_forerunner_and_leaves_it_alone() -> None:
    truth, tables = simulate_threes(30, 1000, 9)
    forerunner, successor = int(np.argmax(truth)), 30
    lost = PoolTables(
        np.arange(31),
        np.concatenate([tables.sides, np.array([[[successor], [1], [2]]] * 3, dtype=np.int32)]),
        np.concatenate([tables.places, np.array([[3, 1, 2]] * 3, dtype=np.int8)]),
        np.arange(1003),
    )
    unaided, aided = fit_pool(lost), fit_pool(lost, {successor: forerunner})
    before = unaided.estimate(forerunner)
    assert unaided.estimate(successor).value < aided.estimate(successor).value < before.value
    assert before.se < aided.estimate(successor).se <= np.hypot(before.se, SUCCESSOR_SD)
    moved = (aided.theta - aided.theta[:30].mean()) - (unaided.theta - unaided.theta[:30].mean())
    assert abs(moved[forerunner]) < 0.02


def test_an_empty_pool_is_empty() -> None:
    rankings = strict_orders(PoolTables.from_tables([]))
    assert (rankings.order.shape[2], len(rankings.weights), len(rankings.blocks)) == (0, 0, 0)
    fit = fit_pool(PoolTables.from_tables([]))
    assert fit.estimates() == {}
    with pytest.raises(KeyError):
        fit.estimate(1)


def test_rank_spans() -> None:
    spans = span_ranks({1: Estimate(3, 0.1), 2: Estimate(1.2, 1.0), 3: Estimate(0.5, 0.1), 4: Estimate(-2, 0.1)})
    assert [(span.best, span.worst) for span in spans.values()] == [(1, 2), (1, 3), (2, 3), (4, 4)]
