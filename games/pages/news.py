"""What happened at a table in sentences, for the line above the cards and for screen readers."""

from collections.abc import Sequence

from django.utils.translation import gettext

from games.pages.step_sentences import name_card
from games.rules.match import TrickEnd
from games.selectors.seat_tables import Happening


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
