"""Actions of the environment, 64 in all, and the rules' own: a bid change is two or three steps, all else is one.

0 to 49 lays or plays a base metal, or gives the card of a bid change; 50 to 58 plays or spends gold; 59 keeps the bids,
or stops the round; 60 + n says whose bid is changed, n places clockwise of the seat: its own (0) or its partner's (2).
"""

from dataclasses import dataclass

from games.learn.layout import CARD_STEP, SPEND_STEP, WHOSE_STEP, find_step
from games.rules.actions import BID_OF, KEEP, swap_action
from games.rules.cards import ALL_METALS, GOLD, GOLD_MASK, cards_in
from games.rules.notation import action_text
from games.rules.view import View

ACTIONS = 64


@dataclass
class Change:
    """A bid change that is being put together: the gold, and the place of the seat whose bid it is; -1 for not yet."""

    spent: int = -1
    whose: int = -1


def legal_mask(view: View, change: Change) -> int:
    """What may be done next, a bit an action; nothing for a seat that is not to act."""
    step = find_step(view.phase, view.players, change.spent, change.whose)
    if step == SPEND_STEP:
        return view.legal & (GOLD_MASK | 1 << KEEP)
    if step == WHOSE_STEP:
        return 1 << BID_OF | 1 << (BID_OF + 2)
    return view.legal & ALL_METALS if step == CARD_STEP else view.legal


def list_actions(view: View, change: Change) -> list[int]:
    return list(cards_in(legal_mask(view, change)))


def to_rules(view: View, change: Change, action: int) -> int | None:
    """The action of the rules that this one completes, or None where a bid change needs another step, noted in it."""
    if not 0 <= action < ACTIONS or not legal_mask(view, change) >> action & 1:
        raise ValueError(f"{action} is not legal now; legal are {list_actions(view, change)}.")
    step = find_step(view.phase, view.players, change.spent, change.whose)
    if step == SPEND_STEP and action != KEEP:
        change.spent = action - GOLD
        return None
    if step == WHOSE_STEP:
        change.whose = action - BID_OF
        return None
    if step != CARD_STEP:
        return action
    bid_of = (view.seat + max(change.whose, 0)) % view.players
    whole = swap_action(change.spent, bid_of, action)
    change.spent = change.whose = -1
    return whole


def to_text(view: View, change: Change, action: int) -> str | None:
    """The same as the text of the bot contract: `play B7`, `swap G0 2 Z4`; None where another step is needed."""
    whole = to_rules(view, change, action)
    return None if whole is None else action_text(view.phase, whole)


def from_rules(seat: int, players: int, action: int) -> list[int]:
    """The steps that make an action of the rules."""
    if action < ACTIONS:
        return [action]
    code = action - ACTIONS
    gold, bid_of, card = code // 200, code // 50 % 4, code % 50
    whose = [BID_OF + (bid_of - seat) % 4] if players == 4 else []
    return [GOLD + gold, *whose, card]
