"""The champion's tree: positions below it are not played out but foretold by a net that sees the sampled hands.

Compiles with foresight.pxd.
"""

from bots.brains.context import describe_match
from bots.brains.features import Features
from bots.brains.learnt import LearntPolicy
from bots.brains.net import Net
from bots.brains.tree import Tree
from bots.brains.units import VALUE_UNIT
from games.rules.actions import OVER
from games.rules.playout import Chance
from games.rules.round import Round
from games.rules.view import View

EXPLORATION = 0.35
TRUST = 0.2


class ForesightTree(Tree):
    """A search from one view with two nets: one foretells whole positions, the other knows what to try first."""

    def __init__(
        self, view: View, actions: "list[int]", playouts: int, chance: Chance, net: Net, policy: LearntPolicy
    ) -> None:
        super().__init__(view, actions, playouts, chance)
        self.net = net
        self.features = Features()
        self.policy = policy
        self.unit = VALUE_UNIT
        for side in range(self.sides):
            told = describe_match(view, side)
            self.features.set_context(side, told)
            self.policy.features.set_context(side, told)
        self.exploration = EXPLORATION
        self.trust = TRUST
        blind = [0, 0, 0, 0]
        blind[view.seat] = view.hand
        self.favourite = self.policy.choose(view.imagine(blind), view.seat, self.gone)

    def choose_bid(self, round_: Round, seat: int) -> int:
        return self.policy.choose(round_, seat, self.gone)

    def finish(self, round_: Round) -> None:
        if round_.phase == OVER:
            self.stakes.measure(round_)
        else:
            self.foretell(round_)

    def foretell(self, round_: Round) -> None:
        self.features.survey(round_)
        self.net.begin(self.features.active, self.features.count)
        self.net.answer(self.features.active, self.features.count, self.features.count)
        for step in range(self.sides):
            self.stakes.worth[(round_.turn + step) % self.sides] = self.net.out[step] / self.unit
