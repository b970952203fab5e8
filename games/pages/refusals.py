"""Refusals at a table in the reader's language; the codes are those of the services."""

from django.http import JsonResponse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from aurum_league.common import refusals
from aurum_league.common.errors import LeagueError

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
    return str(SENTENCES.get(error.code) or refusals.say_refusal(error))


def answer_refusal(error: LeagueError) -> JsonResponse:
    return JsonResponse({"code": error.code, "message": say_refusal(error)}, status=error.status)
