"""What happened at a step of a replay, in one or two sentences for people and screen readers."""

from collections.abc import Sequence

from django.utils.translation import gettext

from games.rules.cards import METAL_NAMES
from games.selectors.replays import BID_STEP, DEAL, END, PLAY_STEP, Position


def say_step(position: Position, names: Sequence[str], seat: int | None) -> str:
    """The step as `seat` saw it, or with every card open for None; `names` are the players' by seat."""
    kind = position.step.kind
    if kind == DEAL:
        return gettext("The cards are dealt. %(name)s is first player.") % {"name": names[position.first_seat]}
    if kind == BID_STEP:
        return _say_bid(position, names, seat)
    if kind == PLAY_STEP:
        return _say_play(position, names)
    if kind == END:
        return _say_end(position, names)
    return _say_swap(position, names)


def name_card(code: str) -> str:
    """`B7` as words; the template tags that draw cards hold the same names of the metals for translation."""
    return f"{gettext(METAL_NAMES[code[0]])} {code[1:]}"


def _say_bid(position: Position, names: Sequence[str], seat: int | None) -> str:
    bidder = position.seat or 0
    bid = position.bids[bidder]
    if bid is None or not (position.are_bids_open or seat is None or seat == bidder):
        return gettext("%(name)s lays a bid face down.") % {"name": names[bidder]}
    return gettext("%(name)s bids %(card)s.") % {"name": names[bidder], "card": name_card(bid)}


def _say_swap(position: Position, names: Sequence[str]) -> str:
    if position.swap is None or position.seat is None:
        return ""
    words = {
        "name": names[position.seat],
        "gold": name_card(f"G{position.swap.gold}"),
        "card": name_card(position.swap.card),
        "partner": names[position.swap.bid_of],
    }
    if position.swap.bid_of == position.seat:
        return gettext("%(name)s spends %(gold)s to change the bid to %(card)s.") % words
    return gettext("%(name)s spends %(gold)s to change the bid of %(partner)s to %(card)s.") % words


def _say_play(position: Position, names: Sequence[str]) -> str:
    seat, card = position.plays[-1]
    words = {"name": names[seat], "card": name_card(card)}
    if len(position.plays) == 1:
        return gettext("%(name)s leads %(card)s.") % words
    said = gettext("%(name)s plays %(card)s.") % words
    if position.winner is None or position.gold_to is None:
        return said
    return f"{said} {_say_trick_end(names[position.winner], names[position.gold_to], position.gold)}"


def _say_trick_end(winner: str, lowest: str, gold: int | None) -> str:
    words = {"winner": winner, "lowest": lowest, "gold": "" if gold is None else name_card(f"G{gold}")}
    if gold is None:
        return (
            gettext("%(winner)s wins the trick. %(lowest)s was lowest and leads next, but finds no such gold.") % words
        )
    return gettext("%(winner)s wins the trick. %(lowest)s was lowest, takes %(gold)s and leads next.") % words


def _say_end(position: Position, names: Sequence[str]) -> str:
    sentences = {
        "no_lead": gettext("The round is over: %(name)s has no card left to lead."),
        "no_play": gettext("The round is over: %(name)s has neither a metal nor gold to play."),
        "declined_gold": gettext("The round is over: %(name)s could only play gold and keeps it."),
    }
    return sentences[position.end_reason] % {"name": names[position.seat or 0]}
