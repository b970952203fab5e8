"""The errors of the rules: actions that are illegal and records that do not hold, by codes that docs/RULES.md has."""

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
