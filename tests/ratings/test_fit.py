"""The batch fit: right on pools whose truth is known, honest about its doubt, and blind to the order of arrival."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from tests.ratings.pools import simulate_partners, simulate_threes
from tournaments.rules.ratings import fit as fit_module
from tournaments.rules.ratings.fit import NEWCOMER_SD, PoolFit, fit_pool
from tournaments.rules.ratings.likelihood import FloatArray, PoolTables
from tournaments.rules.ratings.listing import find_reach
from tournaments.rules.ratings.values import RatedTable

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
        paired.append(gap <= 1.96 * np.sqrt(fit.difference_variances(np.arange(PLAYERS)))[upper])
    assert 0.93 <= np.mean(single) <= 0.97
    assert 0.93 <= np.mean(paired) <= 0.97


def test_shared_ranks_part_what_should_be_parted(fitted_pools: list[tuple[FloatArray, PoolFit]]) -> None:
    """All 1,770 pairs at once: the reach for 60 players is four errors of a difference, here a gap of 1."""
    wrongly_parted = clearly_apart = parted = 0
    for truth, fit in fitted_pools[:5]:
        reach = find_reach(PLAYERS) * np.sqrt(fit.difference_variances(np.arange(PLAYERS)))
        is_above = fit.theta[:, None] - fit.theta[None, :] > reach
        gap = truth[:, None] - truth[None, :]
        wrongly_parted += int((is_above & (gap < 0)).sum())
        clearly_apart += int((gap > 1.5).sum())
        parted += int((is_above & (gap > 1.5)).sum())
    assert wrongly_parted == 0
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


def test_all_tied_says_nothing_of_who_is_better() -> None:
    fit = fit_pool(PoolTables.from_tables([RatedTable(((1,), (2,), (3,)), (1, 1, 1))] * 10))
    assert fit.theta == pytest.approx([0, 0, 0], abs=1e-6)


def test_a_forfeit_counts_as_last() -> None:
    played = [RatedTable(((1,), (2,), (3,)), (1, 2, 3), frozenset({1}))] * 10
    fit = fit_pool(PoolTables.from_tables(played))
    assert fit.estimate(2).value > fit.estimate(3).value > fit.estimate(1).value


@pytest.mark.parametrize("block_size", [1, 2])
def test_large_pools_use_the_diagonal_and_agree(monkeypatch: pytest.MonkeyPatch, block_size: int) -> None:
    _, tables = simulate_threes(60, 3000, 8, block_size=block_size, deal_luck=0.5 * (block_size - 1))
    dense = fit_pool(tables)
    monkeypatch.setattr(fit_module, "DENSE_LIMIT", 10)
    large = fit_pool(tables)
    assert large.se == pytest.approx(dense.se, rel=0.15)
    assert large.theta == pytest.approx(dense.theta, abs=0.1)
    assert large.sd == pytest.approx(dense.sd, rel=0.1)
    assert large.estimates(3)[3] == (0.0, 0.0, np.inf)
    assert large.estimates(3)[4].se == pytest.approx(dense.estimates(3)[4].se, rel=0.15)


def test_a_fit_says_whether_it_found_the_peak(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = simulate_threes(10, 50, 1)[1]
    assert fit_pool(tables).is_converged is True
    assert fit_pool(PoolTables.from_tables([])).is_converged is True
    monkeypatch.setattr("tournaments.rules.ratings.fit.GRADIENT_TOLERANCE", 1e-30)
    assert fit_pool(tables).is_converged is False


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
    assert 3 * before.se < aided.estimate(successor).se <= NEWCOMER_SD
    moved = (aided.theta - aided.theta[:30].mean()) - (unaided.theta - unaided.theta[:30].mean())
    assert abs(moved[forerunner]) < 0.02


def test_an_empty_pool_is_empty() -> None:
    fit = fit_pool(PoolTables.from_tables([]))
    assert fit.estimates() == {}
    with pytest.raises(KeyError):
        fit.estimate(1)


def test_the_interval_is_that_of_the_number_shown() -> None:
    """Against a seldom seen anchor: errors against the mean covered three quarters of the differences."""
    covered = []
    for seed in range(30):
        truth, tables = simulate_threes(12, 120, seed)
        fit = fit_pool(tables)
        for player, (value, se, _) in fit.estimates(0).items():
            if player:
                covered.append(abs(value - truth[player] + truth[0]) <= 1.96 * se)
    assert 0.92 <= np.mean(covered) <= 0.98


@pytest.mark.parametrize("spread", [0.35, 1.5])
def test_the_spread_is_learnt(spread: float) -> None:
    learnt = [fit_pool(simulate_threes(60, 1200, seed, spread=spread)[1]).sd for seed in range(5)]
    assert np.mean(learnt) == pytest.approx(spread, rel=0.25)


def test_a_swiss_has_a_spread_too() -> None:
    """Who is level on points meets, so that hardly any result surprises; a plain Laplace fit saw no spread at all."""
    rng, learnt = np.random.default_rng(3), []
    for _ in range(3):
        truth, points = rng.normal(size=99), np.zeros(99)
        sides, places = [], []
        for _ in range(8):
            tables = np.lexsort((rng.random(99), -points)).reshape(-1, 3)
            luck = truth[tables] + rng.gumbel(size=tables.shape)
            sides.append(tables)
            places.append(np.argsort(np.argsort(-luck, axis=1), axis=1) + 1)
            np.add.at(points, tables, 3 - places[-1])
        seats = np.concatenate(sides)[:, :, None].astype(np.int32)
        learnt.append(fit_pool(
            PoolTables(np.arange(99), seats, np.concatenate(places).astype(np.int8), np.arange(len(seats)))
        ).sd)
    assert 0.6 <= np.mean(learnt) <= 1.6


def test_a_strong_new_version_is_covered_after_ten_matches() -> None:
    """A pool of close bots, and one that is far better than its forerunner: a prior around that one covered half."""
    rng, covered = np.random.default_rng(4), []
    for _ in range(30):
        truth = np.append(rng.normal(0, 0.35, 12), 1.8)
        sides = np.concatenate([
            np.argsort(rng.random((200, 12)), axis=1)[:, :3],
            np.column_stack([np.full(10, 12), np.argsort(rng.random((10, 12)), axis=1)[:, :2]]),
        ])
        luck = truth[sides] + rng.gumbel(size=sides.shape)
        places = (np.argsort(np.argsort(-luck, axis=1), axis=1) + 1).astype(np.int8)
        fit = fit_pool(PoolTables(np.arange(13), sides[:, :, None].astype(np.int32), places, np.arange(210)), {12: 3})
        value, se, _ = fit.estimates(0)[12]
        covered.append(abs(value - truth[12] + truth[0]) <= 1.96 * se)
    assert np.mean(covered) >= 0.9


def test_second_places_count_as_much_as_the_pool_shows_them_to() -> None:
    _, tables = simulate_threes(20, 3000, 1)
    shuffled = tables.places.copy()
    rng = np.random.default_rng(2)
    behind = np.sort(np.argsort(shuffled, axis=1)[:, 1:], axis=1)
    swapped = rng.permuted(np.tile(np.array([2, 3], dtype=np.int8), (3000, 1)), axis=1)
    np.put_along_axis(shuffled, behind, swapped, axis=1)
    lots = PoolTables(tables.players, tables.sides, shuffled, tables.blocks)
    assert fit_pool(tables).second > 0.85
    assert fit_pool(lots).second == 0


def test_second_places_that_say_little_are_left_out() -> None:
    """Where they say 0.2, as with the real engine, a fit with them foretold held-out winners worse than wins alone."""
    _, tables = simulate_threes(20, 3000, 1)
    rng, places = np.random.default_rng(3), tables.places.copy()
    rows = np.flatnonzero(rng.random(3000) < 0.8)
    behind = np.sort(np.argsort(places[rows], axis=1)[:, 1:], axis=1)
    lots, mixed = rng.permuted(np.tile(np.array([2, 3], dtype=np.int8), (len(rows), 1)), axis=1), places[rows]
    np.put_along_axis(mixed, behind, lots, axis=1)
    places[rows] = mixed
    assert fit_pool(PoolTables(tables.players, tables.sides, places, tables.blocks)).second == 0


@pytest.mark.parametrize(("second", "least", "most"), [(0.0, 0.0, 0.3), (1.0, 0.7, 1.0)])
def test_few_matches_a_player_do_not_make_lots_of_second_places_speak(second: float, least: float, most: float) -> None:
    """Fitted beside the strengths the part was 1 in every such pool, and lots covered four of five."""
    rng, learnt, covered = np.random.default_rng(1), [], []
    for _ in range(4):
        truth = rng.normal(size=150)
        sides = np.concatenate([rng.permutation(150).reshape(-1, 3) for _ in range(8)])
        luck = truth[sides] + rng.gumbel(size=sides.shape)
        behind = second * truth[sides] + rng.gumbel(size=sides.shape)
        behind[luck == luck.max(axis=1, keepdims=True)] = np.inf
        places = (np.argsort(np.argsort(-behind, axis=1), axis=1) + 1).astype(np.int8)
        fit = fit_pool(PoolTables(np.arange(150), sides[:, :, None].astype(np.int32), places, np.arange(len(sides))))
        learnt.append(fit.second)
        covered.append(np.abs(errors_of(fit, truth)) <= 1.96 * fit.se)
    assert least <= np.mean(learnt) <= most
    assert 0.91 <= np.mean(covered) <= 0.98


def test_odds_of_ten_to_one_are_400_points() -> None:
    """Who wins a table is what the strengths say, also where second places are lots."""
    rng = np.random.default_rng(6)
    truth = np.array([0.0, np.log(10), 1.0])
    sides = np.argsort(rng.random((6000, 3)), axis=1)
    luck = truth[sides] + rng.gumbel(size=sides.shape)
    places = np.where(luck == luck.max(axis=1, keepdims=True), 1, 0)
    places[places == 0] = rng.permuted(np.tile([2, 3], (6000, 1)), axis=1).ravel()
    fit = fit_pool(PoolTables(
        np.arange(3), sides[:, :, None].astype(np.int32), places.astype(np.int8), np.arange(6000)
    ))
    assert fit.estimates(0)[1].value == pytest.approx(np.log(10), abs=0.15)
