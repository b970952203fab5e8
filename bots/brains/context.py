"""What of the match so far bears on the round being played, as features of one side."""

from collections.abc import Sequence

from bots.brains.stakes import PLANNED_ROUNDS
from games.rules.ruleset import Ruleset
from games.rules.view import View

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
