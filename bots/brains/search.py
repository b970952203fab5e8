"""The brain that searches: it samples hidden hands, plays each out many times, and does what did best.

Each playout samples the hidden hands anew and walks the one tree over what a seat knows. Nodes are rows of arrays, and
a playout adds at most one. The tree holds cards that are played, and bids at four; all other decisions, and all below
its leaves, are the counting policy's. Compiles with search.pxd.
"""

from array import array
from math import log, sqrt

from bots.brains.counting import choose_action
from bots.brains.sampling import HandSampler, decision_chance
from bots.brains.stakes import Stakes
from bots.brains.tally import Tally
from games.rules.actions import BID, CHANGE, KEEP, OVER, legal_actions, split_swap
from games.rules.cards import rank_of
from games.rules.playout import Chance
from games.rules.round import Round
from games.rules.view import View

NONE = -1
ONE = 1
ROOT = 0
MAX_DEPTH = 64
EXPLORATION = 0.7
# How far the mean worth of the policy's own choice is raised after one playout; it fades as playouts come in.
TRUST = 0.5
MAX_PLAYOUTS = 1 << 14
ROOTS = array("d", [sqrt(count) for count in range(MAX_PLAYOUTS + 1)])
BREADTHS = array("d", [sqrt(log(max(count, 1))) for count in range(MAX_PLAYOUTS + 1)])


