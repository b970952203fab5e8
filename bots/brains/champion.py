"""The champion: it searches as `search` does, but foretells with what it has learnt instead of playing out.

Positions below its tree are foretold by a net that sees the sampled hands. Compiles with champion.pxd.
"""

from bots.brains.belief import Belief
from bots.brains.features import Features
from bots.brains.learnt import LearntPolicy
from bots.brains.net import VALUE_UNIT, Net, load_net
from bots.brains.sampling import decision_chance
from bots.brains.search import Tree, worthwhile_actions
from bots.brains.stakes import describe_match
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


FUTURES = 8000
"""At 3.3 µs a future, where `search` takes 18, that is less time than `search-3` has."""


class ChampionBrain:
    """Looks at about `playouts` futures before every decision that leaves a choice."""

    def __init__(self, seed: int, playouts: int) -> None:
        self.seed = seed
        self.playouts = playouts
        # A belief of hidden hands deals by bids and plays; without one, every deal that fits is as likely as another.
        self.nets: dict[int, tuple[Net, LearntPolicy, Belief | None]] = {}

    def choose(self, view: View) -> int:
        actions = worthwhile_actions(view)
        if len(actions) == 1:
            return actions[0]
        return grow_tree(self, view, actions).best_action()

    def find_nets(self, players: int) -> "tuple[Net, LearntPolicy, Belief | None]":
        if players not in self.nets:
            self.nets[players] = load_net(f"champion{players}"), LearntPolicy(load_net(f"learnt{players}")), None
        return self.nets[players]


def grow_tree(brain: ChampionBrain, view: View, actions: list[int], hands: list[int] | None = None) -> ForesightTree:
    """The search of one decision over these actions; with `hands`, as if all cards lay open."""
    net, policy, belief = brain.find_nets(view.players)
    tree = ForesightTree(view, actions, brain.playouts, decision_chance(brain.seed, view), net, policy)
    if hands is not None:
        tree.sampler.reveal(hands)
    elif belief is not None:
        belief.weigh(view, tree.sampler)
    tree.grow()
    return tree
