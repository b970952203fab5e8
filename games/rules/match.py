"""A match: rounds one after another until it has a result, rebuilt at any time from its seed and its actions.

Compiles with match.pxd, because every decision of every match goes through `apply`.
"""

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from sys import byteorder
from typing import NoReturn

from games.rules.actions import BID, OVER, NotAnAction, parse_action
from games.rules.deal import Deal, Deals, SeedDeals
from games.rules.errors import IllegalAction, refusal, refuse
from games.rules.outcome import Result, RoundOutcome, find_result
from games.rules.round import Round
from games.rules.ruleset import Ruleset
from games.rules.scoring import round_winners, score_round

TrickEnd = tuple[int, int, int]
"""The seat that won a trick, the seat that played its lowest metal, and the rank of gold it took (-1 for none)."""


@dataclass(frozen=True, slots=True)
class FinishedRound:
    """A round that is over: what was dealt, what was done, and how it ended."""

    deal: Deal
    first_seat: int
    log: tuple[int, ...]
    trick_ends: tuple[TrickEnd, ...]
    end_reason: int
    end_seat: int
    shown_hand: int
    outcome: RoundOutcome


class Match:
    """One match at one table. `log` holds every action as action * 4 + seat, in the order they were made."""

    def __init__(self, ruleset: Ruleset, seed: bytes | None, deals: Deals | None = None) -> None:
        """From a seed; or, to check a record, from the deals it holds, with the seed where it is known."""
        if deals is None:
            if seed is None:
                raise ValueError("A match needs a seed, or its deals.")
            deals = SeedDeals(seed, ruleset.players)
        self.ruleset = ruleset
        self.players = ruleset.players
        self.seed = seed
        self.deals = deals
        self.first_seat = deals.first_seat
        self.log: list[int] = []
        self.trick_ends: list[TrickEnd] = []
        self.rounds: list[FinishedRound] = []
        self.result: Result | None = None
        self.open_round()

    def open_round(self) -> None:
        number = len(self.rounds) + 1
        self.dealt = self.deals.deal(number)
        self.round_start = len(self.log)
        self.trick_ends = []
        first = (self.first_seat + number - 1) % self.players
        self.round = Round(self.players, self.dealt.hands, first, self.ruleset.zero_gold)

    @property
    def is_over(self) -> bool:
        return self.result is not None

    def awaiting(self) -> tuple[int, ...]:
        """The seats that may act now: one, or with three players all who have not bid yet; none when it is over."""
        round_ = self.round
        if self.result is not None:
            return ()
        if round_.phase == BID and self.players == 3:
            return tuple([seat for seat in range(3) if round_.bids[seat] < 0])
        return (round_.turn,)

    def apply(self, seat: int, action: int) -> None:
        """Do what a seat asks for; raises IllegalAction and changes nothing where it may not."""
        # Two bits hold every seat, and eleven every action. Larger numbers are refused here, before they become C ints.
        if self.result is not None or seat >> 2 or action >> 11:
            self.refuse_number(seat, action)
        self.act(seat, action)

    def act(self, seat: int, action: int) -> None:
        round_ = self.round
        if seat == round_.turn:
            round_.apply(action)
        elif seat >= self.players:
            self.refuse_number(seat, action)
        elif round_.phase == BID:
            round_.lay_bid(seat, action)
        else:
            refuse(round_, seat, action)
        self.log.append(action * 4 + seat)
        if round_.closed > len(self.trick_ends):
            self.trick_ends.append((round_.last_winner, round_.last_gold_to, round_.last_gold))
        if round_.phase == OVER:
            self.close_round()

    def apply_text(self, seat: int, text: str) -> None:
        """The same for an action in notation, which also names the phase it is meant for."""
        try:
            phase, action = parse_action(text)
        except NotAnAction as error:
            raise refusal(self.round, seat % self.players, "not_an_action", str(error)) from None
        if self.result is None and phase != self.round.phase:
            code = "wrong_phase" if seat in self.awaiting() else "not_your_turn"
            raise refusal(self.round, seat % self.players, code, f"{text!r} cannot be done now.")
        self.apply(seat, action)

    def refuse_number(self, seat: int, action: int) -> NoReturn:
        if self.result is not None:
            raise IllegalAction("round_over", "The match is over.", "over", ())
        if not 0 <= seat < self.players:
            raise IllegalAction("not_your_turn", f"There is no seat {seat} at this table.", "no seat", ())
        refuse(self.round, seat, action)

    def close_round(self) -> None:
        round_ = self.round
        scores = score_round(round_, self.ruleset.sides)
        self.rounds.append(
            FinishedRound(
                deal=self.dealt,
                first_seat=round_.first,
                log=tuple(self.log[self.round_start :]),
                trick_ends=tuple(self.trick_ends),
                end_reason=round_.end_reason,
                end_seat=round_.end_seat,
                shown_hand=round_.hands[round_.end_seat],
                outcome=RoundOutcome(scores, round_winners(self.ruleset, scores)),
            )
        )
        self.result = find_result(self.ruleset, [finished.outcome for finished in self.rounds], self.deals)
        if self.result is None:
            self.open_round()


def replay(ruleset: Ruleset, seed: bytes, log: Iterable[int]) -> Match:
    """The match that a seed and a log of actions lead to."""
    match = Match(ruleset, seed)
    for entry in log:
        match.apply(entry & 3, entry >> 2)
    return match


def pack_log(log: Iterable[int]) -> bytes:
    """A log as two bytes an action, low byte first, as it is stored."""
    packed = array("H", log)
    if byteorder == "big":
        packed.byteswap()
    return packed.tobytes()


def unpack_log(data: bytes) -> list[int]:
    packed = array("H", data)
    if byteorder == "big":
        packed.byteswap()
    return packed.tolist()
