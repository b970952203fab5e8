"""Streams of connected bots: the full state first, then numbered messages; the newest stream of a bot wins."""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Min
from django.utils import timezone

from bots.contract import Message, make_closed, make_happened, make_hello, make_ready
from bots.models import Bot, BotMessage, BotState
from bots.services.messages import catch_up_bot, replay_table
from games.models import Match, MatchState
from games.models.match import ENDED
from games.rules.view import view
from games.services.publish import publish

MOST_AT_ONCE = 200


@dataclass(slots=True)
class BotStream:
    """One open stream: whose it is, its mark, and the number of the last message it was sent."""

    bot_id: int
    mark: uuid.UUID
    cursor: int

    def take_messages(self) -> tuple[list[Message], bool]:
        """What is new since the last call, and whether the stream goes on."""
        bot = Bot.objects.only("stream", "state").get(pk=self.bot_id)
        if bot.state == BotState.RETIRED:
            return [make_closed("retired")], False
        if bot.stream != self.mark:
            return [make_closed("replaced")], False
        rows = BotMessage.objects.filter(bot_id=self.bot_id, seq__gt=self.cursor).select_related("match")
        messages = []
        for row in rows.order_by("seq")[:MOST_AT_ONCE]:
            self.cursor = row.seq
            if _is_current(row):
                messages.append(_send(row))
        return messages, True


def open_stream(*, bot_id: int, after: int | None = None) -> tuple[BotStream, list[Message]]:
    """A stream that replaces the bot's others, and its first lines: the full state, unless it resumes after a number.

    A number whose followers are no longer kept, or that was never given, gets the full state too.
    """
    catch_up_bot(bot_id=bot_id)
    mark = uuid.uuid4()
    Bot.objects.filter(pk=bot_id).update(stream=mark)
    publish(f"bot:{bot_id}", {"stream": str(mark)})
    bot = Bot.objects.select_related("player").get(pk=bot_id)
    hello = make_hello(bot.player.name, clock="wall")
    if after is not None and _can_resume(bot, after):
        return BotStream(bot_id, mark, after), [hello]
    state = list(_tell_state(bot))
    return BotStream(bot_id, mark, bot.last_seq), [hello, *state, make_ready(bot.last_seq)]


def _can_resume(bot: Bot, after: int) -> bool:
    oldest = BotMessage.objects.filter(bot=bot).aggregate(seq=Min("seq"))["seq"]
    return after <= bot.last_seq and (after == bot.last_seq or (oldest is not None and oldest <= after + 1))


def _tell_state(bot: Bot) -> Iterator[Message]:
    """Every open match of the bot: its start, all that happened, and the question if there is one."""
    rows = BotMessage.objects.filter(bot=bot, seq__lte=bot.last_seq).exclude(match__state__in=ENDED)
    rows = rows.select_related("match", "match__result").order_by("seq")
    for row in rows.filter(kind="match_start"):
        yield row.body
        seen = view(replay_table(row.match), row.seat)
        if seen.log_end:
            yield make_happened(row.match_id, seen, 0)
        questions = rows.filter(kind="decide", match=row.match_id, seat=row.seat)
        yield from (_time(question) for question in questions if _is_current(question))


def _is_current(row: BotMessage) -> bool:
    """A question that was answered, or that the clock has taken away, is not asked again."""
    if row.kind != "decide":
        return True
    match = row.match
    if match.state != MatchState.WAITING or row.seat not in match.awaited:
        return False
    newer = BotMessage.objects.filter(bot_id=row.bot_id, match_id=match.pk, seat=row.seat, kind="decide")
    return not newer.filter(counter__gt=row.counter).exists()


def _send(row: BotMessage) -> Message:
    return {**_time(row), "seq": row.seq}


def _time(row: BotMessage) -> Message:
    """A question with the time that is left for it now."""
    if row.kind != "decide":
        return row.body
    left = _seconds_left(row.match)
    return {**row.body, "time": {"decision": left, "bank": left}}


def _seconds_left(match: Match) -> float:
    if match.deadline is None:
        return 0.0
    return round(max(0.0, (match.deadline - timezone.now()).total_seconds()), 3)
