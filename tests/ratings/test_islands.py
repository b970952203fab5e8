"""Islands: who never met, not even through others, has a scale of its own and is not ranked with the rest."""

import numpy as np
import pytest

from tournaments.rules.ratings.fit import fit_pool
from tournaments.rules.ratings.likelihood import PoolTables, find_islands
from tournaments.rules.ratings.listing import rate_players
from tournaments.rules.ratings.values import RatedTable

SMALL = [RatedTable(((1,), (2,), (4,)), (1, 2, 3))] * 6
LARGE = [
    RatedTable(((0,), (3,), (5,)), (1, 2, 3)),
    RatedTable(((5,), (6,), (7,)), (1, 2, 3)),
    RatedTable(((7,), (3,), (0,)), (3, 2, 1)),
] * 4


def test_meetings_through_others_join_an_island_and_the_largest_is_the_first() -> None:
    tables = PoolTables.from_tables(SMALL + LARGE)
    assert dict(zip(tables.players.tolist(), find_islands(tables).tolist(), strict=True)) == {
        0: 0, 1: 1, 2: 1, 3: 0, 4: 1, 5: 0, 6: 0, 7: 0,
    }


def test_partners_and_opponents_have_met() -> None:
    tables = PoolTables.from_tables([RatedTable(((1, 2), (3, 4)), (1, 2)), RatedTable(((5, 6), (7, 8)), (1, 2))])
    assert find_islands(tables).tolist() == [0, 0, 0, 0, 1, 1, 1, 1]


def test_each_island_is_centred_and_only_the_anchors_own_is_measured_from_it() -> None:
    fit = fit_pool(PoolTables.from_tables(SMALL + LARGE))
    for island in (0, 1):
        assert fit.theta[fit.islands == island].mean() == pytest.approx(0)
    from_mean, from_anchor = fit.estimates(), fit.estimates(0)
    assert from_anchor[0] == (0.0, 0.0, np.inf)
    assert from_anchor[3].value == pytest.approx(from_mean[3].value - from_mean[0].value)
    assert from_anchor[2] == from_mean[2]


def test_ranks_are_counted_within_the_island() -> None:
    listed = rate_players(PoolTables.from_tables(SMALL + LARGE), list("abcdefgh"), anchor=0)
    assert [one.island for one in listed] == [1] * 5 + [2] * 3
    assert max(one.rank_worst for one in listed if one.island == 2) == 3
    assert max(one.rank_worst for one in listed if one.island == 1) == 5
