"""Simulated pools whose true strengths are known."""

import numpy as np

from tournaments.rules.ratings.likelihood import FloatArray, PoolTables


def simulate_threes(
    players: int, matches: int, seed: int, *, block_size: int = 1, deal_luck: float = 0.0, spread: float = 1.0
) -> tuple[FloatArray, PoolTables]:
    """Tables of three by the Plackett-Luce model; matches of a block have the same players and share their luck."""
    rng = np.random.default_rng(seed)
    strengths = spread * rng.normal(size=players)
    blocks = np.repeat(np.arange(-(-matches // block_size)), block_size)[:matches]
    tables = np.argsort(rng.random((blocks[-1] + 1, players)), axis=1)[:, :3]
    shared = deal_luck * rng.normal(size=tables.shape)
    luck = (strengths[tables] + shared)[blocks] + rng.gumbel(size=(matches, 3))
    return strengths, _to_tables(players, tables[blocks][:, :, None], luck, blocks)


def simulate_partners(players: int, matches: int, seed: int) -> tuple[FloatArray, PoolTables]:
    """Two sides of two whose strengths add up."""
    rng = np.random.default_rng(seed)
    strengths = rng.normal(size=players)
    sides = np.argsort(rng.random((matches, players)), axis=1)[:, :4].reshape(matches, 2, 2)
    luck = strengths[sides].sum(axis=2) + rng.gumbel(size=(matches, 2))
    return strengths, _to_tables(players, sides, luck, np.arange(matches))


def _to_tables(players: int, sides: np.ndarray, luck: FloatArray, blocks: np.ndarray) -> PoolTables:
    places = np.argsort(np.argsort(-luck, axis=1), axis=1) + 1
    return PoolTables(np.arange(players), sides.astype(np.int32), places.astype(np.int8), blocks)
