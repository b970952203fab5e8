"""A table as JSON for the page on which a person plays: what lies there, what they may do, and why not."""

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext

from games.models import MatchState
from games.pages.hints import choose_hints
from games.pages.replay import explain_bid, explain_winners
from games.pages.sentences import name_card, tell_happening
from games.play.agents import AgentRef
from games.play.table import STRIKES
from games.rules.cards import METAL_NAMES
from games.rules.history import tell_finished_round
from games.rules.view import View
from games.selectors.tables import Happening, HeldSeat, SeatTable


def make_table_state(table: SeatTable, *, is_guided: bool) -> dict[str, Any]:
    """Everything the page draws from. `counter` goes back with a decision, so that a stale one is refused."""
    seen = table.seen
    names = [held.name for held in table.held]
    state: dict[str, Any] = {
        "match": table.id,
        "state": table.state,
        "seat": table.seat,
        "counter": seen.log_end if seen else 0,
        "seats": [_tell_seat(held, table.clocks, seat) for seat, held in enumerate(table.held)],
        "awaited": table.awaited if table.state == MatchState.WAITING else [],
        "now": timezone.now().isoformat(),
        "deadline": table.deadline.isoformat() if table.deadline else None,
        "banks": table.clocks.get("banks", {}),
        "closes_at": table.closes_at.isoformat() if table.closes_at else None,
        "happenings": [_tell(happening, names) for happening in table.happenings],
    }
    if table.state == MatchState.FINISHED:
        own = table.seat_places[table.seat] if table.seat_places else None
        state |= {"places": table.places, "place": own, "forfeits": table.forfeits}
    return state if seen is None else state | _tell_view(seen, names, is_guided=is_guided)


def _tell_seat(held: HeldSeat, clocks: dict[str, Any], seat: int) -> dict[str, Any]:
    is_person = AgentRef.parse(held.agent).is_person
    return {
        "name": held.name,
        "side": held.side,
        "kind": "person" if is_person else held.kind,
        "is_here": held.is_here or not is_person,
        "has_forfeited": clocks.get("strikes", {}).get(str(seat), 0) >= STRIKES,
    }


def _tell(happening: Happening, names: list[str]) -> dict[str, Any]:
    end = happening.round_end
    return {
        "said": tell_happening(happening, names),
        "seen": happening.seen,
        "last_trick": end["tricks"][-1] if end and end["tricks"] else None,
        "ends_round": end is not None,
    }


def _tell_view(seen: View, names: list[str], *, is_guided: bool) -> dict[str, Any]:
    told = seen.to_dict()
    return {
        "round": told["round"],
        "nuggets": told["nuggets"],
        "totals": told["totals"],
        "options": _list_options(told["legal"]),
        "why": explain_cards(told, names),
        "rounds": [_tell_round(seen, number) for number in range(seen.round_count)],
        "hints": choose_hints(told) if is_guided else [],
    }


def _list_options(legal: list[str]) -> dict[str, Any]:
    """The legal actions by what one chooses; a bid change is any of its gold, for any of its bids, to any card."""
    swaps = [text.split()[1:] for text in legal if text.startswith("swap")]
    return {
        "cards": [text.split()[1] for text in legal if text.startswith(("bid ", "play "))],
        "can_keep": "keep" in legal,
        "can_stop": "stop" in legal,
        "swap_gold": sorted({gold for gold, _, _ in swaps}),
        "swap_bids": sorted({int(bid_of) for _, bid_of, _ in swaps}),
        "swap_cards": list(dict.fromkeys(card for _, _, card in swaps)),
    }


def explain_cards(told: dict[str, Any], names: list[str]) -> dict[str, str]:
    """For each card of the hand, and each gold, that cannot be played now: why."""
    around = told["round"]
    if around is None or told["seat"] is None:
        return {}
    own = [*around["hand"], *around["gold"][told["seat"]]]
    legal = {text.split()[-1] for text in told["legal"]}
    if around["phase"] == "change" and told["legal"]:
        return dict.fromkeys(own, gettext("First say whether you keep the bids or change one."))
    if not told["legal"]:
        whose = names[around["turn"]] if around["turn"] is not None else gettext("the others")
        return dict.fromkeys(own, gettext("It is not your turn: wait for %(name)s.") % {"name": whose})
    in_trick = {card[0] for card in around["trick"]}
    return {card: _explain_card(card, around["phase"], in_trick) for card in own if card not in legal}


def _explain_card(card: str, phase: str, in_trick: set[str]) -> str:
    if card[0] == "G":
        if phase == "bid":
            return gettext("A bid is a metal from your hand, never gold.")
        return gettext("Gold is never led: play a metal first.")
    if card[0] in in_trick:
        metal = gettext(METAL_NAMES[card[0]])
        return gettext("%(metal)s is in the trick already: you must play another metal, or gold.") % {"metal": metal}
    return gettext("%(card)s cannot be played now.") % {"card": name_card(card)}


def _tell_round(seen: View, number: int) -> dict[str, Any]:
    told = tell_finished_round(seen.rounds[number])
    return {
        "scores": [{**score, "how": explain_bid(score["bid"], score["tricks"])} for score in told["scores"]],
        "winners": told["winners"],
        "decision": explain_winners(seen.ruleset, told["scores"], told["winners"]),
        "shown": told["shown"],
        "end": told["end"],
        "last_trick": told["tricks"][-1] if told["tricks"] else None,
    }
