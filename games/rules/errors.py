"""The errors of the rules, each with a stable code that docs/RULES.md explains."""

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
