"""A table: a match with its agents, moved on until it is over or waits for somebody who answers in their own time.

A failing seat must not hurt the others: each fault is a strike, the fallback agent makes that decision, and after the
last strike it plays the seat to the end, which counts as a forfeit.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from games.play.agents import Agent, AgentFault, end_agents
from games.rules.actions import DECLINED_GOLD, NO_LEAD, NO_PLAY
from games.rules.errors import IllegalAction
from games.rules.match import Match, pack_log
from games.rules.view import view


@dataclass(frozen=True, slots=True)
class Summary:
    """The columns of a match result; lists are by side, `forfeits` by seat, and `early` those before a round ended."""

    places: list[int]
    nuggets: list[int]
    totals: list[int]
    exact_bids: list[int]
    bids: list[int]
    tricks: list[int]
    gold_points: list[int]
    forfeits: list[int]
    rounds: int
    ends: list[int]
    first_seat: int
    lots: bool
    log: bytes
    early: list[int] = field(default_factory=list)


def summarise(match: Match, forfeits: Sequence[int] = (), early: Sequence[int] = ()) -> Summary:
    """Sum up a match that is over. Forfeits do not change the places played: standings and ratings apply them."""
    result = match.result
    assert result is not None
    sides = range(match.ruleset.sides)
    rounds = match.rounds
    scores = [finished.outcome.scores for finished in rounds]
    reasons = [finished.end_reason for finished in rounds]
    return Summary(
        places=[result.place_of(side) for side in sides],
        nuggets=list(result.nuggets),
        totals=list(result.totals),
        exact_bids=[sum(score[side].is_exact for score in scores) for side in sides],
        bids=[sum(score[side].bid for score in scores) for side in sides],
        tricks=[sum(score[side].tricks for score in scores) for side in sides],
        gold_points=[sum(score[side].gold_points for score in scores) for side in sides],
        forfeits=list(forfeits),
        rounds=len(rounds),
        ends=[reasons.count(reason) for reason in (NO_LEAD, NO_PLAY, DECLINED_GOLD)],
        first_seat=match.first_seat,
        lots=result.lots,
        log=pack_log(match.log),
        early=list(early),
    )


STRIKES = 3


@dataclass(frozen=True, slots=True)
class Failure:
    """One decision that a seat failed to make, after `step` actions of the match."""

    seat: int
    step: int
    fault: AgentFault


@dataclass
class Table:
    """Agents by seat; None where a person or a connected bot answers in its own time.

    `early` are the seats that were forfeited before the first round had ended.
    """

    match: Match
    agents: Sequence[Agent | None]
    open_fallback: Callable[[int], Agent]
    strikes: dict[int, int] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    early: set[int] = field(default_factory=set)

    @property
    def forfeits(self) -> list[int]:
        return sorted(seat for seat, count in self.strikes.items() if count >= STRIKES)

    def advance(self, pulse: Callable[[], None] = lambda: None) -> tuple[int, ...]:
        """Ask every agent that answers at once; the seats that are awaited then, none when the match is over.

        `pulse` is called before every decision, since slow agents may take minutes for all of theirs. An agent that can
        `play_on` plays all seats at once, where it knows all who sit there.
        """
        match = self.match
        play_on = None if self.strikes else getattr(self.agents[0], "play_on", None)
        if play_on is not None and play_on(match, self.agents):
            return ()
        while match.result is None:
            seat = self._next_seat()
            if seat is None:
                return match.awaiting()
            pulse()
            self.decide(seat)
        end_agents(match, self.agents, self.forfeits)
        return ()

    def decide(self, seat: int) -> None:
        """Have a seat's agent, or the fallback after a fault, make the decision it is awaited for."""
        agent = self.agents[seat]
        if agent is not None and self.strikes.get(seat, 0) < STRIKES:
            try:
                self.match.apply(seat, agent.choose(view(self.match, seat)))
                return
            except AgentFault as fault:
                self.strike(seat, fault)
            except IllegalAction as error:
                self.strike(seat, AgentFault("illegal", str(error)))
        self.fall_back(seat)

    def fall_back(self, seat: int) -> None:
        self.match.apply(seat, self.open_fallback(seat).choose(view(self.match, seat)))

    def strike(self, seat: int, fault: AgentFault) -> None:
        self.failures.append(Failure(seat, len(self.match.log), fault))
        self._count(seat, self.strikes.get(seat, 0) + 1)

    def forfeit(self, seat: int, fault: AgentFault) -> None:
        """Give the seat to the fallback for good: resignation, a flag, or too many strikes."""
        self.strike(seat, fault)
        self._count(seat, STRIKES)

    def _count(self, seat: int, strikes: int) -> None:
        if strikes >= STRIKES > self.strikes.get(seat, 0) and not self.match.rounds:
            self.early.add(seat)
        self.strikes[seat] = strikes

    def _next_seat(self) -> int | None:
        turn = self.match.round.turn
        if self._answers_at_once(turn):
            return turn
        for seat in self.match.awaiting():
            if self._answers_at_once(seat):
                return seat
        return None

    def _answers_at_once(self, seat: int) -> bool:
        return self.agents[seat] is not None or self.strikes.get(seat, 0) >= STRIKES


def play_match(match: Match, agents: Sequence[Agent]) -> None:
    """Play house brains to the end of a match; an illegal answer of theirs is a bug and raises."""
    choose = [agent.choose for agent in agents]
    while match.result is None:
        seat = match.round.turn
        match.apply(seat, choose[seat](view(match, seat)))
