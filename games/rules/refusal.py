"""Why an action is refused: the code, a sentence, and the position as the seat itself may see it."""

from typing import TYPE_CHECKING, NoReturn

from games.rules.actions import ACTIONS, BID, CHANGE, GOLD, KEEP, OVER, PHASE_NAMES, PLAY, STOP, SWAP, split_swap
from games.rules.cards import CARD_NAMES, SUIT_LETTERS, gold_ranks, names_in
from games.rules.errors import IllegalAction
from games.rules.notation import legal_texts, number_text

if TYPE_CHECKING:
    from games.rules.round import Round


def refuse(round_: "Round", seat: int, action: int) -> NoReturn:
    code, sentence = _reason(round_, seat, action)
    raise refusal(round_, seat, code, sentence)


def refusal(round_: "Round", seat: int, code: str, sentence: str) -> IllegalAction:
    """The error to raise, with what `seat` may know of the position and what it may do."""
    is_awaited = seat == round_.turn or (round_.players == 3 and round_.phase == BID and round_.bids[seat] < 0)
    legal = round_.legal if seat == round_.turn else round_.hands[seat]
    texts = legal_texts(round_.phase, legal) if is_awaited and round_.phase != OVER else ()
    return IllegalAction(code, sentence, position_text(round_, seat), texts)


def position_text(round_: "Round", seat: int) -> str:
    """One line: phase, trick so far, own hand, own gold, own bid."""
    trick = " ".join(CARD_NAMES[card] for card in list(round_.trick)[: round_.trick_length]) or "-"
    bid = round_.bids[seat]
    gold = " ".join(f"G{rank}" for rank in gold_ranks(round_.golds[seat])) or "-"
    hand = " ".join(names_in(round_.hands[seat])) or "-"
    return (
        f"{PHASE_NAMES[round_.phase]}, trick {round_.trick_number} [{trick}], seat {seat}: "
        f"hand [{hand}], gold [{gold}], bid {CARD_NAMES[bid] if bid >= 0 else '-'}"
    )


def _reason(round_: "Round", seat: int, action: int) -> tuple[str, str]:
    text = number_text(action)
    if round_.phase == OVER:
        return "round_over", "The round is over."
    if not 0 <= action < ACTIONS or KEEP < action < SWAP:
        return "not_an_action", f"{text} does not exist."
    if round_.phase == BID:
        return _bid_reason(round_, seat, action, text)
    if seat != round_.turn:
        return "not_your_turn", f"Seat {round_.turn} is to act, not seat {seat}."
    if round_.phase == CHANGE:
        return _change_reason(round_, seat, action)
    return _play_reason(round_, seat, action, text)


def _bid_reason(round_: "Round", seat: int, action: int, text: str) -> tuple[str, str]:
    if round_.bids[seat] >= 0:
        return "bid_already_laid", f"Seat {seat} has laid its bid."
    if seat != round_.turn and round_.players == 4:
        return "not_your_turn", f"Seat {round_.turn} is to bid, not seat {seat}."
    if action >= GOLD:
        return "wrong_phase", f"A bid is a base metal from the hand, not {text}."
    return "card_not_in_hand", f"{text} is not in the hand of seat {seat}."


def _change_reason(round_: "Round", seat: int, action: int) -> tuple[str, str]:
    if action < SWAP:
        return "wrong_phase", "Before a trick a seat keeps the bids or swaps one; nobody plays a card yet."
    gold, bid_of, card = split_swap(action)
    if not round_.golds[seat] >> (GOLD + gold) & 1:
        return "gold_not_owned", f"Seat {seat} has no G{gold} to spend."
    if not round_.hands[seat] >> card & 1:
        return "card_not_in_hand", f"{CARD_NAMES[card]} is not in the hand of seat {seat}."
    return "not_your_bid", f"Seat {seat} cannot change the bid of seat {bid_of}."


def _play_reason(round_: "Round", seat: int, action: int, text: str) -> tuple[str, str]:
    if action >= SWAP:
        return "wrong_phase", "A bid can be changed before the first card of a trick, not now."
    is_lead = round_.trick_length == 0
    if action == STOP:
        return "must_play", f"Seat {seat} can play a base metal and so must play a card."
    if action >= GOLD:
        if not round_.golds[seat] >> action & 1:
            return "gold_not_owned", f"Seat {seat} has no {text}."
        assert is_lead and round_.phase == PLAY
        return "gold_cannot_lead", "The leader plays a base metal; gold is never led."
    if not round_.hands[seat] >> action & 1:
        return "card_not_in_hand", f"{text} is not in the hand of seat {seat}."
    return "suit_in_trick", f"Suit {SUIT_LETTERS[action // 10]} is in the trick already, so {text} cannot be played."
