"""Hints of a guided first match: each rule is explained when it first matters; the page shows each hint once."""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.play.table_state import RoundState, SeatView


@dataclass(frozen=True, slots=True)
class Hint:
    code: str
    matters: Callable[[SeatView, RoundState], bool]
    text: str | Promise


def _is_to(seen: SeatView, round_: RoundState, phase: str) -> bool:
    return bool(seen.legal) and round_.phase == phase


def _follows(seen: SeatView, round_: RoundState) -> bool:
    return _is_to(seen, round_, "play") and bool(round_.trick)


def _has_reached_bid(seen: SeatView, round_: RoundState) -> bool:
    sides = len(seen.nuggets)
    own = (seen.seat or 0) % sides
    bids = [int(bid[1:]) for bid in round_.bids[own::sides] if bid]
    return _is_to(seen, round_, "play") and bool(bids) and sum(round_.tricks_won[own::sides]) >= max(bids)


HINTS = (
    Hint(
        "bid",
        lambda seen, round_: _is_to(seen, round_, "bid"),
        _(
            "Your bid: choose one metal from your hand. Its number is how many tricks you mean to win, and the card is"
            " out of your hand. Exactly that many counts double, more counts the bid, fewer counts nothing. Three or"
            " four is a fair bid for a middling hand."
        ),
    ),
    Hint(
        "change",
        lambda seen, round_: _is_to(seen, round_, "change"),
        _(
            "Before every trick you may change your bid: spend one gold, lay another card from your hand as the bid,"
            " and take the old bid card back. It costs the gold, so keep your bid unless it has become wrong."
        ),
    ),
    Hint(
        "lead",
        lambda seen, round_: _is_to(seen, round_, "play") and not round_.trick,
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
        lambda seen, round_: _follows(seen, round_) and bool(round_.gold[seen.seat or 0]),
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
        lambda seen, round_: "stop" in seen.legal,
        _(
            "You have no metal that you may play. You can play gold, or end the round now and keep your gold for its"
            " points. An unfinished trick counts for nobody."
        ),
    ),
    Hint(
        "score",
        lambda seen, round_: bool(seen.history),
        _(
            "The first round is over: look at the score sheet. Whoever has most points gets a nugget, and then every"
            " card is dealt again. Two nuggets usually win the match."
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class HintText:
    code: str
    text: str


def choose_hints(seen: SeatView) -> tuple[HintText, ...]:
    """The hints that matter now, the general ones first; none once the match is over."""
    if seen.round is None:
        return ()
    return tuple(HintText(hint.code, str(hint.text)) for hint in HINTS if hint.matters(seen, seen.round))
