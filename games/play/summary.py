"""What is kept of a finished match beside its log: places, sums and counts, by side."""

from collections.abc import Sequence
from dataclasses import dataclass

from games.rules.actions import DECLINED_GOLD, NO_LEAD, NO_PLAY
from games.rules.match import Match, pack_log


@dataclass(frozen=True, slots=True)
class Summary:
    """The columns of a match result; lists are by side, `forfeits` by seat."""

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


def summarise(match: Match, forfeits: Sequence[int] = ()) -> Summary:
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
    )
