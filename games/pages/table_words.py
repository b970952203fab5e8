"""A table for the page on which a person plays: what lies there, what they may do, why not, and hints, in words."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.pages.replay import PlaceWords, explain_bid, explain_places, explain_winners
from games.pages.words import name_card, tell_happening
from games.play.table_state import FinishedState, RoundState, SeatView, TableState
from games.rules.cards import METAL_NAMES
from games.rules.ruleset import Ruleset
from games.rules.scoring import bid_points


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


@dataclass(frozen=True, slots=True)
class Options:
    """The legal actions by what one chooses; a bid change is any of its gold, for any of its bids, to any card.

    `could_gain`: whether a change is worth a pause now; where it is not, the page keeps the bids by itself.
    """

    cards: tuple[str, ...] = ()
    can_keep: bool = False
    could_gain: bool = False
    can_stop: bool = False
    swap_gold: tuple[str, ...] = ()
    swap_bids: tuple[int, ...] = ()
    swap_cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundWords:
    """Why a round's nugget went where it went, and what each side's bid counted."""

    decision: str
    how: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlayedTable:
    """All that the page draws from; `said` tells the table's happenings one by one, `rounds` its history."""

    table: TableState
    seat: int
    now: datetime
    options: Options
    why: Mapping[str, str]
    hints: tuple[HintText, ...]
    said: tuple[str, ...]
    rounds: tuple[RoundWords, ...]
    places: tuple[PlaceWords, ...]


@dataclass(frozen=True, slots=True)
class WatchedTable:
    """The same for whoever watches: nothing but what lies open, and nothing to decide."""

    table: TableState
    now: datetime
    said: tuple[str, ...]
    rounds: tuple[RoundWords, ...]


def make_watched_table(table: TableState) -> WatchedTable:
    seen = table.view
    return WatchedTable(
        table=table,
        now=timezone.now(),
        said=tuple(tell_happening(happening, table.names) for happening in table.happenings),
        rounds=tuple(map(_word_round, seen.history)) if seen else (),
    )


def make_played_table(table: TableState, seat: int, *, is_guided: bool) -> PlayedTable:
    seen = table.view
    return PlayedTable(
        table=table,
        seat=seat,
        now=timezone.now(),
        options=_list_options(seen, is_guided=is_guided) if seen else Options(),
        why=explain_cards(seen, table.names) if seen else {},
        hints=choose_hints(seen) if seen and is_guided else (),
        said=tuple(tell_happening(happening, table.names) for happening in table.happenings),
        rounds=tuple(map(_word_round, seen.history)) if seen else (),
        places=_rank(table) if table.places else (),
    )


def _rank(table: TableState) -> tuple[PlaceWords, ...]:
    history = table.view.history if table.view else ()
    return explain_places(Ruleset.from_code(table.ruleset), table.places or (), history)


def _word_round(done: FinishedState) -> RoundWords:
    return RoundWords(explain_winners(done), tuple(explain_bid(score.bid, score.tricks) for score in done.scores))


def _list_options(seen: SeatView, *, is_guided: bool) -> Options:
    legal = seen.legal
    swaps = [text.split()[1:] for text in legal if text.startswith("swap")]
    return Options(
        cards=tuple(text.split()[1] for text in legal if text.startswith(("bid ", "play "))),
        can_keep="keep" in legal,
        could_gain=bool(swaps) and (is_guided or _could_gain(seen, swaps)),
        can_stop="stop" in legal,
        swap_gold=tuple(sorted({gold for gold, _, _ in swaps})),
        swap_bids=tuple(sorted({int(bid_of) for _, bid_of, _ in swaps})),
        swap_cards=tuple(dict.fromkeys(card for _, _, card in swaps)),
    )


NEAR_THE_END = 4
"""So few cards in a hand, and the round may be over before the next chance to change. The champion makes 12 of 13 of
its changes where this rule pauses, at 43 of 100 chances (485 of 50 matches at three and four)."""


def _could_gain(seen: SeatView, swaps: Sequence[Sequence[str]]) -> bool:
    """Whether a change could be worth its gold and cannot as well wait for the next trick.

    It can wait while the bid can still be made and nobody is near the end of the hand: one knows more then.
    """
    round_, own, sides = seen.round, seen.seat or 0, len(seen.nuggets)
    if round_ is None:
        return False
    seats = range(own % sides, len(round_.bids), sides)
    bids = {seat: int((round_.bids[seat] or "B0")[1:]) for seat in seats}
    bid, won = max(bids.values()), sum(round_.tricks_won[seat] for seat in seats)
    most = won + round_.hand_sizes[own] + len(round_.gold[own])
    if won <= bid <= most and min(round_.hand_sizes) > NEAR_THE_END:
        return False
    cost = min(-(-int(gold[1:]) // 3) for gold, _, _ in swaps)  # one point from rank 1, two from 4, three from 7
    after = {max({**bids, int(of): int(card[1:])}.values()) for _, of, card in swaps}
    return any(
        bid_points(new, tricks) - cost > bid_points(bid, tricks) for new in after for tricks in range(won, most + 1)
    )


def explain_cards(seen: SeatView, names: Sequence[str]) -> dict[str, str]:
    """For each card of the hand, and each gold, that cannot be played now: why."""
    around = seen.round
    if around is None or seen.seat is None:
        return {}
    own = [*around.hand, *around.gold[seen.seat]]
    legal = {text.split()[-1] for text in seen.legal}
    if around.phase == "change" and seen.legal:
        return dict.fromkeys(own, gettext("First say whether you keep the bids or change one."))
    if not seen.legal:
        whose = names[around.turn] if around.turn is not None else gettext("the others")
        return dict.fromkeys(own, gettext("It is not your turn: wait for %(name)s.") % {"name": whose})
    in_trick = {card[0] for card in around.trick}
    return {card: _explain_card(card, around.phase, in_trick) for card in own if card not in legal}


def _explain_card(card: str, phase: str, in_trick: set[str]) -> str:
    if card[0] == "G":
        if phase == "bid":
            return gettext("A bid is a metal from your hand, never gold.")
        return gettext("Gold is never led: play a metal first.")
    if card[0] in in_trick:
        metal = gettext(METAL_NAMES[card[0]])
        return gettext("%(metal)s is in the trick already: you must play another metal, or gold.") % {"metal": metal}
    return gettext("%(card)s cannot be played now.") % {"card": name_card(card)}


def read_counter(text: str) -> int | None:
    """How many actions a page has seen, as it sends it; None for what is no number."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else None
