"""Decisions of connected bots: the bot's own seat, and then the table judges as for everybody."""

from aurum_league.common.errors import LeagueError
from bots.models import Bot
from bots.services.messages import AGENT
from games.models import MatchSeat
from games.services.answer import answer_decision


def decide(*, bot: Bot, match_id: int, counter: int, action: str, seat: int | None = None) -> None:
    """A bot answers a question; `seat` is needed where it holds two."""
    held = MatchSeat.objects.filter(match_id=match_id, agent=f"{AGENT}{bot.pk}")
    seats = list(held.order_by("seat").values_list("seat", flat=True))
    if not seats or (seat is not None and seat not in seats):
        raise LeagueError("match_unknown", "This bot has no such seat in such a match.", status=404)
    if seat is None and len(seats) > 1:
        raise LeagueError("seat_missing", "This bot holds two seats in the match.", 'Say which: "seat".', 422)
    answer_decision(match_id=match_id, seat=seats[0] if seat is None else seat, counter=counter, text=action)
