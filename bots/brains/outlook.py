"""The chance to win the match as a share that comes true: the value of the best action, put on a measured scale.

The scale is measured by bots/training/calibrate.py on matches of `learnt` against itself: it says what share of the
first place came of positions of that value, so it holds among equals.
"""

import numpy as np

from bots.brains.context import describe_match
from bots.brains.learnt import LearntPolicy
from bots.brains.net import load_net, read_weights
from bots.brains.units import VALUE_UNIT
from games.rules.view import View


def best_value(policy: LearntPolicy, view: View) -> float:
    """What the seat to act expects of its best action, in the net's own measure."""
    side = view.seat % view.ruleset.sides
    policy.features.set_context(side, describe_match(view, side))
    hands = [0] * 4
    hands[view.seat] = view.hand
    best = policy.rate(view.imagine(hands), view.seat, view.set_aside)
    return policy.values[best] / VALUE_UNIT


class Outlook:
    """Answers for every table of so many players."""

    def __init__(self, players: int) -> None:
        self.policy = LearntPolicy(load_net(f"learnt{players}"))
        self.scale = read_weights(f"outlook{players}")

    def win_chance(self, view: View) -> float:
        """For the seat that is to act: its side's share of the first place, from 0 to 1."""
        values, shares = (self.scale[f"{view.ruleset.scoring}_{part}"] for part in ("values", "shares"))
        return float(np.interp(best_value(self.policy, view), values, shares))
