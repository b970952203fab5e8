"""Which points say most, and whether the chances of the official rating hold, on matches of the real engine.

`aurum bench points`: for pairs of brains, the mean difference of a deal over its standard deviation, by wins, points by
place, rounds won and score; a third brain sits with them. Its square is what one deal is worth: twice the number needs
a quarter of the deals. `aurum bench calibration`: a pool of brains, half of the deals held out; how far chances to win
are from what happened in ten bins, and the log loss beside that of a logit of wins alone.
"""

from collections.abc import Iterator, Sequence
from itertools import permutations
from random import Random
from typing import Any

import numpy as np
import scipy

from benchmarks.report import Figure, Survey, at_most, tell
from bots.brains import LearnerBrain, RandomBrain, make_brain
from bots.brains.search import SearchBrain
from games.play.agents import Agent
from games.play.table import play_match
from games.rules.deal import derive_seed
from games.rules.match import Match
from games.rules.ruleset import Ruleset
from games.rules.view import View
from tournaments.rules.ratings.fit import fit_pool
from tournaments.rules.ratings.likelihood import FloatArray, PoolTables
from tournaments.rules.ratings.values import ANCHOR_NUMBER, POINTS_PER_UNIT


class Blunderer:
    """A house bot, but for a share of its decisions in percent, which are any legal action."""

    def __init__(self, kind: str, seed: int, percent: int) -> None:
        self.steady, self.wild = make_brain(kind, seed), RandomBrain(seed ^ 0xB1)
        self.percent, self.rng = percent, Random(seed)

    def choose(self, view: View) -> int:
        return (self.wild if self.rng.randrange(100) < self.percent else self.steady).choose(view)


BLUNDERERS = ("greedy", "counting", "learnt")


def make_agent(name: str, seed: int) -> Agent:
    """A house bot by its name, `counting-15` (percent of blunders) `playouts-40`, or `learner-60`."""
    kind, _, number = name.partition("-")
    if kind == "learner" and number:
        return LearnerBrain(seed, old_ways=int(number))
    if kind == "playouts":
        return SearchBrain(seed, playouts=int(number))
    if kind in BLUNDERERS and number:
        return Blunderer(kind, seed, int(number))
    return make_brain(name, seed)


def play_block(names: tuple[str, ...], seed: bytes, block: int, seatings: int) -> Iterator[dict[str, Any]]:
    """One deal with the seats rotated (three), or in every order (six)."""
    ruleset = Ruleset(players=len(names))
    orders = list(permutations(range(3))) if seatings == 6 else [(0, 1, 2), (1, 2, 0), (2, 0, 1)][:seatings]
    for order in orders:
        seated = [names[index] for index in order]
        match = Match(ruleset, seed)
        chances = [int.from_bytes(derive_seed(seed, f"agent {order} {seat}")[:8], "big") for seat in range(3)]
        play_match(match, [make_agent(name, chance) for name, chance in zip(seated, chances, strict=True)])
        result = match.result
        assert result is not None
        yield {
            "sides": [[name] for name in seated],
            "places": [result.place_of(side) for side in range(3)],
            "block": str(block),
            "nuggets": list(result.nuggets),
            "totals": list(result.totals),
            "rounds": [list(finished.outcome.winners) for finished in match.rounds],
        }


MEASURES = ("wins", "2-1-0", "nuggets", "score")
PAIRS = (
    ("counting", "counting-5"),
    ("counting-5", "counting-15"),
    ("counting", "counting-15"),
    ("counting", "greedy"),
    ("greedy", "random"),
    ("counting", "learnt"),
    ("search-1", "counting"),
    ("playouts-20", "playouts-80"),
)
"""Each with `counting` as the third, or `greedy` where that is one of the two."""

POOL = ("random", "greedy", "counting", "counting-5", "counting-15", "counting-30", "learnt")
BINS = 10


def measure_points(*, deals: int, pairs: str, seed: int) -> Survey:
    """A row a pair; the error of a number is about the root of (1 / deals + its square / (2 deals))."""
    chosen = [tuple(pair.split("+")) for pair in pairs.split(",")] if pairs else list(PAIRS)
    lines = ["| pair | deals | " + " | ".join(MEASURES) + " | error |", "|---" * (len(MEASURES) + 3) + "|"]
    for one, other in chosen:
        third = "greedy" if "counting" in (one, other) else "counting"
        found = _compare_pair((one, other, third), deals, seed)
        cells = " | ".join(f"{value:.2f}" for value in found)
        error = ((1 + found.max() ** 2 / 2) / deals) ** 0.5
        lines.append(f"| {one}, {other} | {deals} | {cells} | {error:.2f} |")
        tell(lines[-1])
    return Survey(f"Which points say most, {deals} deals in six seatings", [], lines)


def _compare_pair(names: tuple[str, ...], deals: int, seed: int) -> FloatArray:
    """By measure: the mean difference of the first two over its standard deviation, a deal being one observation."""
    rng, rows = Random(seed), []
    for block in range(deals):
        matches = [_measure_match(line, names) for line in play_block(names, rng.randbytes(32), block, 6)]
        rows.append(np.mean(matches, axis=0))
    differences = np.array(rows)
    spread = differences.std(axis=0, ddof=1)
    return np.divide(differences.mean(axis=0), spread, out=np.zeros(len(MEASURES)), where=spread > 0)


