"""Benchmarks of ratings and standings, in CPU time so that a busy machine does not change the ratios."""

import argparse
import random
import resource
from timeit import default_timer

import numpy as np
from openskill.models import PlackettLuce

from tournaments.rules.ratings.fit import fit_pool
from tournaments.rules.ratings.rankings import PoolTables
from tournaments.rules.ratings.replay import replay_ratings
from tournaments.rules.ratings.values import RatedTable
from tournaments.rules.standings import DEFAULT_CHAIN, Meetings, Scoring, TableResult, rank_tallies, tally_results


def draw_tables(players: int, matches: int, rng: random.Random) -> list[RatedTable]:
    """Matches of three random players with random places."""
    tables = []
    for _ in range(matches):
        places = [1, 2, 3]
        rng.shuffle(places)
        tables.append(RatedTable(tuple((player,) for player in rng.sample(range(players), 3)), tuple(places)))
    return tables


def simulate_pool(players: int, matches: int, block_size: int, seed: int) -> tuple[np.ndarray, PoolTables]:
    """Strengths of spread 1 and the Plackett-Luce results they give, in blocks of `block_size` matches."""
    rng = np.random.default_rng(seed)
    strengths = rng.normal(size=players)
    sides = rng.integers(0, players, size=(matches, 3))
    is_proper = (sides[:, 0] != sides[:, 1]) & (sides[:, 0] != sides[:, 2]) & (sides[:, 1] != sides[:, 2])
    sides = sides[is_proper]
    luck = strengths[sides] + rng.gumbel(size=sides.shape)
    places = np.argsort(np.argsort(-luck, axis=1), axis=1) + 1
    blocks = np.arange(len(sides)) // block_size
    return strengths, PoolTables(
        np.arange(players), sides[:, :, None].astype(np.int32), places.astype(np.int8), blocks
    )


def bench_replay(matches: int) -> None:
    """A rebuild of live ratings beside bare openskill on a tenth of the same matches."""
    tables = draw_tables(1000, matches, random.Random(1))
    sample = tables[: max(matches // 10, 1)]
    model = PlackettLuce(tau=0.0)
    bare = {player: model.rating() for player in range(1000)}
    started = _cpu_seconds()
    for table in sample:
        rated = model.rate([[bare[side[0]]] for side in table.sides], ranks=list(map(float, table.places)))
        for side, (rating,) in zip(table.sides, rated, strict=True):
            bare[side[0]] = rating
    bare_pace = len(sample) / (_cpu_seconds() - started)
    started = _cpu_seconds()
    replay_ratings(tables)
    pace = matches / (_cpu_seconds() - started)
    print(
        f"replay of {matches:,} matches: {pace:,.0f} a CPU second, "
        f"{pace / bare_pace:.2f} x bare openskill's {bare_pace:,.0f}; peak memory {_peak_megabytes():.0f} MB"
    )


def bench_fit(players: int, matches: int, block_size: int) -> None:
    """The batch fit, and how many of its intervals cover the truth."""
    strengths, tables = simulate_pool(players, matches, block_size, seed=1)
    started, started_cpu = default_timer(), _cpu_seconds()
    fit = fit_pool(tables)
    seconds, cpu = default_timer() - started, _cpu_seconds() - started_cpu
    error = (fit.theta - fit.theta.mean()) - (strengths - strengths.mean())
    cover = float((np.abs(error) <= 1.96 * fit.se).mean())
    print(
        f"fit of {players:,} players, {matches:,} matches, blocks of {block_size}: "
        f"{seconds:.1f} s ({cpu:.1f} s CPU); intervals cover {cover:.3f}; peak memory {_peak_megabytes():.0f} MB"
    )


def bench_standings(entrants: int, matches: int) -> None:
    """Standings from results, and from the sums that are stored."""
    rng = random.Random(2)
    results = [
        TableResult(tuple(player for (player,) in sides), places, (1, 1, 0), (rng.randrange(40), 20, 9), (1, 0, 1))
        for sides, places, *_ in draw_tables(entrants, matches, rng)
    ]
    started = _cpu_seconds()
    tallies = tally_results(results, Scoring())
    tallied = _cpu_seconds()
    rank_tallies(tallies, lambda: Meetings.from_results(results), Scoring(), DEFAULT_CHAIN)
    ranked = _cpu_seconds()
    print(
        f"standings of {entrants:,} entrants, {matches:,} results: sums {1000 * (tallied - started):.0f} ms CPU, "
        f"ranking from sums {1000 * (ranked - tallied):.0f} ms"
    )


def main() -> None:
    """Run all; `--matches` makes it shorter."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=1_000_000)
    matches = parser.parse_args().matches
    bench_fit(10_000, matches, 1)
    bench_fit(10_000, matches, 3)
    bench_standings(1000, matches // 10)
    bench_replay(matches)


def _cpu_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def _peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
