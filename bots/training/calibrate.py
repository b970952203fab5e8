"""Measure the scale of the chance to win, and how true it is of matches it was not measured on.

`python -m bots.training.calibrate 3 --matches 8000 --out bots/brains/weights` plays `learnt` against itself, writes the
scale from the first half of the matches and prints ten bins of the second half.
"""

import argparse
from pathlib import Path

import numpy as np

from bots.brains.learnt import LearntPolicy, best_value
from bots.brains.net import load_net
from bots.training.fit import write_whole
from games.rules.match import Match
from games.rules.playout import Chance
from games.rules.ruleset import SCORINGS, Ruleset, all_rulesets
from games.rules.view import view

STEPS = 24
ASKED = 6
"""One decision in so many is asked about."""


def gather(policy: LearntPolicy, rulesets: list[Ruleset], matches: int, seed: int) -> np.ndarray:
    """Rows of value and share of the first place that came of it."""
    draw = np.random.default_rng(seed)
    chance = Chance(seed + 1)
    rows: list[tuple[float, float]] = []
    for _ in range(matches):
        match = Match(rulesets[chance.below(len(rulesets))], draw.bytes(32))
        asked: list[tuple[int, float]] = []
        while match.result is None:
            seat = match.round.turn
            value = best_value(policy, view(match, seat))
            best = max(range(policy.count), key=lambda place: policy.values[place])
            if chance.below(ASKED) == 0:
                asked.append((seat % match.ruleset.sides, value))
            match.apply(seat, policy.actions[best])
        first = match.result.places[0]
        rows += [(value, 1 / len(first) if side in first else 0.0) for side, value in asked]
    return np.array(rows)


def fit_scale(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Values and the shares they stand for, in steps of equally many rows, rising."""
    order = rows[np.argsort(rows[:, 0], kind="stable")]
    parts = np.array_split(order, STEPS)
    blocks = [[float(part[:, 0].mean()), float(part[:, 1].mean()), 1.0] for part in parts]
    place = 0
    while place < len(blocks) - 1:
        one, two = blocks[place], blocks[place + 1]
        if one[1] <= two[1]:
            place += 1
            continue
        weight = one[2] + two[2]
        blocks[place : place + 2] = [[(one[part] * one[2] + two[part] * two[2]) / weight for part in (0, 1)] + [weight]]
        place = max(0, place - 1)
    return np.array([block[0] for block in blocks]), np.array([block[1] for block in blocks])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("players", type=int, choices=(3, 4))
    parser.add_argument("--matches", type=int, default=8000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    policy = LearntPolicy(load_net(f"learnt{arguments.players}"))
    scale: dict[str, np.ndarray] = {}
    for scoring in SCORINGS:
        rulesets = [one for one in all_rulesets() if one.players == arguments.players and one.scoring == scoring]
        fitted, held = (gather(policy, rulesets, arguments.matches // 4, arguments.seed + part) for part in (0, 1))
        values, shares = fit_scale(fitted)
        scale[f"{scoring}_values"], scale[f"{scoring}_shares"] = values, shares
        told = np.interp(held[:, 0], values, shares)
        for part in np.array_split(np.argsort(told, kind="stable"), 10):
            said, came = told[part].mean(), held[part, 1].mean()
            print(f"{scoring} {len(part)} positions: said {100 * said:.1f} %, came {100 * came:.1f} %, "
                  f"apart {100 * abs(said - came):.1f}", flush=True)  # fmt: skip
    write_whole(arguments.out / f"outlook{arguments.players}.npz", compressed=True, **scale)


if __name__ == "__main__":
    main()
