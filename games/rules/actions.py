"""Actions as small ints, shared by everything that asks for, checks or tells them.

0 to 49 lays or plays a base metal, 50 to 58 plays gold of rank 0 to 8, 59 keeps the bids (before a trick) or stops the
round (instead of playing gold), and from 64 on an action is a bid change: 64 + (gold * 4 + bid_of) * 50 + card.

A mask of legal actions uses the bits below 64. In the bid-change window it is read as a product: any gold it holds, for
any seat whose bid it holds (bits 60 to 63), against any card it holds; or KEEP.
"""

import re
from collections.abc import Iterator

from games.rules.cards import CARD_BY_NAME, CARD_NAMES, GOLD_MASK, cards_in

BID, CHANGE, PLAY, OVER = range(4)
PHASE_NAMES = ("bid", "change", "play", "over")

NO_LEAD, NO_PLAY, DECLINED_GOLD = 1, 2, 3
END_NAMES = ("", "no_lead", "no_play", "declined_gold")

GOLD = 50
KEEP = STOP = 59
BID_OF = 60
SWAP = 64
ACTIONS = SWAP + 9 * 4 * 50

NOBODY = -1
"""The seat of a watcher, who sees what everybody sees."""


def swap_action(gold: int, bid_of: int, card: int) -> int:
    """Spend gold of rank `gold` so that the bid of seat `bid_of` becomes `card`."""
    return SWAP + (gold * 4 + bid_of) * 50 + card


def split_swap(action: int) -> tuple[int, int, int]:
    """The gold, the seat whose bid it is, and the card of a bid change."""
    code = action - SWAP
    return code // 200, code // 50 % 4, code % 50


def legal_actions(phase: int, legal: int) -> Iterator[int]:
    """Every action a mask allows, in a fixed order; none for a seat that is not to act, whose mask is empty."""
    if phase != CHANGE or not legal:
        yield from cards_in(legal)
        return
    yield KEEP
    cards = list(cards_in(legal & ((1 << GOLD) - 1)))
    owners = [seat for seat in range(4) if legal >> (BID_OF + seat) & 1]
    for gold in cards_in(legal & GOLD_MASK):
        for bid_of in owners:
            for card in cards:
                yield swap_action(gold - GOLD, bid_of, card)


_SWAP = re.compile(r"swap G([0-8]) ([0-3]) ([BCPSZ](?:10|[1-9]))")


class NotAnAction(ValueError):
    """A text that is no action in any phase."""


def action_text(phase: int, action: int) -> str:
    """An action as text, in the phase in which it is done."""
    if phase == BID:
        return f"bid {CARD_NAMES[action]}"
    if phase == CHANGE:
        if action == KEEP:
            return "keep"
        gold, bid_of, card = split_swap(action)
        return f"swap G{gold} {bid_of} {CARD_NAMES[card]}"
    return "stop" if action == KEEP else f"play {CARD_NAMES[action]}"


def parse_action(text: str) -> tuple[int, int]:
    """The phase and the action that a text names."""
    if text == "keep":
        return CHANGE, KEEP
    if text == "stop":
        return PLAY, KEEP
    swap = _SWAP.fullmatch(text)
    if swap:
        return CHANGE, swap_action(int(swap[1]), int(swap[2]), CARD_BY_NAME[swap[3]])
    verb, _, name = text.partition(" ")
    card = CARD_BY_NAME.get(name)
    if verb == "play" and card is not None:
        return PLAY, card
    if verb == "bid" and card is not None and card < GOLD:
        return BID, card
    examples = "bid B7, keep, swap G0 2 Z4, play B7, play G3, stop"
    raise NotAnAction(f"{text[:40]!r} is no action. Actions look like: {examples}.")


def legal_texts(phase: int, legal: int) -> tuple[str, ...]:
    return tuple(action_text(phase, action) for action in legal_actions(phase, legal))


def number_text(action: int) -> str:
    """An action's number in words, where its phase is not known."""
    if 0 <= action < GOLD + 9:
        return CARD_NAMES[action]
    if action == KEEP:
        return "keep or stop"
    return action_text(CHANGE, action) if SWAP <= action < SWAP + 1800 else f"action {action}"
