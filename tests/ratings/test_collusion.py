"""Who plays for whom: planted colluders are found, honest pools hardly ever accused."""

import numpy as np
import pytest

from tournaments.rules.collusion import PairEvidence, find_givers, find_partners
from tournaments.rules.ratings.fit import fit_pool
from tournaments.rules.ratings.likelihood import PoolTables


def judge_pool(seed: int, gain: float, *, matches: int = 2200, block_size: int = 1) -> list[PairEvidence]:
    """Twelve players; at 2,200 matches every pair has 100 together. 4 is helped by 9, at the third's cost too."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(0, 0.35, 12)
    sides = np.argsort(rng.random((matches, 12)), axis=1)[:, :3]
    result = truth[sides] + rng.gumbel(size=sides.shape)
    together = (sides == 4).any(axis=1) & (sides == 9).any(axis=1)
    shift = np.where(sides == 4, gain, np.where(sides == 9, -gain, -gain / 2))
    places = np.argsort(np.argsort(-(result + together[:, None] * shift), axis=1), axis=1) + 1
    seats = sides[:, :, None].astype(np.int32).repeat(block_size, axis=0)
    found = places.astype(np.int8).repeat(block_size, axis=0)
    tables = PoolTables(np.arange(12) + 30, seats, found, np.arange(matches).repeat(block_size))
    return find_partners(tables, fit_pool(tables))


def test_colluders_are_found() -> None:
    found = [judge_pool(seed, 1.0)[0] for seed in range(10)]
    assert sum((pair.helped, pair.helper) == (34, 39) and pair.p_value < 0.05 for pair in found) >= 9
    assert all(pair.helped_gain > 0.2 and pair.helper_gain < -0.2 and pair.third_gain < 0 for pair in found)


def test_honest_pools_are_hardly_accused() -> None:
    assert sum(judge_pool(seed, 0.0, matches=700)[0].p_value < 0.05 for seed in range(30)) <= 4


def test_matches_of_a_block_are_one_observation() -> None:
    """The same results three times over prove nothing more."""
    once, thrice = (judge_pool(3, 0.5, block_size=size)[0] for size in (1, 3))
    assert thrice.matches == 3 * once.matches
    assert thrice.blocks == once.blocks
    assert thrice.distance == pytest.approx(once.distance, rel=0.1)


def test_who_is_always_second_has_no_partner_in_everybody() -> None:
    """Strengths say who wins: such a player has more points than they give at every table, by nobody's help."""
    rng = np.random.default_rng(7)
    sides = np.argsort(rng.random((1500, 8)), axis=1)[:, :3]
    others = np.argsort(np.where(sides == 0, 2.0, rng.random(sides.shape)), axis=1).argsort(axis=1)
    places = np.where(sides == 0, 2, np.where(others == 0, 1, 3))
    apart = (sides != 0).all(axis=1)
    places[apart] = 1 + np.argsort(rng.random((int(apart.sum()), 3)), axis=1)
    tables = PoolTables(np.arange(8), sides[:, :, None].astype(np.int32), places.astype(np.int8), np.arange(1500))
    assert all(pair.p_value > 0.05 for pair in find_partners(tables, fit_pool(tables)))


def test_versions_of_one_bot_are_judged_as_one() -> None:
    """A pair that uploads anew every week has few matches a version, and as many as before together."""
    rng = np.random.default_rng(5)
    sides = np.argsort(rng.random((2200, 12)), axis=1)[:, :3]
    together = (sides == 4).any(axis=1) & (sides == 9).any(axis=1)
    shift = np.where(sides == 4, 1.0, np.where(sides == 9, -1.0, -0.5))
    result = rng.gumbel(size=sides.shape) + together[:, None] * shift
    places = np.argsort(np.argsort(-result, axis=1), axis=1) + 1
    versions = sides + 12 * (np.arange(2200) // 110)[:, None]
    tables = PoolTables(
        np.arange(240), versions[:, :, None].astype(np.int32), places.astype(np.int8), np.arange(2200)
    )
    fit = fit_pool(tables)
    assert not any(pair.p_value < 0.05 for pair in find_partners(tables, fit))
    found = find_partners(tables, fit, np.arange(240) % 12)[0]
    assert (found.helped, found.helper) == (4, 9) and found.p_value < 0.05


def test_pairs_with_few_joint_matches_and_tables_of_two_sides_are_not_judged() -> None:
    assert judge_pool(1, 0.0, matches=20) == []
    sides = np.array([[[0], [1]]] * 50, dtype=np.int32)
    pairs = PoolTables(np.arange(2), sides, np.array([[1, 2]] * 50, dtype=np.int8), np.arange(50))
    assert find_partners(pairs, fit_pool(pairs)) == []


def judge_pairs(seed: int, gain: float, matches: int = 1200) -> list[PairEvidence]:
    """Twelve players in pairs drawn anew; 9 gives matches away where 4 is an opponent: about 70 of 1,200."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(0, 0.35, 12)
    sides = np.argsort(rng.random((matches, 12)), axis=1)[:, :4].reshape(matches, 2, 2)
    strength = truth[sides].sum(axis=2)
    for own, other, sign in ((0, 1, 1), (1, 0, -1)):
        meets = (sides[:, own] == 4).any(axis=1) & (sides[:, other] == 9).any(axis=1)
        strength[:, 0] += gain * sign * meets
    is_first = strength[:, 0] - strength[:, 1] + rng.logistic(size=matches) > 0
    places = np.where(is_first[:, None], [1, 2], [2, 1]).astype(np.int8)
    tables = PoolTables(np.arange(12) + 30, sides.astype(np.int32), places, np.arange(matches))
    return find_givers(tables, fit_pool(tables))


def test_who_gives_matches_to_an_opponent_is_found_at_tables_of_four() -> None:
    found = [judge_pairs(seed, 2.0)[0] for seed in range(6)]
    assert sum((pair.helped, pair.helper) == (34, 39) and pair.p_value < 0.01 for pair in found) >= 5
    assert all(55 <= pair.matches <= 100 for pair in found)


def test_honest_pairs_are_hardly_accused() -> None:
    assert sum(judge_pairs(seed, 0.0, 600)[0].p_value < 0.05 for seed in range(20)) <= 3
