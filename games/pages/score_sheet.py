"""The score sheet of a match: every round, and how each point and each nugget came about."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from games.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class SheetLine:
    """One side in one round; `gold` holds the ranks it is scored for, None where they are not told."""

    name: str
    bid: int
    tricks: int
    bid_points: int
    how: str
    gold: Sequence[int] | None
    gold_points: int
    total: int
    has_nugget: bool


@dataclass(frozen=True, slots=True)
class SheetRound:
    number: int
    lines: list[SheetLine]
    decision: str


def make_score_sheet(
    ruleset: Ruleset, side_names: Sequence[str], rounds: Sequence[dict[str, Any]], golds: Sequence[Sequence[Any]] = ()
) -> list[SheetRound]:
    """From rounds in the words of the record; `golds` are the ranks by seat at the end of each round, if known."""
    return [
        SheetRound(
            number,
            [
                _make_line(name, told, side, golds[number - 1][side :: ruleset.sides] if golds else None)
                for side, name in enumerate(side_names)
            ],
            explain_winners(ruleset, told["scores"], told["winners"]),
        )
        for number, told in enumerate(rounds, 1)
    ]


def _make_line(name: str, told: dict[str, Any], side: int, golds: Sequence[Sequence[int]] | None) -> SheetLine:
    score = told["scores"][side]
    return SheetLine(
        name=name,
        bid=score["bid"],
        tricks=score["tricks"],
        bid_points=score["bid_points"],
        how=explain_bid(score["bid"], score["tricks"]),
        gold=None if golds is None else sorted(rank for collection in golds for rank in collection),
        gold_points=score["gold_points"],
        total=score["total"],
        has_nugget=side in told["winners"],
    )


def explain_bid(bid: int, tricks: int) -> str:
    if tricks < bid:
        return gettext("fewer than bid: nothing")
    if tricks > bid:
        return gettext("more than bid: the bid")
    return gettext("exactly: twice the bid")


def explain_winners(ruleset: Ruleset, scores: Sequence[dict[str, int]], winners: Sequence[int]) -> str:
    """Which step decided the round."""
    best = max(score["total"] for score in scores)
    tied = [side for side, score in enumerate(scores) if score["total"] == best]
    if len(tied) == 1:
        return gettext("Most points win the nugget.")
    if len(winners) > 1:
        return gettext("Still tied after every step: a nugget to each.")
    exact = [side for side in tied if scores[side]["bid"] == scores[side]["tricks"]]
    if len(exact) == 1:
        return gettext("Tied on points: the exact bid wins the nugget.")
    return gettext("Tied on points: the highest gold card wins the nugget.")
