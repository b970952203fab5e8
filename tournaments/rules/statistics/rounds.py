"""Round and bid statistics: how often bids are met, what gold brings, how rounds end; sums that can be added."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple


class BidOutcome(StrEnum):
    """How the tricks taken compare with the bid."""

    EXACT = "exact"
    OVER = "over"
    UNDER = "under"


class SideRound(NamedTuple):
    """One side's part in one round, as the match record scores it."""

    entrants: tuple[int, ...]
    bid: int
    tricks: int
    bid_points: int
    gold_points: int
    is_winner: bool


class RoundOutcome(NamedTuple):
    """One finished round: its sides, how it ended and by whom, and how often a bid was changed."""

    sides: tuple[SideRound, ...]
    end_reason: str
    ended_by: int
    tricks: int
    bid_changes: int


@dataclass(frozen=True, slots=True)
class RoundStatistics:
    """Sums over rounds, of one entrant or of all; `rounds` counts one for each side that is summed."""

    rounds: int = 0
    wins: int = 0
    bid_sum: int = 0
    trick_sum: int = 0
    bid_points: int = 0
    gold_points: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    bids: Counter[int] = field(default_factory=Counter)
    exact_by_bid: Counter[int] = field(default_factory=Counter)

    def plus(self, other: "RoundStatistics") -> "RoundStatistics":
        """Both together."""
        return RoundStatistics(
            self.rounds + other.rounds,
            self.wins + other.wins,
            self.bid_sum + other.bid_sum,
            self.trick_sum + other.trick_sum,
            self.bid_points + other.bid_points,
            self.gold_points + other.gold_points,
            self.outcomes + other.outcomes,
            self.bids + other.bids,
            self.exact_by_bid + other.exact_by_bid,
        )

    def mean_of(self, total: int) -> float:
        """A sum for each round; 0 before the first."""
        return total / self.rounds if self.rounds else 0.0

    def share_of(self, outcome: BidOutcome) -> float:
        """How often bids came out so."""
        return self.mean_of(self.outcomes[outcome])


@dataclass(frozen=True, slots=True)
class TableStatistics:
    """Sums over rounds that belong to the table and not to one side."""

    rounds: int = 0
    tricks: int = 0
    bid_changes: int = 0
    end_reasons: Counter[str] = field(default_factory=Counter)

    def plus(self, other: "TableStatistics") -> "TableStatistics":
        """Both together."""
        return TableStatistics(
            self.rounds + other.rounds,
            self.tricks + other.tricks,
            self.bid_changes + other.bid_changes,
            self.end_reasons + other.end_reasons,
        )


def judge_bid(bid: int, tricks: int) -> BidOutcome:
    """Exact, over or under."""
    if tricks == bid:
        return BidOutcome.EXACT
    return BidOutcome.OVER if tricks > bid else BidOutcome.UNDER


def summarise_entrants(rounds: Iterable[RoundOutcome]) -> dict[int, RoundStatistics]:
    """The statistics of each entrant; partners share their side's round."""
    summed: dict[int, RoundStatistics] = {}
    for outcome in rounds:
        for side in outcome.sides:
            statistics = _summarise_side(side)
            for entrant in side.entrants:
                summed[entrant] = summed.get(entrant, RoundStatistics()).plus(statistics)
    return summed


def summarise_tables(rounds: Iterable[RoundOutcome]) -> TableStatistics:
    """How the rounds of a tournament went as a whole."""
    total = TableStatistics()
    for outcome in rounds:
        total = total.plus(TableStatistics(1, outcome.tricks, outcome.bid_changes, Counter([outcome.end_reason])))
    return total


def _summarise_side(side: SideRound) -> RoundStatistics:
    outcome = judge_bid(side.bid, side.tricks)
    return RoundStatistics(
        1,
        int(side.is_winner),
        side.bid,
        side.tricks,
        side.bid_points,
        side.gold_points,
        Counter([outcome.value]),
        Counter([side.bid]),
        Counter([side.bid] if outcome is BidOutcome.EXACT else []),
    )
