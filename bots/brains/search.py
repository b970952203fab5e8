"""The brain that searches: it samples hidden hands, plays each out many times, and does what did best."""

from bots.brains.chance import decision_chance
from bots.brains.tree import Tree
from games.rules.actions import CHANGE, KEEP, legal_actions, split_swap
from games.rules.cards import rank_of
from games.rules.view import View

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
