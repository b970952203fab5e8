"""What one seat may see: `view` is the only way from a match to an agent, a page or a stream.

Compiles with view.pxd, because a view is made for every decision.
"""

from typing import Any

from games.rules.actions import BID, NOBODY, PHASE_NAMES, legal_texts
from games.rules.cards import CARD_NAMES, GOLD_COPIES, gold_ranks, names_in
from games.rules.match import FinishedRound, Match
from games.rules.record_shape import tell_finished_round, tell_round
from games.rules.round import Round
from games.rules.ruleset import Ruleset

ONE = 1


class View:
    """A position as one seat sees it (or, for seat -1, as everybody does). Lists are by seat."""

    def __init__(self, match: Match, seat: int) -> None:
        self.cut(match, seat)

    def cut(self, match: Match, seat: int) -> None:
        """Take what this seat may see; a method of its own because only such a one can be given C types."""
        round_ = match.round
        is_secret = match.players == 3 and round_.phase == BID
        self.ruleset: Ruleset = match.ruleset
        self.rounds: list[FinishedRound] = match.rounds
        self.round_count = len(match.rounds)
        self.result = match.result
        self.log = match.log[: match.round_start] if is_secret else match.log
        self.log_start = match.round_start
        self.log_end = match.round_start if is_secret else len(match.log)
        self.trick_ends = match.trick_ends
        self.seat = seat
        self.players = match.players
        self.first = round_.first
        self.phase = round_.phase
        self.leader = round_.leader
        self.turn = round_.turn
        self.trick_number = round_.trick_number
        self.trick_length = round_.trick_length
        self.low_rank = round_.low_rank
        self.low_seat = round_.low_seat
        self.high_rank = round_.high_rank
        self.high_seat = round_.high_seat
        self.asked = round_.asked
        self.supply = round_.supply
        self.played = round_.played
        self.blocked = round_.blocked
        self.set_aside = match.dealt.set_aside
        self.hand = 0
        self.legal = 0
        self.clocks: tuple[int, ...] | None = None
        self.sizes = [0, 0, 0, 0]
        self.golds = [0, 0, 0, 0]
        self.known = [0, 0, 0, 0]
        self.bids = [-1, -1, -1, -1]
        self.tricks = [0, 0, 0, 0]
        self.trick = [0, 0, 0, 0]
        for other in range(match.players):
            self.sizes[other] = round_.sizes[other]
            self.golds[other] = round_.golds[other]
            self.known[other] = round_.known[other]
            self.tricks[other] = round_.tricks[other]
            self.trick[other] = round_.trick[other]
            if not is_secret or other == seat:
                self.bids[other] = round_.bids[other]
        if seat >= 0:
            self.hand = round_.hands[seat]
            if seat == round_.turn:
                self.legal = round_.legal
            elif is_secret and round_.bids[seat] < 0:
                self.legal = round_.hands[seat]
        if is_secret:
            self.turn = seat if self.legal else NOBODY

    def imagine(self, hands: "list[int]") -> Round:
        """A whole round as it would be if the seats held these hands (masks); own hand included.

        While three players bid in secret, nobody is taken to have bid yet but, where it has, this seat itself.
        """
        round_ = Round(self.players, hands, self.first, self.ruleset.zero_gold)
        if self.phase == BID and self.players == 3:
            if self.bids[self.seat] >= 0:
                round_.hands[self.seat] |= ONE << self.bids[self.seat]
                round_.lay_bid(self.seat, self.bids[self.seat])
            return round_
        for seat in range(self.players):
            round_.sizes[seat] = self.sizes[seat]
            round_.golds[seat] = self.golds[seat]
            round_.known[seat] = self.known[seat]
            round_.bids[seat] = self.bids[seat]
            round_.tricks[seat] = self.tricks[seat]
            round_.trick[seat] = self.trick[seat]
            round_.bids_laid += self.bids[seat] >= 0
            round_.closed += self.tricks[seat]
        round_.phase = self.phase
        round_.leader = self.leader
        round_.turn = self.turn
        round_.trick_number = self.trick_number
        round_.trick_length = self.trick_length
        round_.low_rank = self.low_rank
        round_.low_seat = self.low_seat
        round_.high_rank = self.high_rank
        round_.high_seat = self.high_seat
        round_.asked = self.asked
        round_.supply = self.supply
        round_.played = self.played
        round_.blocked = self.blocked
        round_.legal = self.legal
        return round_

    @property
    def nuggets(self) -> list[int]:
        return [
            sum(side in finished.outcome.winners for finished in self.rounds[: self.round_count])
            for side in range(self.ruleset.sides)
        ]

    @property
    def totals(self) -> list[int]:
        return [
            sum(finished.outcome.scores[side].total for finished in self.rounds[: self.round_count])
            for side in range(self.ruleset.sides)
        ]

    def legal_texts(self) -> tuple[str, ...]:
        return legal_texts(self.phase, self.legal)

    def to_dict(self) -> dict[str, Any]:
        """Everything this seat may know, ready for JSON; a finished match has no current round."""
        supply = [rank for rank in gold_ranks(self.supply) if rank > 0]
        zeros = GOLD_COPIES[0] if self.ruleset.zero_gold else 0
        zeros -= sum(self.golds[seat] >> 50 & 1 for seat in range(self.players))
        zeros -= list(self.trick)[: self.trick_length].count(50)
        return {
            "ruleset": self.ruleset.to_dict(),
            "seat": self.seat if self.seat >= 0 else None,
            "nuggets": self.nuggets,
            "totals": self.totals,
            "history": [tell_finished_round(done) for done in self.rounds[: self.round_count]],
            "round": None if self.result is not None else self._round_dict([0] * zeros + supply),
            "legal": list(self.legal_texts()),
            "clocks": list(self.clocks) if self.clocks is not None else None,
        }

    def _round_dict(self, supply: list[int]) -> dict[str, Any]:
        seats = range(self.players)
        told = tell_round(self.players, self.first, self.log[self.log_start : self.log_end], self.trick_ends)
        return {
            "number": self.round_count + 1,
            "first_seat": self.first,
            "phase": PHASE_NAMES[self.phase],
            "turn": self.turn if self.turn >= 0 else None,
            "leader": self.leader,
            "hand": names_in(self.hand),
            "hand_sizes": [self.sizes[seat] for seat in seats],
            "known_in_hand": [names_in(self.known[seat]) for seat in seats],
            "gold": [[f"G{rank}" for rank in gold_ranks(self.golds[seat])] for seat in seats],
            "supply": [f"G{rank}" for rank in supply],
            "set_aside": names_in(self.set_aside),
            "bids": [CARD_NAMES[self.bids[seat]] if self.bids[seat] >= 0 else None for seat in seats],
            "first_bids": told["bids"],
            "trick": [CARD_NAMES[card] for card in list(self.trick)[: self.trick_length]],
            "tricks_won": [self.tricks[seat] for seat in seats],
            "tricks": told["tricks"],
        }


def view(match: Match, seat: int) -> View:
    """What this seat may see now; seat -1 is a watcher, who sees what everybody sees."""
    return View(match, seat)