def _measure_match(line: dict[str, Any], names: tuple[str, ...]) -> list[float]:
    seats = [line["sides"].index([name]) for name in names[:2]]
    places = np.array(line["places"])
    level = (places[:, None] == places[None, :]).sum(axis=1)
    wins = (places == 1) / level
    points = 3 - places - (level - 1) / 2
    columns = (wins, points, np.array(line["nuggets"]), np.array(line["totals"]))
    return [float(column[seats[0]] - column[seats[1]]) for column in columns]


def measure_calibration(*, deals: int, names: str, seed: int) -> Survey:
    """Half of the deals teach, the other half judge."""
    chosen = tuple(names.split(",")) if names else POOL
    train, judge = _play_pool(chosen, deals, seed), _play_pool(chosen, deals, seed + 1)
    fit = fit_pool(train)
    plain = _fit_logit(train, len(chosen))
    won, chances = find_outcomes(judge), win_chances(fit.theta[judge.sides[:, :, 0]])
    loss = log_loss(won, chances)
    reference = log_loss(won, win_chances(plain[judge.sides[:, :, 0]]))
    worst, lines = _bin_chances(won, chances)
    lines.append(f"log loss {loss:.4f}, of a logit of wins alone {reference:.4f}; one chance for all {np.log(3):.4f}")
    figures = [
        Figure("official rating", "log loss of held-out winners", loss, "", at_most(reference + 0.0005)),
        Figure("logit of wins alone", "log loss of held-out winners", reference),
        Figure("official rating", "worst of ten bins", worst, "points", at_most(3.0)),
        Figure("second places", "say, of a win", fit.second),
    ]
    return Survey(f"Calibration: {', '.join(chosen)}; {3 * deals} matches to learn, as many to judge", figures, lines)


def _play_pool(names: Sequence[str], deals: int, seed: int) -> PoolTables:
    rng, sides, places, blocks = Random(seed), [], [], []
    for block in range(deals):
        for line in play_block(tuple(rng.sample(list(names), 3)), rng.randbytes(32), block, 3):
            sides.append([[names.index(side[0])] for side in line["sides"]])
            places.append(line["places"])
            blocks.append(block)
    return PoolTables(
        np.arange(len(names)), np.array(sides, dtype=np.int32), np.array(places, dtype=np.int8), np.array(blocks)
    )


def measure_levels(*, deals: int, names: str, seed: int) -> Survey:
    """The levels people choose from on the site's rating scale, at three; how unlike the steps between them are."""
    chosen = tuple(names.split(","))
    fit = fit_pool(_play_pool(chosen, deals, seed))
    anchor = chosen.index("counting") if "counting" in chosen else None
    told = fit.strengths(anchor)
    figures, before = [], None
    for row, name in enumerate(chosen):
        strength = told[row]
        low, value, high = (
            ANCHOR_NUMBER + POINTS_PER_UNIT * part for part in (strength.low, strength.value, strength.high)
        )
        step = "" if before is None else f", {value - before:.0f} above the one before"
        figures.append(Figure(name, f"rating, {low:.0f} to {high:.0f}{step}", value))
        before = value
    return Survey(f"Levels for people; {3 * deals} matches of three", figures, [])


def find_outcomes(tables: PoolTables) -> FloatArray:
    first = tables.places == 1
    shared: FloatArray = first / first.sum(axis=1, keepdims=True)
    return shared


def win_chances(strengths: FloatArray) -> FloatArray:
    power = np.exp(strengths - strengths.max(axis=1, keepdims=True))
    chances: FloatArray = power / power.sum(axis=1, keepdims=True)
    return chances


def log_loss(won: FloatArray, chances: FloatArray) -> float:
    return float(-(won * np.log(chances)).sum(axis=1).mean())


def _fit_logit(tables: PoolTables, players: int) -> FloatArray:
    """Strengths that make the winners most likely, nothing else believed but that they are finite."""
    seats, won = tables.sides[:, :, 0], find_outcomes(tables)

    def cost(theta: FloatArray) -> float:
        return log_loss(won, win_chances(theta[seats])) * len(won) + 0.5 * float(theta @ theta) / 100

    found: FloatArray = scipy.optimize.minimize(cost, np.zeros(players), method="BFGS").x
    return found


def _bin_chances(won: FloatArray, chances: FloatArray) -> tuple[float, list[str]]:
    """Ten bins with as many seats each: the chance told, and how often it came true."""
    order = np.argsort(chances.ravel())
    lines, worst = ["| chance told % | came true % | seats |", "|---|---|---|"], 0.0
    for rows in np.array_split(order, BINS):
        told, came = 100 * chances.ravel()[rows].mean(), 100 * won.ravel()[rows].mean()
        worst = max(worst, abs(told - came))
        lines.append(f"| {told:.1f} | {came:.1f} | {len(rows)} |")
    return worst, lines
