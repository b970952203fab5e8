"""The brains that think least: anything legal, the floor of the ladder, and one that looks at this trick only."""

from bots.brains.sampling import decision_chance
from games.rules.actions import BID, CHANGE, KEEP, STOP, legal_actions
from games.rules.cards import GOLD_MASK, METALS, cards_in, rank_of
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


_METAL_MASK = (1 << METALS) - 1
_STRONG_RANK = 8


class GreedyBrain:
    """Needs no luck; the seed is taken so that every brain is made alike."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def choose(self, view: View) -> int:
        if view.phase == BID:
            return _choose_bid(view)
        if view.phase == CHANGE:
            return KEEP
        return _choose_play(view)


def _choose_bid(view: View) -> int:
    """The card whose rank is nearest to the tricks that the strong cards of the side's hands may win."""
    strong = sum(rank_of(card) >= _STRONG_RANK for card in cards_in(view.hand))
    expected = strong + 1 if view.players == 3 else strong + 2
    return min(cards_in(view.legal), key=lambda card: (abs(rank_of(card) - expected), card))


def _wants_trick(view: View) -> bool:
    seats = range(view.seat % view.ruleset.sides, view.players, view.ruleset.sides)
    bid = max(rank_of(view.bids[seat]) for seat in seats)
    return sum(view.tricks[seat] for seat in seats) < bid


def _choose_play(view: View) -> int:
    metals = sorted(cards_in(view.legal & _METAL_MASK), key=rank_of)
    golds = list(cards_in(view.legal & GOLD_MASK))
    wants = _wants_trick(view)
    if view.trick_length == 0:
        return metals[-1] if wants else metals[0]
    winning_golds = [gold for gold in golds if gold >= view.high_rank]
    winning = [card for card in metals if rank_of(card) >= view.high_rank]
    if wants and winning:
        return winning[0] if view.trick_length == view.players - 1 else winning[-1]
    if wants and winning_golds:
        return winning_golds[0]
    if not metals:
        return STOP
    losing = [card for card in metals if card not in winning]
    return losing[-1] if losing and not wants else metals[0]
