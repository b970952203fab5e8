"""Decisions of connected bots: checked against the table, and counted once however often they are sent."""

import hashlib

from django.db import transaction

from aurum_league.common.errors import LeagueError
from bots.models import Bot, BotDecision
from bots.services.messages import AGENT
from games.models import MatchSeat
from games.services.answer import answer_decision

LONGEST_KEY = 64


@transaction.atomic
def decide(*, bot: Bot, match_id: int, seat: int | None, counter: int, action: str, key: str = "") -> None:
    """A bot answers a question. `key` makes sending it again harmless; `seat` is needed where the bot holds two."""
    seat = _find_seat(bot, match_id, seat)
    if key and not _is_new(bot, match_id, key, f"{match_id} {seat} {counter} {action}"):
        return
    answer_decision(match_id=match_id, seat=seat, counter=counter, text=action)


def _find_seat(bot: Bot, match_id: int, seat: int | None) -> int:
    held = MatchSeat.objects.filter(match_id=match_id, agent=f"{AGENT}{bot.pk}")
    seats = list(held.order_by("seat").values_list("seat", flat=True))
    if not seats or (seat is not None and seat not in seats):
        raise LeagueError("match_unknown", "This bot has no such seat in such a match.", status=404)
    if seat is None and len(seats) > 1:
        raise LeagueError("seat_missing", "This bot holds two seats in the match.", 'Say which: "seat".', 422)
    return seats[0] if seat is None else seat


def _is_new(bot: Bot, match_id: int, key: str, content: str) -> bool:
    """False for a decision that was taken before; the row goes with it if the table refuses the decision."""
    if len(key) > LONGEST_KEY:
        raise LeagueError("idempotency_key", f"An idempotency key has at most {LONGEST_KEY} characters.", status=422)
    digest = hashlib.sha256(content.encode()).hexdigest()
    row, is_new = BotDecision.objects.get_or_create(bot=bot, key=key, defaults={"match_id": match_id, "digest": digest})
    if not is_new and row.digest != digest:
        raise LeagueError("idempotency_key", "This key was used for another decision.", "Use a new one.", 422)
    return is_new
