"""What scores are worth beside wins: how well winners of held-out matches are foretold, with scores and without.

`aurum bench scores --names counting,counting-5,greedy --deals 2000` plays a pool with the real engine (`--file` takes
matches that were played before, as `aurum rate` reads them). Two fifths of the deals are held out. From the others so
many are drawn that everybody has a number of matches, again and again, and fitted with scores and without; what counts
is the log loss of who wins beyond that of a fit to all of them, in thousandths.
"""

import json
from pathlib import Path
from random import Random

import numpy as np

from benchmarks.points import POOL, find_outcomes, log_loss, play_block, win_chances
from benchmarks.report import Figure, Survey, at_most, tell
from tournaments.rules.ratings.fit import PoolFit, fit_pool
from tournaments.rules.ratings.likelihood import IntArray, PoolTables

SIZES = (6, 12, 24, 48, 96, 200)
HELD_OUT = 0.4


def read_matches(lines: list[str]) -> tuple[list[str], PoolTables]:
    """The names and the tables of matches at tables of three, with what each side scored."""
    names: dict[str, int] = {}
    rows = [json.loads(line) for line in lines]
    sides = [[[names.setdefault(name, len(names)) for name in side] for side in row["sides"]] for row in rows]
    blocks = np.unique([row["block"] for row in rows], return_inverse=True)[1]
    places, scores = (np.array([row[column] for row in rows]) for column in ("places", "totals"))
    tables = PoolTables(
        np.arange(len(names)), np.array(sides, np.int32), places.astype(np.int8), blocks, None, scores.astype(float)
    )
    return list(names), tables


def play_pool(names: list[str], deals: int, seed: int) -> list[str]:
    rng = Random(seed)
    played = (play_block(tuple(rng.sample(names, 3)), rng.randbytes(32), block, 3) for block in range(deals))
    return [json.dumps(line) for lines in played for line in lines]


def pick_matches(tables: PoolTables, rows: IntArray, *, with_scores: bool = True) -> PoolTables:
    scores = tables.scores[rows] if with_scores and tables.scores is not None else None
    return PoolTables(tables.players, tables.sides[rows], tables.places[rows], tables.blocks[rows], None, scores)


def judge(held_out: PoolTables, fit: PoolFit) -> float:
    """The log loss of who wins these matches."""
    return log_loss(find_outcomes(held_out), win_chances(fit.theta[held_out.sides[:, :, 0]]))


def measure_scores(*, names: str, file: str, deals: int, draws: int, seed: int) -> Survey:
    pool = names.split(",") if names else list(POOL)
    chosen, tables = read_matches(Path(file).read_text().splitlines() if file else play_pool(pool, deals, seed))
    rng = np.random.default_rng(seed)
    order = rng.permutation(int(tables.blocks.max()) + 1)
    cut = int(HELD_OUT * len(order))
    held_out = pick_matches(tables, np.flatnonzero(np.isin(tables.blocks, order[:cut])))
    taught = pick_matches(tables, np.flatnonzero(~np.isin(tables.blocks, order[:cut])), with_scores=False)
    least = judge(held_out, fit_pool(taught))
    rows, figures = ["| matches a player | wins | wins and scores | error of the difference |", "|---|---|---|---|"], []
    for size in SIZES:
        count = max(round(size * len(chosen) / 9), 2)
        lost = []
        for _ in range(draws):
            drawn = np.flatnonzero(np.isin(tables.blocks, rng.choice(order[cut:], count, replace=False)))
            fits = (fit_pool(pick_matches(tables, drawn, with_scores=scored)) for scored in (False, True))
            lost.append([1000 * (judge(held_out, fit) - least) for fit in fits])
        found = np.array(lost)
        wins, scored = found.mean(axis=0).tolist()
        error = float((found[:, 1] - found[:, 0]).std(ddof=1)) / draws**0.5
        rows.append(f"| {size} | {wins:.1f} | {scored:.1f} | {error:.1f} |")
        tell(rows[-1])
        figures.append(Figure(f"{size} matches", "log loss with scores", scored, "/1000", at_most(wins + 2 * error)))
    title = f"Wins alone, and with scores: {', '.join(chosen)}; {len(tables.blocks)} matches, {draws} draws"
    return Survey(title, figures, [*rows, f"log loss of a fit to all: {least:.4f}"])
