"""The brain that plays anything legal: the floor of the ladder."""

from bots.brains.chance import decision_chance
from games.rules.actions import CHANGE, KEEP, legal_actions
from games.rules.view import View


class RandomBrain:
    """Every legal action is equally likely; before a trick, keeping the bids weighs as much as all changes together."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def choose(self, view: View) -> int:
        chance = decision_chance(self.seed, view)
        if view.phase == CHANGE and chance.below(2) == 0:
            return KEEP
        actions = list(legal_actions(view.phase, view.legal))
        return actions[chance.below(len(actions))]
