"""What a round bears on the match: the worth of its end to each side, and the match so far as features of a side.

The worth is the chance to win the match from there, and a little for the points. Compiles with stakes.pxd, because
every playout ends here.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from bots.brains.tally import rise
from games.rules.deal import SeedDeals
from games.rules.outcome import RoundOutcome, find_result
from games.rules.round import Round
from games.rules.ruleset import Ruleset
from games.rules.scoring import SideScore, round_winners, score_round, side_bid, side_total
from games.rules.view import View

MARGIN_WORTH = 0.01
MARGIN_CAP = 12
POINTS_SPREAD = 6.0
PLANNED_ROUNDS = 3
# A shared first place is left shared here: a golden round is as good for each who shares it, and lots are too.
NO_LOTS = SeedDeals(bytes(32), 3)


class Stakes:
    """The match as it stands before this round; `measure` writes into `worth`, by side."""

    def __init__(self, view: View) -> None:
        self.ruleset = replace(view.ruleset, decider="shared")
        self.sides = view.ruleset.sides
        self.is_cumulative = view.ruleset.is_cumulative
        self.is_last = view.round_count >= PLANNED_ROUNDS - 1
        self.spread = POINTS_SPREAD * max(0, PLANNED_ROUNDS - 1 - view.round_count)
        self.before = [0, 0, 0, 0]
        self.worth = [0.0, 0.0, 0.0, 0.0]
        self.outcomes = [finished.outcome for finished in view.rounds[: view.round_count]]
        self.chances: dict[int, tuple[float, ...]] = {}
        for side, total in enumerate(view.totals):
            self.before[side] = total

    def measure(self, round_: Round) -> None:
        totals = [0, 0, 0, 0]
        best = -1
        leaders = 0
        for side in range(self.sides):
            totals[side] = side_total(round_, self.sides, side)
            if totals[side] > best:
                best = totals[side]
                leaders = 0
            if totals[side] == best:
                leaders |= 1 << side
        if self.is_cumulative:
            for side in range(self.sides):
                totals[side] += self.before[side]
        else:
            self.count_nugget(round_, leaders)
        for side in range(self.sides):
            ahead = 99
            for other in range(self.sides):
                if other != side and totals[side] - totals[other] < ahead:
                    ahead = totals[side] - totals[other]
            if self.is_cumulative:
                self.worth[side] = self.lead_worth(ahead)
            ahead = min(max(ahead, -MARGIN_CAP), MARGIN_CAP)
            self.worth[side] += MARGIN_WORTH * ahead

    def lead_worth(self, ahead: int) -> float:
        """The chance to win a match by points with this lead before the rounds that remain."""
        if self.spread > 0.0:
            return rise(ahead / self.spread)
        if ahead == 0:
            return 0.5
        return 1.0 if ahead > 0 else 0.0

    def count_nugget(self, round_: Round, leaders: int) -> None:
        """Set the chances in a match by nuggets; `leaders` are the sides with the most points, a bit each."""
        key = leaders
        is_tied = leaders & (leaders - 1) != 0
        if self.is_last or is_tied:
            for side in range(self.sides):
                key = key * 16 + side_bid(round_, self.sides, side)
        found = None if is_tied else self.chances.get(key)
        if found is None:
            found = self.win_chances(round_)
            self.chances[key] = found
        for side in range(self.sides):
            self.worth[side] = found[side]

    def win_chances(self, round_: Round) -> tuple[float, ...]:
        scores = score_round(round_, self.sides)
        outcome = RoundOutcome(scores, round_winners(self.ruleset, scores))
        return chances_after(self.ruleset, (*self.outcomes, outcome))


@lru_cache(maxsize=4096)
def chances_after(ruleset: Ruleset, outcomes: tuple[RoundOutcome, ...]) -> tuple[float, ...]:
    """Each side's chance to win the match after these rounds, if every later round goes to each side alike."""
    result = find_result(ruleset, outcomes, NO_LOTS)
    sides = range(ruleset.sides)
    if result is not None:
        first = result.places[0]
        return tuple(1.0 / len(first) if side in first else 0.0 for side in sides)
    if len(outcomes) > PLANNED_ROUNDS:
        return tuple(1.0 / ruleset.sides for _ in sides)
    branches = [chances_after(ruleset, (*outcomes, even_round(ruleset, winner))) for winner in sides]
    return tuple(sum(branch[side] for branch in branches) / ruleset.sides for side in sides)


@lru_cache(maxsize=16)
def even_round(ruleset: Ruleset, winner: int) -> RoundOutcome:
    """A round to come of which nothing is known but who wins it."""
    return RoundOutcome((SideScore(0, 0, 0, 0, 0),) * ruleset.sides, (winner,))


BY_POINTS, BY_NUGGETS, ROUNDS_LEFT, ENDS_AT_TWO, NUGGETS, LEADS = 0, 1, 2, 5, 6, 16
LEAD_STEPS = 11


def describe_match(view: View, side: int) -> list[int]:
    return describe_standing(view.ruleset, view.round_count, view.nuggets, view.totals, side)


def describe_standing(
    ruleset: Ruleset, played: int, nuggets: Sequence[int], totals: Sequence[int], side: int
) -> list[int]:
    """After so many rounds with these nuggets and points, by side."""
    sides = ruleset.sides
    left = max(0, PLANNED_ROUNDS - 1 - played)
    others = [(side + step) % sides for step in range(1, sides)]
    if ruleset.is_cumulative:
        leads = [min(max((totals[side] - totals[other] + 20) // 4, 0), LEAD_STEPS - 1) for other in others]
        return [BY_POINTS, ROUNDS_LEFT + left] + [LEADS + LEAD_STEPS * place + lead for place, lead in enumerate(leads)]
    told = [BY_NUGGETS, ROUNDS_LEFT + left]
    told += [ENDS_AT_TWO] if ruleset.ends_at_two_nuggets else []
    return told + [NUGGETS + 3 * place + min(nuggets[who], 2) for place, who in enumerate([side, *others])]
