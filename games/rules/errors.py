"""The errors of the rules, by codes that docs/RULES.md has: illegal actions and why, records that do not hold."""

from typing import TYPE_CHECKING, NoReturn

from games.rules.actions import (
    ACTIONS,
    BID,
    CHANGE,
    GOLD,
    KEEP,
    OVER,
    PHASE_NAMES,
    PLAY,
    STOP,
    SWAP,
    legal_texts,
    number_text,
    split_swap,
)
from games.rules.cards import CARD_NAMES, SUIT_LETTERS, gold_ranks, names_in

if TYPE_CHECKING:
    from games.rules.round import Round

ERROR_CODES = {
    "round_over": "the round has ended; no action is awaited",
    "not_your_turn": "another seat is to act",
    "not_an_action": "the text or number is no action at all",
    "wrong_phase": "such an action exists, but not in this phase of the round",
    "bid_already_laid": "this seat has laid its bid",
    "card_not_in_hand": "the card is not in the hand",
    "gold_not_owned": "no gold of that rank is in the collection",
    "gold_cannot_lead": "a trick is never led with gold",
    "suit_in_trick": "the suit is in the trick already: you must not follow suit",
    "must_play": "a base metal can be played, so the round cannot be stopped",
    "not_your_bid": "only your own bid, or your partner's, can be changed",
}


class IllegalAction(ValueError):
    """An action refused; the state is as it was."""

    def __init__(self, code: str, message: str, position: str, legal: tuple[str, ...]) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.position = position
        self.legal = legal

    def __str__(self) -> str:
        return f"{self.code}: {self.message} Position: {self.position}"


FAULT_CODES = {
    "not_json": "the text is no JSON, or says a key twice",
    "line_too_long": "the line is longer than any record",
    "bad_archive": "the archive or a file in it cannot be unpacked, or unpacks to far more than it holds",
    "not_a_record": "the JSON is no match record of a version we know",
    "missing_key": "a key that every record has is missing",
    "wrong_type": "a value has another type than the record format gives it",
    "unknown_ruleset": "there is no such ruleset",
    "not_a_card": "a text is no card, or gold where only base metals can be",
    "wrong_number_of_cards": "hands, cards set aside or bids are not as many as the ruleset deals",
    "card_twice": "a card is dealt twice in one round",
    "card_not_in_game": "a card is dealt that the ruleset leaves out",
    "bad_seed": "the seed is not 64 hexadecimal digits",
    "wrong_deal": "the seed given deals other cards, or another first seat",
    "wrong_first_seat": "the first seat of a round is not the next one clockwise",
    "wrong_leader": "the leader of a trick is not who played the lowest base metal before",
    "bid_change_out_of_turn": "a bid change by a seat that cannot change a bid now, or not in this order",
    "too_many_plays": "a trick has more cards than the table has seats",
    "missing_plays": "a trick ends before it is full, and the round does not end there",
    "missing_tricks": "the tricks end before the round does",
    "trailing_tricks": "tricks, or cards of one, after the round has ended",
    "wrong_winner": "the trick was won by another seat",
    "wrong_gold_to": "another seat played the lowest base metal",
    "wrong_gold": "another gold was collected, or none",
    "wrong_end": "the round ended for another reason, or by another seat",
    "wrong_scores": "the scores of the round are others",
    "wrong_winners": "the nuggets of the round go to others",
    "missing_rounds": "the rounds end before the match does",
    "trailing_rounds": "rounds after the match was over",
    "wrong_places": "the places are others",
    "wrong_nuggets": "the nuggets of the match are others",
    "wrong_totals": "the totals of the match are others",
    "wrong_lots": "lots decided, and the record says no; or the other way round",
    "wrong_commitment": "the commitment is not the SHA-256 of the seed",
    "wrong_parts": "the seed does not follow from the parts it is said to be mixed from",
    "wrong_forfeits": "the forfeits do not name seats of the table",
    "not_a_transcript": "a line of the text notation cannot be read",
}


class RecordFault(ValueError):
    """What is wrong with a record, and where in the match."""

    def __init__(self, code: str, place: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.place = place
        self.message = message

    def __str__(self) -> str:
        return f"{self.place}: {self.code}: {self.message}"


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
