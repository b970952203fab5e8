"""Hints of a guided first match: each rule is explained when it first matters; the page shows each hint once."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Told = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Hint:
    code: str
    matters: Callable[[Told], bool]
    text: str | Promise


def _is_to(told: Told, phase: str) -> bool:
    return bool(told["legal"]) and told["round"]["phase"] == phase


def _follows(told: Told) -> bool:
    return _is_to(told, "play") and bool(told["round"]["trick"])


def _own_gold(told: Told) -> list[str]:
    gold: list[str] = told["round"]["gold"][told["seat"]]
    return gold


def _has_reached_bid(told: Told) -> bool:
    around, sides = told["round"], len(told["nuggets"])
    own = told["seat"] % sides
    bids = [int(bid[1:]) for bid in around["bids"][own::sides] if bid]
    return _is_to(told, "play") and bool(bids) and sum(around["tricks_won"][own::sides]) >= max(bids)


HINTS = (
    Hint(
        "bid",
        lambda told: _is_to(told, "bid"),
        _(
            "Your bid: choose one metal from your hand. Its number is how many tricks you mean to win, and the card is"
            " out of your hand. Exactly that many counts double, more counts the bid, fewer counts nothing. Three or"
            " four is a fair bid for a middling hand."
        ),
    ),
    Hint(
        "change",
        lambda told: _is_to(told, "change"),
        _(
            "Before every trick you may change your bid: spend one gold, lay another card from your hand as the bid,"
            " and take the old bid card back. It costs the gold, so keep your bid unless it has become wrong."
        ),
    ),
    Hint(
        "lead",
        lambda told: _is_to(told, "play") and not told["round"]["trick"],
        _(
            "You lead: play any metal from your hand. Each of the others then plays a metal that is not in the trick"
            " yet, or gold. The highest gold wins the trick, without gold the highest metal; the lowest metal collects"
            " gold of its own number and leads next."
        ),
    ),
    Hint(
        "follow",
        _follows,
        _(
            "In Aurum you must NOT follow suit: play a metal that does not lie in the trick yet, or gold. Cards you may"
            " play stand up; touch one of the others to read why not."
        ),
    ),
    Hint(
        "gold",
        lambda told: _follows(told) and bool(_own_gold(told)),
        _(
            "Gold beats every metal, and the highest gold wins the trick. You may play it instead of a metal. Gold that"
            " you keep until the end of the round is worth points: 1 to 3 one point, 4 to 6 two, 7 and 8 three."
        ),
    ),
    Hint(
        "enough",
        _has_reached_bid,
        _(
            "You have as many tricks as you bid. One more, and the bid counts only once: play low now, and collect gold"
            " with the lowest card."
        ),
    ),
    Hint(
        "stop",
        lambda told: "stop" in told["legal"],
        _(
            "You have no metal that you may play. You can play gold, or end the round now and keep your gold for its"
            " points. An unfinished trick counts for nobody."
        ),
    ),
    Hint(
        "score",
        lambda told: len(told["history"]) >= 1,
        _(
            "The first round is over: look at the score sheet. Whoever has most points gets a nugget, and then every"
            " card is dealt again. Two nuggets usually win the match."
        ),
    ),
)


def choose_hints(told: Told) -> list[dict[str, str]]:
    """The hints that matter now, the general ones first; none once the match is over."""
    if told["round"] is None:
        return []
    return [{"code": hint.code, "text": str(hint.text)} for hint in HINTS if hint.matters(told)]
