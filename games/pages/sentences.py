"""What happened at a table in sentences: as news above the cards, and step by step in a replay."""

from collections.abc import Sequence

from django.utils.translation import gettext

from games.play.table_state import BID_LAID, DEAL, END, REVEAL, STOP, SWAP, BidChange, Happening, RoundEnd, TrickState
from games.rules.cards import METAL_NAMES


def name_card(code: str) -> str:
    """`B7` as words; the template tags that draw cards hold the same names of the metals for translation."""
    return f"{gettext(METAL_NAMES[code[0]])} {code[1:]}"


def tell_happening(happening: Happening, names: Sequence[str]) -> str:
    """`names` are the players' by seat."""
    said = _tell_action(happening, names)
    if happening.trick:
        said += " " + _tell_trick_end(happening.trick, names)
    if happening.result and happening.kind != END:
        said += " " + _tell_round_end(happening.result.end, names, has_said_why=happening.kind == STOP)
    return said


def _tell_action(happening: Happening, names: Sequence[str]) -> str:
    if happening.kind == REVEAL:
        bids = [_tell_bid(name, bid) for name, bid in zip(names, happening.round.bids, strict=True)]
        return " ".join([gettext("The bids are turned over."), *bids])
    name = names[happening.seat or 0]
    if happening.kind == DEAL:
        return gettext("The cards are dealt. %(name)s is first player.") % {"name": name}
    if happening.kind == END and happening.result:
        return _tell_round_end(happening.result.end, names, has_said_why=False)
    if happening.kind == STOP:
        return gettext("%(name)s keeps the gold and ends the round.") % {"name": name}
    if happening.kind == SWAP and happening.change:
        return _tell_swap(happening.change, names)
    if happening.kind == BID_LAID:
        return _tell_bid(name, happening.card)
    words = {"name": name, "card": name_card(happening.card or "")}
    return (gettext("%(name)s leads %(card)s.") if happening.is_lead else gettext("%(name)s plays %(card)s.")) % words


def _tell_bid(name: str, bid: str | None) -> str:
    if bid is None:
        return gettext("%(name)s lays a bid face down.") % {"name": name}
    return gettext("%(name)s bids %(card)s.") % {"name": name, "card": name_card(bid)}


def _tell_swap(change: BidChange, names: Sequence[str]) -> str:
    words = {
        "name": names[change.seat],
        "gold": name_card(f"G{change.gold}"),
        "card": name_card(change.card),
        "partner": names[change.bid_of],
    }
    if change.bid_of == change.seat:
        return gettext("%(name)s spends %(gold)s to change the bid to %(card)s.") % words
    return gettext("%(name)s spends %(gold)s to change the bid of %(partner)s to %(card)s.") % words


def _tell_trick_end(trick: TrickState, names: Sequence[str]) -> str:
    words = {"winner": names[trick.winner or 0], "lowest": names[trick.gold_to or 0]}
    if trick.gold is None:
        return (
            gettext("%(winner)s wins the trick. %(lowest)s was lowest and leads next, but finds no such gold.") % words
        )
    words["gold"] = name_card(f"G{trick.gold}")
    return gettext("%(winner)s wins the trick. %(lowest)s was lowest, takes %(gold)s and leads next.") % words


def _tell_round_end(end: RoundEnd, names: Sequence[str], *, has_said_why: bool) -> str:
    sentences = {
        "no_lead": gettext("The round is over: %(name)s has no card left to lead."),
        "no_play": gettext("The round is over: %(name)s has neither a metal nor gold to play."),
        "declined_gold": gettext("The round is over: %(name)s could only play gold and keeps it."),
    }
    if has_said_why:
        return gettext("The round is over.")
    return sentences[end.reason] % {"name": names[end.seat]}
