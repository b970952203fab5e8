"""Words for tables: rulesets, clocks, refusals, what happened, and the texts that the table's script fills in."""

from collections.abc import Mapping, Sequence

from django.http import JsonResponse
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.utils.translation import gettext_lazy as _

from aurum_league.common import pages
from aurum_league.common.errors import LeagueError
from games.play.table_state import BID_LAID, DEAL, END, REVEAL, STOP, SWAP, BidChange, Happening, RoundEnd, TrickState
from games.rules.cards import METAL_NAMES
from games.rules.ruleset import Ruleset
from games.selectors.rated_play import list_repeats

EDITION_NAMES = {
    "en": gettext_lazy("English edition"),
    "fr": gettext_lazy("French edition"),
    "de": gettext_lazy("German edition"),
    "ru": gettext_lazy("Russian edition"),
}


def say_players(players: int) -> str:
    return ngettext("%(count)d player", "%(count)d players", players) % {"count": players}


def say_share(share: float) -> str:
    """How much of a rated match counts, where that is not all of it."""
    return "" if share == 1 else gettext("counts %(percent)s %%") % {"percent": f"{100 * share:.3g}"}


REPEATS_SHOWN = 10


def say_repeats(user_id: int | None) -> list[tuple[str, str]]:
    """Whom somebody met in rated play today, and how much a further match with each counts at most."""
    return [(one.name, say_share(one.share)) for one in list_repeats(user_id)[:REPEATS_SHOWN]]


def describe_ruleset(ruleset: Ruleset) -> str:
    """`German edition, 4 players, without zeros`."""
    parts = [str(EDITION_NAMES[ruleset.edition]), say_players(ruleset.players)]
    if not ruleset.zero_gold:
        parts.append(gettext("without zeros"))
    if ruleset.is_cumulative:
        parts.append(gettext("cumulative scores"))
    if ruleset.decider == "golden_round":
        parts.append(gettext("golden rounds"))
    return ", ".join(parts)


DAY, HOUR, MINUTE = 86_400, 3_600, 60


def describe_clock(clock: Mapping[str, float] | None) -> str:
    """Empty where nobody at the table is timed."""
    if not clock:
        return ""
    if "real_cards" in clock:
        return gettext("Played at a real table, with real cards")
    if "each" in clock:
        return gettext("By days: %(time)s for each decision") % {"time": say_seconds(clock["each"])}
    bank, increment = say_seconds(clock["bank"]), clock.get("increment", 0)
    if not increment:
        return gettext("Live: %(bank)s for the match") % {"bank": bank}
    said = {"bank": bank, "increment": say_seconds(increment)}
    return gettext("Live: %(bank)s for the match, and %(increment)s more for each decision") % said


