"""Benchmarks of ratings and standings, in CPU time so that a busy machine does not change the ratios."""

import random
import resource
from timeit import default_timer

import numpy as np
from openskill.models import PlackettLuce

from benchmarks.report import Figure, Survey, at_most
from benchmarks.site import own_services
from tournaments.rules.ratings.fit import fit_pool
from tournaments.rules.ratings.likelihood import PoolTables
from tournaments.rules.ratings.live import replay_ratings
from tournaments.rules.ratings.values import RatedTable
from tournaments.rules.standings import DEFAULT_CHAIN, Meetings, Scoring, TableResult, rank_tallies, tally_results

SECONDS_TO_FIT = 10
"""The goal of a million matches."""


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
    return strengths, PoolTables(np.arange(players), sides[:, :, None].astype(np.int32), places.astype(np.int8), blocks)


def measure_replay(matches: int) -> list[Figure]:
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
    name = f"replay of {matches:,} matches"
    return [
        Figure(name, "beside bare openskill", pace, "matches/s of CPU", ratio=pace / bare_pace),
        Figure(name, "peak memory", _peak_megabytes(), "MB"),
    ]


def measure_fit(players: int, matches: int, block_size: int) -> list[Figure]:
    """The batch fit, and how many of its intervals cover the truth."""
    strengths, tables = simulate_pool(players, matches, block_size, seed=1)
    started, started_cpu = default_timer(), _cpu_seconds()
    fit = fit_pool(tables)
    seconds, cpu = default_timer() - started, _cpu_seconds() - started_cpu
    error = (fit.theta - fit.theta.mean()) - (strengths - strengths.mean())
    cover = float((np.abs(error) <= 1.96 * fit.se).mean())
    name = f"fit of {players:,} players, {matches:,} matches, blocks of {block_size}"
    return [
        Figure(name, "on the clock", seconds, "s", at_most(SECONDS_TO_FIT)),
        Figure(name, "CPU", cpu, "s"),
        Figure(name, "intervals that cover the truth", 100 * cover, "%"),
        Figure(name, "peak memory", _peak_megabytes(), "MB"),
    ]


def measure_standings(entrants: int, matches: int) -> list[Figure]:
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
    name = f"standings of {entrants:,} entrants, {matches:,} results"
    return [
        Figure(name, "sums, CPU", 1000 * (tallied - started), "ms"),
        Figure(name, "ranking from sums, CPU", 1000 * (ranked - tallied), "ms"),
    ]


def measure_ratings(*, matches: int) -> Survey:
    figures = [
        *measure_fit(10_000, matches, 1),
        *measure_fit(10_000, matches, 3),
        *measure_standings(1000, matches // 10),
        *measure_replay(matches),
    ]
    return Survey("Ratings and standings in memory", figures)


def measure_rebuild(*, matches: int, players: int) -> Survey:
    """On a database of its own: rating as matches end, the rebuild, and the fit with what it reads."""
    with own_services():
        from benchmarks.rebuild import list_rebuild_figures

        return Survey("Ratings on a database", list_rebuild_figures(matches, players))


def _cpu_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def _peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
