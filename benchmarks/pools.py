"""Simulated pools of known strengths: scenarios, who meets whom, and how the matches end."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import scipy

from tournaments.rules.ratings.likelihood import FloatArray, PoolTables

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
        waves = [rng.permutation(players)[: players // sides * sides].reshape(-1, sides) for _ in range(1000)]
        yield np.concatenate(waves)[: scenario.matches // scenario.block]
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