def say_seconds(seconds: float) -> str:
    """In the largest unit that needs no fraction."""
    whole = round(seconds)
    if whole and whole % DAY == 0:
        return ngettext("%(count)s day", "%(count)s days", whole // DAY) % {"count": whole // DAY}
    if whole and whole % HOUR == 0:
        return ngettext("%(count)s hour", "%(count)s hours", whole // HOUR) % {"count": whole // HOUR}
    if whole and whole % MINUTE == 0:
        return ngettext("%(count)s minute", "%(count)s minutes", whole // MINUTE) % {"count": whole // MINUTE}
    return ngettext("%(count)s second", "%(count)s seconds", whole) % {"count": whole}


SENTENCES: dict[str, str | Promise] = {
    "stale_state": _("The table has moved on since you looked. Nothing was played: look again and decide."),
    "not_awaited": _("It is not your turn. Nothing was played."),
    "table_busy": _("Another seat is deciding. Try again in a moment."),
    "match_over": _("This match is over."),
    "match_unknown": _("There is no such match."),
    "not_your_seat": _("You do not sit at this table."),
    "suit_in_trick": _("That metal is in the trick already: you must play another metal, or gold."),
    "card_not_in_hand": _("That card is not in your hand."),
    "gold_not_owned": _("You do not have that gold."),
    "gold_cannot_lead": _("Gold is never led: play a metal first."),
    "must_play": _("You can play a metal, so you must play a card."),
    "wrong_phase": _("That cannot be done now."),
    "not_an_action": _("That is no action of this game."),
    "not_your_bid": _("You can change only your own bid, or your partner's."),
    "too_many_tables": _("You sit at ten tables already: play or leave one of them first."),
    "account_needed": _("A rated table needs an account: sign in, or play unrated."),
    "agreement_needed": _("Bots may sit at a rated table: say that you agree to be rated against them."),
    "seat_taken": _("Somebody sits there already: choose another seat."),
    "seats_free": _("There are still free seats: wait, or let bots take them."),
    "not_host": _("Only whoever opened the table can deal."),
    "lobby_started": _("The cards are dealt already."),
    "lobby_unknown": _("There is no table with this invitation: ask for a new link."),
    "too_fast": _("That was many tables in a short time: wait a few minutes."),
}


def say_refusal(error: LeagueError) -> str:
    return str(SENTENCES.get(error.code) or pages.say_refusal(error))


def answer_refusal(error: LeagueError) -> JsonResponse:
    return JsonResponse({"code": error.code, "message": say_refusal(error)}, status=error.status)


def table_words() -> dict[str, object]:
    return {
        "metals": {letter: gettext(name) for letter, name in METAL_NAMES.items()},
        "kinds": {"person": gettext("Person"), "bot": gettext("Bot"), "house": gettext("House")},
        **_seat_words(),
        **_turn_words(),
        **_question_words(),
        **_end_words(),
    }


def _seat_words() -> dict[str, str]:
    return {
        "you": gettext("You"),
        "to_act": gettext("To act"),
        "forfeited": gettext("Forfeit: the house plays on"),
        "partner": gettext("Partner"),
        "face_down": gettext("Bid, face down"),
        "no_bid": gettext("No bid yet"),
        "bid": gettext("Bid: {card}"),
        "cards": gettext("cards: {count}"),
        "nuggets": gettext("nuggets: {count}"),
        "gold_of": gettext("Gold of {name}"),
        "set_aside": gettext("Set aside, face up"),
        "wins": gettext("Wins"),
        "lowest": gettext("Lowest"),
        "time_left": gettext("{time} left"),
        "days": gettext("{count} days"),
        "hours": gettext("{time} h"),
        "hand_of": gettext("Hand of {name}"),
    }


def _turn_words() -> dict[str, str]:
    return {
        "dealing": gettext("The cards are being dealt…"),
        "held": gettext("The tournament is paused. Your match waits, and no time runs."),
        "meeting": gettext("Waiting for {names}. The cards are dealt as soon as everybody is at the table."),
        "meet_until": gettext("Who has not come before {time} forfeits, and the house plays for them."),
        "no_meeting": gettext("No time is agreed yet."),
        "meeting_proposed": gettext("{name} proposes {time}."),
        "meeting_agreed": gettext("Agreed: {time}."),
        "watchers": gettext("watching: {count}"),
        "mute": gettext("do not hear {name}"),
        "is_here": gettext("At the table"),
        "is_away": gettext("Not here yet"),
        "asks_back": gettext("{name} asks to take the last decision back."),
        "asked_back": gettext("You ask to take your last decision back: waiting for {names}."),
        "taken_back": gettext("A decision was taken back."),
        "thinking": gettext("{names}: deciding…"),
        "your_bid": gettext("Your turn: lay a metal as your bid."),
        "your_change": gettext("Your turn: keep the bids, or spend gold to change one?"),
        "your_lead": gettext("Your turn: lead a metal."),
        "your_play": gettext("Your turn: play a metal that is not in the trick, or gold."),
        "your_stop": gettext("Your turn: no metal fits. Play gold, or end the round."),
        "play_card": gettext("Play {card}"),
        "bid_card": gettext("Bid {card}"),
        "your_turn": gettext("Your turn"),
        "ahead": gettext("Decided ahead"),
        "decided_ahead": gettext("{card} is played as soon as it is your turn."),
        "ahead_gone": gettext("{card} cannot be played now: choose again."),
        "lost": gettext("The connection is lost. Trying again…"),
        "kept": gettext("No connection. Your decision is kept and sent as soon as it is back: {action}."),
        "keep": gettext("Keep the bids"),
        "swap": gettext("Change a bid"),
    }


def _question_words() -> dict[str, str]:
    return {
        "spend_gold": gettext("Play {card}?"),
        "spend_gold_cost": gettext(
            "It goes back to the supply after the trick. Kept, it would be worth {points} at the end of the round."
        ),
        "stop": gettext("End the round now?"),
        "stop_cost": gettext(
            "The trick on the table counts for nobody and you keep your gold. You have {tricks} of {bid} tricks."
        ),
        "resign": gettext("Give up this match?"),
        "resign_cost": gettext("The house plays on for you, and you come last. The others keep their match."),
        "swap_effect": gettext(
            "You spend {gold} (worth {points}) and lay {card}; {old} comes into your hand. The bid to reach is then"
            " {bid} instead of {before}, with {tricks} won so far."
        ),
        "swap_own": gettext("Your bid, {card}"),
        "swap_partner": gettext("Bid of {name}, {card}"),
        "points": gettext("points: {count}"),
    }


def _end_words() -> dict[str, str]:
    return {
        "round": gettext("Round {number}"),
        "nugget": gettext("Nugget"),
        "nugget_to": gettext("Nugget of round {number}: {names}"),
        "gold": gettext("Gold"),
        "made_exactly": gettext("{tricks} of {bid}: exactly, the bid counts twice"),
        "made_over": gettext("{tricks} of {bid}: made, the bid counts once"),
        "missed": gettext("{tricks} of {bid}: missed, the bid counts nothing"),
        "end_points": gettext("nuggets: {nuggets}, points: {points}"),
        "rating": gettext("Rating of {name}: {before} → {after} (from {low} to {high})"),
        "moment": gettext("Round {round}, trick {trick}: {played}; the champion: {best}. It cost {percent} %."),
        "moment_bid": gettext("Round {round}, bids: {played}; the champion: {best}. It cost {percent} %."),
        "judging": gettext("The champion looks at your decisions…"),
        "no_moments": gettext("The champion would have played much the same."),
        "asks_again": gettext("Would play again with you: {names}."),
        "next": gettext("Next: {name}"),
        "next_by": gettext("Next: {name}, before {time}"),
        "won": gettext("You win the match!"),
        "shared": gettext("You share the first place."),
        "ended": gettext("The match is over. Your place: {place}."),
        "withdrawn": gettext("This match does not count: it was called off."),
        "troubled": gettext("This match could not be played on. An organiser has to look at it."),
    }


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
