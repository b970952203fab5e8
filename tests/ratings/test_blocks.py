"""Matches on shared deals: who is grouped, and that intervals cover however alike the results of a group are."""

import numpy as np
import pytest

from tests.ratings.pools import simulate_threes
from tournaments.rules.ratings.fit import fit_pool
from tournaments.rules.ratings.likelihood import PoolTables
from tournaments.rules.ratings.traits import group_matches
from tournaments.rules.ratings.values import RatedTable


def test_a_group_is_the_same_sides_on_the_same_deals() -> None:
    groups = group_matches(PoolTables.from_tables([
        RatedTable(((1, 2), (3, 4)), (1, 2), block=5),
        RatedTable(((4, 3), (2, 1)), (1, 2), block=5),
        RatedTable(((1, 3), (2, 4)), (1, 2), block=5),
        RatedTable(((1, 2), (3, 4)), (1, 2), block=6),
        RatedTable(((1, 2), (3, 4)), (1, 2)),
    ]))
    assert groups is not None
    assert groups[0] == groups[1]
    assert len(set(groups.tolist())) == 4


def test_deals_shared_by_other_players_group_nobody() -> None:
    tables = [RatedTable(((seat,), (seat + 1,)), (1, 2), block=1) for seat in range(5)]
    assert group_matches(PoolTables.from_tables(tables)) is None


@pytest.mark.parametrize(
    ("luck", "low", "high"), [pytest.param(0.0, 0.93, 0.98, id="none"), pytest.param(1.0, 0.9, 0.99, id="much")]
)
def test_intervals_cover_with_shared_luck(luck: float, low: float, high: float) -> None:
    """Luck that a block shares makes all strengths look smaller, so the truth is taken on the scale of the fit."""
    covered = []
    for seed in range(8):
        truth, tables = simulate_threes(20, 720, seed, block_size=6, deal_luck=luck)
        fit = fit_pool(tables)
        centred = truth - truth.mean()
        scale = float(centred @ fit.theta) / float(centred @ centred) if luck else 1.0
        covered.append(np.mean(np.abs(fit.theta - scale * centred) <= 1.96 * fit.se))
    assert low <= np.mean(covered) <= high


def test_without_blocks_shared_luck_is_taken_for_skill() -> None:
    _, tables = simulate_threes(20, 720, 1, block_size=6, deal_luck=1.0)
    alone = PoolTables(tables.players, tables.sides, tables.places, np.arange(720))
    assert (fit_pool(tables).se > 1.2 * fit_pool(alone).se).all()
