"""How often the intervals of ratings hold, equals seem parted, and colluders are found, in pools of known strengths.

A row is a scenario: the share of 95 % intervals that hold the truth, of each player against the anchor (everybody in
turn is that) and against the mean; how often a pool of equals has anybody parted from another; the root mean square
error of a strength, and of what a player's own results say; the spread learnt; and half the width of an interval.
`aurum bench coverage --pools 300 --scenario "7 free"`. The pools are simulated: who meets whom, and how it ends.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from zlib import crc32

# One thread: the matrices are small, and threads that wait for each other cost more than they bring.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import scipy

from benchmarks.report import Figure, Survey, at_least, at_most, tell
from tournaments.rules.collusion import find_partners
from tournaments.rules.ratings.fit import PoolFit, fit_pool
from tournaments.rules.ratings.likelihood import FloatArray, PoolTables
from tournaments.rules.ratings.listing import span_fit
from tournaments.rules.ratings.traits import own_against_mean
from tournaments.rules.sequential import SequentialTest, TrialVerdict, UnitScores

LADDER_STEP = 0.1
"""How far a result moves who climbs and who falls on a ladder, in units of strength."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A pool to be drawn: `matches` in all, or a player for a ladder, or matchdays of a Swiss.

    On a ladder everybody meets whoever is near by the results so far. `sorted` is another thing: there those meet who
    are near in true strength, as if somebody had known it, and nothing in the results tells that they were chosen.
    """

    design: str
    players: int
    matches: int
    sides: int = 3
    strengths: str = "0.35"
    block: int = 1
    likeness: float = 0.0
    ties: float = 0.0
    seat: float = 0.0
    second: float = 1.0

    def __str__(self) -> str:
        extras = [f"blocks of {self.block}, correlation {self.likeness}"] if self.block > 1 else []
        extras += [f"ties {self.ties:.0%}"] * bool(self.ties) + [f"a seat worth {self.seat}"] * bool(self.seat)
        extras += [f"second places say {self.second}"] * (self.second < 1)
        table = "threes" if self.sides == 3 else "pairs"
        return f"{self.players} {self.design} x {self.matches} | {table} | {self.strengths} | {', '.join(extras)}"


def list_scenarios() -> Iterator[Scenario]:
    """Every design with every spread of strength, then what else may happen at the table; last what is not covered."""
    designs = [
        Scenario("free", 7, 18),
        Scenario("free", 7, 72),
        Scenario("free", 7, 720),
        Scenario("ladder", 60, 100),
        Scenario("swiss", 200, 8),
        Scenario("random", 200, 8),
    ]
    for sides in (3, 2):
        for design in designs:
            for strengths in ("equal", "0.35", "1", "-2.6 to 1.6"):
                yield replace(design, sides=sides, strengths=strengths)
    for sides in (3, 2):
        for design in designs:
            base = replace(design, sides=sides)
            for likeness in (0.0, 0.2, 0.4):
                yield replace(base, block=sides, likeness=likeness)
            yield replace(base, ties=0.1)
            yield replace(base, seat=0.3)
            if sides == 3:
                yield replace(base, second=0.2)
    yield Scenario("sorted", 60, 100)


def draw_pool(scenario: Scenario, rng: np.random.Generator) -> tuple[FloatArray, PoolTables]:
    """The true strengths of those who played, and their results."""
    truth = _draw_strengths(scenario, rng)
    points, sides, places = np.zeros(scenario.players), [], []
    for tables in _draw_tables(scenario, truth, points, rng):
        seated, found = play_tables(scenario, truth, tables, rng)
        if scenario.design == "ladder":
            _climb(points, seated, found)
        else:
            np.add.at(points, seated, scenario.sides - found)
        sides.append(seated)
        places.append(found)
    players, index = np.unique(np.concatenate(sides), return_inverse=True)
    shape = (-1, scenario.sides, 1)
    blocks = np.arange(sum(map(len, sides))) // scenario.block
    return truth[players], PoolTables(
        players, index.reshape(shape).astype(np.int32), np.concatenate(places).astype(np.int8), blocks
    )


def _draw_strengths(scenario: Scenario, rng: np.random.Generator) -> FloatArray:
    if scenario.strengths == "equal":
        return np.zeros(scenario.players)
    if scenario.strengths == "-2.6 to 1.6":
        return rng.permutation(np.linspace(-2.6, 1.6, scenario.players))
    return rng.normal(0, float(scenario.strengths), scenario.players)


def _draw_tables(
    scenario: Scenario, truth: FloatArray, points: FloatArray, rng: np.random.Generator
) -> Iterator[np.ndarray]:
    """Wave by wave; `points` are those won so far."""
    players, sides = scenario.players, scenario.sides
    if scenario.design == "free":
        count, wave = scenario.matches // scenario.block, players // sides
        order = rng.permuted(np.tile(np.arange(players), (count // wave + 1, 1)), axis=1)
        yield order[:, : wave * sides].reshape(-1, sides)[:count]
    elif scenario.design == "sorted":
        count = players * scenario.matches // sides // scenario.block
        near = rng.integers(0, players - 2 * sides + 1, count)[:, None]
        yield np.argsort(-truth)[near + np.argsort(rng.random((count, 2 * sides)), axis=1)[:, :sides]]
    elif scenario.design == "ladder":
        for _ in range(max(scenario.matches // scenario.block, 3)):
            yield _draw_neighbours(points, 2 * sides, rng).reshape(-1, sides)
    else:
        for _ in range(max(scenario.matches // scenario.block, 3)):
            level = -points if scenario.design == "swiss" else np.zeros(players)
            yield np.lexsort((rng.random(players), level))[: players // sides * sides].reshape(-1, sides)


def _draw_neighbours(level: FloatArray, window: int, rng: np.random.Generator) -> np.ndarray:
    """Everybody in order of the level, but shuffled within windows that begin at a random place."""
    order = np.roll(np.lexsort((rng.random(len(level)), -level)), int(rng.integers(window)))
    return rng.permuted(order[: len(level) // window * window].reshape(-1, window), axis=1)


def _climb(points: FloatArray, seated: np.ndarray, places: np.ndarray) -> None:
    """Each pair of a table moves as far as its result was not expected (Elo)."""
    for own in range(seated.shape[1]):
        for other in range(seated.shape[1]):
            if own != other:
                ahead = 0.5 + 0.5 * np.sign(places[:, other] - places[:, own])
                gap = points[seated[:, own]] - points[seated[:, other]]
                np.add.at(points, seated[:, own], LADDER_STEP * (ahead - scipy.special.expit(gap)))


def play_tables(
    scenario: Scenario, truth: FloatArray, tables: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Plackett-Luce; matches of a block have the seats rotated and share some of each player's luck."""
    count, sides = len(tables) * scenario.block, scenario.sides
    shared = rng.normal(size=tables.shape).repeat(scenario.block, axis=0) * scenario.likeness**0.5
    luck = shared + rng.normal(size=(count, sides)) * (1 - scenario.likeness) ** 0.5
    result = truth[tables].repeat(scenario.block, axis=0) - np.log(-scipy.special.log_ndtr(luck))
    turn = np.tile(np.arange(scenario.block), len(tables))[:, None]
    seats = (np.arange(sides) + turn) % sides
    seated = np.take_along_axis(tables.repeat(scenario.block, axis=0), seats, axis=1)
    result = np.take_along_axis(result, seats, axis=1)
    result[:, 0] += scenario.seat
    if scenario.second < 1:
        result = _draw_behind(scenario, truth[seated], result, rng)
    places = np.argsort(np.argsort(-result, axis=1), axis=1) + 1
    is_tie = rng.random(count) < scenario.ties
    places[is_tie] = np.where(places[is_tie] == 2, 1, places[is_tie])
    return seated, places


