"""A table for the page on which a person plays: what lies there, what they may do, why not, and all of it in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext

from games.pages.hints import HintText, choose_hints
from games.pages.replay import PlaceWords, explain_bid, explain_places, explain_winners
from games.pages.words import name_card, tell_happening
from games.play.table_state import FinishedState, SeatView, TableState
from games.rules.cards import METAL_NAMES
from games.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Options:
    """The legal actions by what one chooses; a bid change is any of its gold, for any of its bids, to any card."""

    cards: tuple[str, ...] = ()
    can_keep: bool = False
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
        options=_list_options(seen.legal) if seen else Options(),
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


def _list_options(legal: Sequence[str]) -> Options:
    swaps = [text.split()[1:] for text in legal if text.startswith("swap")]
    return Options(
        cards=tuple(text.split()[1] for text in legal if text.startswith(("bid ", "play "))),
        can_keep="keep" in legal,
        can_stop="stop" in legal,
        swap_gold=tuple(sorted({gold for gold, _, _ in swaps})),
        swap_bids=tuple(sorted({int(bid_of) for _, bid_of, _ in swaps})),
        swap_cards=tuple(dict.fromkeys(card for _, _, card in swaps)),
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