class Tree:
    """A search from one view; `actions` are those worth trying at its root."""

    def __init__(self, view: View, actions: "list[int]", playouts: int, chance: Chance) -> None:
        self.view = view
        self.seat = view.seat
        self.players = view.players
        self.sides = view.ruleset.sides
        self.gone = view.set_aside
        self.chance = chance
        self.tally = Tally()
        self.sampler = HandSampler(view)
        self.stakes = Stakes(view)
        self.exploration = EXPLORATION
        self.trust = TRUST
        self.playouts = min(playouts, MAX_PLAYOUTS // 2)
        room = self.playouts + 16 * len(actions) + 1
        self.action = array("i", [NONE]) * room
        self.child = array("i", [NONE]) * room
        self.sibling = array("i", [NONE]) * room
        self.visits = array("i", [0]) * room
        self.chances = array("i", [0]) * room
        self.value = array("d", [0.0]) * room
        self.path = array("i", [0]) * MAX_DEPTH
        self.movers = array("i", [0]) * MAX_DEPTH
        self.secret_bids = [NONE, NONE, NONE, NONE]
        self.count = 1
        for action in reversed(actions):
            self.add_child(ROOT, action)
        self.alive = list(range(1, self.count))
        blind = [0, 0, 0, 0]
        blind[view.seat] = view.hand
        self.favourite = choose_action(self.tally, view.imagine(blind), view.seat, self.gone)

    def add_child(self, parent: int, action: int) -> int:
        node = self.count
        self.count += 1
        self.action[node] = action
        self.sibling[node] = self.child[parent]
        self.child[parent] = node
        return node

    def grow(self) -> None:
        """Spend the playouts by sequential halving: each phase tries the actions left alike, then drops the worse half.

        All actions of a phase meet the same sampled hands, so that luck of the deal does not part them.
        """
        phases = max(1, (len(self.alive) - 1).bit_length())
        for _phase in range(phases):
            for _world in range(max(1, self.playouts // (phases * len(self.alive)))):
                hands = self.sampler.deal(self.chance)
                if self.view.phase == BID and self.players == 3:
                    self.guess_bids(self.view.imagine(hands))
                for node in self.alive:
                    self.play_once(self.view.imagine(hands), node)
            self.alive.sort(key=self.rank, reverse=True)
            del self.alive[(len(self.alive) + 1) // 2 :]

    def guess_bids(self, round_: Round) -> None:
        """What the others would bid on these hands, before any bid is laid: three bid in secret."""
        for seat in range(self.players):
            if seat != self.seat:
                self.secret_bids[seat] = self.choose_bid(round_, seat)

    def choose_bid(self, round_: Round, seat: int) -> int:
        return choose_action(self.tally, round_, seat, self.gone)

    def rank(self, node: int) -> float:
        """The mean worth of an action; the policy's own choice is trusted a little more while playouts are few."""
        mean = self.value[node] / self.visits[node]
        return mean + self.trust / ROOTS[self.visits[node]] if self.action[node] == self.favourite else mean

    def play_once(self, round_: Round, node: int) -> None:
        """One playout through a root action: down the tree, one node more, to the end, and the worth back up."""
        self.path[0] = node
        self.movers[0] = self.seat % self.sides
        depth = 1
        self.apply_root(round_, self.action[node])
        is_inside = self.visits[node] > 0
        while round_.phase != OVER:
            if round_.phase == CHANGE:
                round_.apply(choose_action(self.tally, round_, round_.turn, self.gone))
                continue
            if not is_inside:
                break
            self.movers[depth] = round_.turn % self.sides
            node = self.select(node, round_)
            self.path[depth] = node
            depth += 1
            is_inside = self.visits[node] > 0 and depth < MAX_DEPTH
            round_.apply(self.action[node])
        self.finish(round_)
        for place in range(depth):
            node = self.path[place]
            self.visits[node] += 1
            self.value[node] += self.stakes.worth[self.movers[place]]

    def finish(self, round_: Round) -> None:
        """Set what a position below the tree is worth to each side: the round is played to its end."""
        while round_.phase != OVER:
            round_.apply(choose_action(self.tally, round_, round_.turn, self.gone))
        self.stakes.measure(round_)

    def apply_root(self, round_: Round, action: int) -> None:
        if round_.phase != BID or self.players == 4:
            round_.apply(action)
        else:
            self.secret_bids[self.seat] = action
            for seat in range(3):
                round_.lay_bid(seat, self.secret_bids[seat])

    def select(self, parent: int, round_: Round) -> int:
        """The child to walk to among those legal in this sample; a new one for an action never tried here."""
        untried = round_.legal
        best = NONE
        best_score = -1000.0
        node = self.child[parent]
        while node != NONE:
            if round_.legal >> self.action[node] & ONE:
                untried &= ~(ONE << self.action[node])
                self.chances[node] += 1
                score = self.value[node] / self.visits[node]
                score += self.exploration * BREADTHS[self.chances[node]] / ROOTS[self.visits[node]]
                if score > best_score:
                    best_score = score
                    best = node
            node = self.sibling[node]
        if untried:
            action = choose_action(self.tally, round_, round_.turn, self.gone)
            if not untried >> action & ONE:
                action = self.chance.pick(untried)
            best = self.add_child(parent, action)
            self.chances[best] = 1
        return best

    def best_action(self) -> int:
        node = self.alive[0]
        return self.action[node]

    def weigh_all(self, worlds: int) -> "dict[int, list[float]]":
        """For each action at the root the mean worth to every side, played out on the same sampled hands."""
        sums = {self.action[node]: [0.0] * self.sides for node in self.alive}
        for _world in range(worlds):
            hands = self.sampler.deal(self.chance)
            if self.view.phase == BID and self.players == 3:
                self.guess_bids(self.view.imagine(hands))
            for node in self.alive:
                round_ = self.view.imagine(hands)
                self.apply_root(round_, self.action[node])
                self.finish(round_)
                own = sums[self.action[node]]
                for side in range(self.sides):
                    own[side] += self.stakes.worth[side] / worlds
        return sums

    def opinions(self) -> "list[tuple[int, int, float]]":
        """For each action at the root: visits, and the mean worth of its playouts."""
        found = []
        node = self.child[ROOT]
        while node != NONE:
            visits = self.visits[node]
            found.append((self.action[node], visits, self.value[node] / visits if visits else 0.0))
            node = self.sibling[node]
        return found


PLAYOUTS = {"search-1": 60, "search-2": 400, "search-3": 2400}


class SearchBrain:
    """Plays about `playouts` futures before every decision that leaves a choice."""

    def __init__(self, seed: int, playouts: int) -> None:
        self.seed = seed
        self.playouts = playouts

    def choose(self, view: View) -> int:
        actions = worthwhile_actions(view)
        if len(actions) == 1:
            return actions[0]
        tree = grow_tree(view, actions, self.seed, self.playouts)
        return tree.best_action()


def grow_tree(view: View, actions: list[int], seed: int, playouts: int) -> Tree:
    tree = Tree(view, actions, playouts, decision_chance(seed, view))
    tree.grow()
    return tree


def explain(view: View, seed: int, level: str) -> list[tuple[int, float]]:
    """The opinion of a level of the search (`search-1`…) on every legal action, best first.

    A value is the chance to win the match, with the points of the round as a small part.
    """
    actions = list(legal_actions(view.phase, view.legal))
    tree = grow_tree(view, actions, seed, max(PLAYOUTS[level], 4 * len(actions)))
    return sorted(((action, value) for action, _, value in tree.opinions()), key=lambda pair: -pair[1])


def weigh_for_all(view: View, seed: int, actions: list[int], worlds: int) -> dict[int, list[float]]:
    """What each of these actions is worth to every side: whom a decision helps, and whom it costs."""
    return Tree(view, actions, worlds, decision_chance(seed, view)).weigh_all(worlds)


def worthwhile_actions(view: View) -> list[int]:
    """The legal actions, but of bid changes only those that pay the cheapest gold and make another bid of the side."""
    actions = list(legal_actions(view.phase, view.legal))
    if view.phase != CHANGE:
        return actions
    cheapest = min(split_swap(action)[0] for action in actions if action != KEEP)
    return [KEEP] + [action for action in actions if action != KEEP and _changes_bid(view, action, cheapest)]


def _changes_bid(view: View, action: int, cheapest: int) -> bool:
    gold, bid_of, card = split_swap(action)
    if gold != cheapest:
        return False
    seats = range(view.seat % view.ruleset.sides, view.players, view.ruleset.sides)
    now = [rank_of(view.bids[seat]) for seat in seats]
    then = [rank_of(card if seat == bid_of else view.bids[seat]) for seat in seats]
    return max(now) != max(then)