def _draw_behind(scenario: Scenario, strengths: FloatArray, result: FloatArray, rng: np.random.Generator) -> FloatArray:
    """The winner stays; second place is drawn anew, with a part of the strengths."""
    behind = scenario.second * strengths + rng.gumbel(size=strengths.shape)
    behind[result == result.max(axis=1, keepdims=True)] = np.inf
    return behind



HEADING = "| pool | tables | strengths | with | pools | anchor % | mean % | parted % | error | own error | spread | ± |"

ANCHORS = 4
"""So many players of a pool, or all, are the anchor in turn."""


def measure_scenario(scenario: Scenario, pools: int, seed: int) -> tuple[str, float, float]:
    """A row of the table, the share covered against anchors, and the share of pools with anybody parted."""
    rng = np.random.default_rng([seed, crc32(str(scenario).encode())])
    rows, parted = [], 0
    for _ in range(pools):
        truth, tables = draw_pool(scenario, rng)
        fit = fit_pool(tables)
        rows.append(_count_covered(fit, truth - truth.mean()))
        if scenario.strengths == "equal":
            parted += any(span.best > 1 for span in span_fit(fit).values())
    anchored, centred, error, own, spread, reach = np.mean(rows, axis=0).tolist()
    false = f"{100 * parted / pools:.1f}" if scenario.strengths == "equal" else ""
    line = (
        f"| {scenario} | {pools} | {100 * anchored:.1f} | {100 * centred:.1f} | {false} | {error**0.5:.3f} | "
        f"{own**0.5:.3f} | {spread:.2f} | {reach:.2f} |"
    )
    return line, anchored, parted / pools


