"""The one text form of actions: `bid B7`, `keep`, `swap G0 2 Z4`, `play B7`, `play G3`, `stop`."""

import re

from games.rules.actions import BID, CHANGE, GOLD, KEEP, PLAY, SWAP, legal_actions, split_swap, swap_action
from games.rules.cards import CARD_BY_NAME, CARD_NAMES

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
