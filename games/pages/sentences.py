"""What happened at a table in sentences: as news above the cards, and step by step in a replay."""

from collections.abc import Sequence

from django.utils.translation import gettext

from games.rules.cards import METAL_NAMES
from games.rules.match import TrickEnd
from games.selectors.replays import BID_STEP, DEAL, END, PLAY_STEP, Position
from games.selectors.tables import Happening


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


def tell_happening(happening: Happening, names: Sequence[str]) -> str:
    said = _tell_action(happening, names)
    if happening.trick_end:
        said += " " + _tell_trick_end(happening.trick_end, names)
    if happening.round_end:
        said += " " + _tell_round_end(happening.round_end, names)
    return said


def _tell_action(happening: Happening, names: Sequence[str]) -> str:
    if happening.seat is None:
        bids = [
            gettext("%(name)s bids %(card)s.") % {"name": name, "card": name_card(bid)}
            for name, bid in zip(names, happening.seen["bids"], strict=True)
        ]
        return " ".join([gettext("The bids are turned over."), *bids])
    name = names[happening.seat]
    verb, _, rest = happening.action.partition(" ")
    if verb == "stop":
        return gettext("%(name)s keeps the gold and ends the round.") % {"name": name}
    if verb == "swap":
        return _tell_swap(name, rest, happening.seat, names)
    words = {"name": name, "card": name_card(rest)}
    if verb == "bid":
        return gettext("%(name)s bids %(card)s.") % words
    return (gettext("%(name)s leads %(card)s.") if happening.is_lead else gettext("%(name)s plays %(card)s.")) % words


def _tell_swap(name: str, rest: str, seat: int, names: Sequence[str]) -> str:
    gold, bid_of, card = rest.split()
    words = {"name": name, "gold": name_card(gold), "card": name_card(card), "partner": names[int(bid_of)]}
    if int(bid_of) == seat:
        return gettext("%(name)s spends %(gold)s to change the bid to %(card)s.") % words
    return gettext("%(name)s spends %(gold)s to change the bid of %(partner)s to %(card)s.") % words


def _tell_trick_end(trick_end: TrickEnd, names: Sequence[str]) -> str:
    winner, lowest, gold = trick_end
    words = {"winner": names[winner], "lowest": names[lowest]}
    if gold < 0:
        return (
            gettext("%(winner)s wins the trick. %(lowest)s was lowest and leads next, but finds no such gold.") % words
        )
    words["gold"] = name_card(f"G{gold}")
    return gettext("%(winner)s wins the trick. %(lowest)s was lowest, takes %(gold)s and leads next.") % words


def _tell_round_end(told: dict[str, object], names: Sequence[str]) -> str:
    end = told["end"]
    assert isinstance(end, dict)
    sentences = {
        "no_lead": gettext("The round is over: %(name)s has no card left to lead."),
        "no_play": gettext("The round is over: %(name)s has neither a metal nor gold to play."),
        "declined_gold": gettext("The round is over."),
    }
    return sentences[str(end["reason"])] % {"name": names[end["seat"]]}