def _count_covered(fit: PoolFit, truth: np.ndarray) -> tuple[float, ...]:
    """Of one pool: shares covered against anchors and the mean, mean squares of both errors, spread, half a width."""
    size, held, reach = len(truth), [], []
    for anchor in range(0, size, max(size // ANCHORS, 1)):
        shown = fit.strengths(int(fit.players[anchor]))
        ends = np.array([(one.low, one.high) for row, one in enumerate(shown.values()) if row != anchor])
        held.append(_hold(ends, np.delete(truth - truth[anchor], anchor)))
        reach.append(float((ends[:, 1] - ends[:, 0]).mean()) / 2)
    ends = np.array([(one.low, one.high) for one in fit.strengths().values()])
    own = own_against_mean(fit.found, fit.islands)
    squares = ((fit.theta - truth) ** 2).mean(), ((own.value - truth) ** 2).mean()
    return float(np.mean(held)), _hold(ends, truth), *squares, fit.sd, float(np.mean(reach))


def _hold(ends: np.ndarray, truth: np.ndarray) -> float:
    return float(((ends[:, 0] <= truth) & (truth <= ends[:, 1])).mean())


def measure_newcomer(pools: int, lead: float, seed: int) -> str:
    """A pool of 20 with 60 matches each of sd 0.35 and a new version, so much better than all, after ten matches."""
    rng, covered = np.random.default_rng([seed, 2]), 0
    for _ in range(pools):
        truth = np.append(rng.normal(0, 0.35, 20), lead)
        waves = [rng.permutation(20)[:18].reshape(6, 3) for _ in range(67)]
        tables = np.concatenate(
            [*waves, np.column_stack([np.full(10, 20), *rng.permuted(np.tile(np.arange(20), (10, 1)), axis=1).T[:2]])]
        )
        scenario = Scenario("free", 21, len(tables))
        seated, places = play_tables(scenario, truth, tables, rng)
        fit = fit_pool(
            PoolTables(
                np.arange(21), seated[:, :, None].astype(np.int32), places.astype(np.int8), np.arange(len(tables))
            ),
            {20: 0},
        )
        one = fit.strengths(0)[20]
        covered += one.low <= truth[20] - truth[0] <= one.high
    return f"new version {lead} above the pool after 10 matches: covered {100 * covered / pools:.1f} %"


def measure_collusion(pools: int, gain: float, seed: int) -> str:
    """Twelve players, every pair about 100 joint matches; player 0 is helped by player 1, at the third's cost too."""
    rng, accused = np.random.default_rng([seed, 3]), 0
    for _ in range(pools):
        tables, fit = draw_colluders(rng, gain)
        pairs = [pair for pair in find_partners(tables, fit) if pair.p_value < 0.05]
        accused += any((pair.helped, pair.helper) == (0, 1) for pair in pairs) if gain else bool(pairs)
    what = "colluders found" if gain else "honest pools with a false alarm"
    return f"pool of 12, {what}: {100 * accused / pools:.1f} %"


def draw_colluders(rng: np.random.Generator, gain: float, matches: int = 2200) -> tuple[PoolTables, PoolFit]:
    """Strengths of sd 0.35; where 0 and 1 sit together 0 has `gain` more, 1 so much less, the third half as much."""
    truth = rng.normal(0, 0.35, 12)
    sides = np.argsort(rng.random((matches, 12)), axis=1)[:, :3]
    result = truth[sides] + rng.gumbel(size=sides.shape)
    together = (sides == 0).any(axis=1) & (sides == 1).any(axis=1)
    shift = np.where(sides == 0, gain, np.where(sides == 1, -gain, -gain / 2))
    result[together] += shift[together]
    places = np.argsort(np.argsort(-result, axis=1), axis=1) + 1
    tables = PoolTables(np.arange(12), sides[:, :, None].astype(np.int32), places.astype(np.int8), np.arange(matches))
    return tables, fit_pool(tables)


def measure_trials(runs: int, share: float, effect: float, seed: int) -> str:
    """A sequential test whose units differ in `share` of deals, by one half each."""
    rng, accepted = np.random.default_rng([seed, 4]), 0
    test = SequentialTest(effect)
    for _ in range(runs):
        scores, verdict = UnitScores(), TrialVerdict.CONTINUES
        while verdict is TrialVerdict.CONTINUES:
            scores = scores.plus([0.5 if rng.random() < share else 0.0])
            verdict = test.assess(scores).verdict
        accepted += verdict is TrialVerdict.ACCEPTED
    return f"trial, {share:.0%} of units at +0.5: power {100 * accepted / runs:.1f} %"


def measure_coverage(*, pools: int, scenario: str, seed: int) -> Survey:
    """A row of the table a scenario; with no scenario named also newcomers, colluders and trials."""
    lines, figures = [HEADING, "|---" * HEADING.count(" |") + "|"], []
    for one in list_scenarios():
        if scenario not in str(one):
            continue
        line, covered, parted = measure_scenario(one, pools, seed)
        lines.append(line)
        tell(line)
        if one.design != "sorted":
            figures += [Figure(str(one), "covered, at least", 100 * covered, "%", at_least(93.0))]
            figures += [Figure(str(one), "covered, at most", 100 * covered, "%", at_most(97.0))]
        if one.strengths == "equal":
            figures.append(Figure(str(one), "pools of equals with anybody parted", 100 * parted, "%", at_most(6.0)))
    if not scenario:
        lines += [measure_newcomer(pools, lead, seed) for lead in (1.0, 1.5, 2.0)]
        lines += [measure_collusion(pools, gain, seed) for gain in (0.0, 1.0)]
        lines += [measure_trials(pools, share, effect, seed) for share, effect in ((0.04, 0.02), (0.10, 0.05))]
    return Survey(f"What intervals cover, {pools} pools each", figures, lines)
