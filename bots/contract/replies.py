"""Reading a bot's answer to a question: the one legal action it names, or what is wrong with it."""

from collections.abc import Mapping
from typing import Any

from games.rules.actions import ACTIONS, BID_OF, CHANGE, GOLD, KEEP, SWAP, split_swap
from games.rules.notation import NotAnAction, number_text, parse_action
from games.rules.view import View

SHOWN = 12


class ContractError(ValueError):
    """An answer that cannot be taken; `verdict` is `protocol` for its form and `illegal` for its action."""

    def __init__(self, verdict: str, sentence: str) -> None:
        super().__init__(sentence)
        self.verdict = verdict


def read_action(payload: Mapping[str, Any], view: View) -> int:
    """The action that an answer such as {"action": "play B7"} names."""
    text = payload.get("action")
    if not isinstance(text, str):
        raise ContractError("protocol", 'An answer is an object with the key "action" and a text, such as "play B7".')
    try:
        phase, action = parse_action(text)
    except NotAnAction as error:
        raise ContractError("illegal", f"{error} {_tell_legal(view)}") from None
    if phase != view.phase or not _is_legal(view, action):
        raise ContractError("illegal", f"{text!r} cannot be done now. {_tell_legal(view)}")
    return action


def read_number(number: int, view: View) -> int:
    """The action that a bot answers by its number, as one that reads blocks does."""
    is_change = view.phase == CHANGE
    in_phase = number == KEEP or SWAP <= number < ACTIONS if is_change else 0 <= number <= KEEP
    if not in_phase or not _is_legal(view, number):
        shown = number_text(number) if 0 <= number < ACTIONS else "no action at all"
        raise ContractError("illegal", f"{number} ({shown}) cannot be done now. {_tell_legal(view)}")
    return number


def _is_legal(view: View, action: int) -> bool:
    """By the mask: writing out every bid change would cost more than the rest of the decision."""
    if action >= SWAP:
        gold, bid_of, card = split_swap(action)
        return all(view.legal >> bit & 1 for bit in (GOLD + gold, BID_OF + bid_of, card))
    return view.phase == CHANGE or bool(view.legal >> action & 1)


def _tell_legal(view: View) -> str:
    legal = view.legal_texts()
    more = f" and {len(legal) - SHOWN} more" if len(legal) > SHOWN else ""
    return f"Legal: {', '.join(legal[:SHOWN])}{more}."
