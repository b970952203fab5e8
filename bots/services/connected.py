"""Connected bots: the messages they are sent, their streams, and the decisions they send back."""

import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.db.models import Min
from django.utils import timezone

from aurum_league.common.broker import publish
from aurum_league.common.errors import N_, LeagueError
from bots.contract import (
    Message,
    TimeLeft,
    make_closed,
    make_decide,
    make_happened,
    make_hello,
    make_match_end,
    make_match_start,
    make_ready,
)
from bots.models import Bot, BotMessage, BotState
from games.models import Match, MatchSeat, MatchState
from games.models.match import ENDED
from games.play.agents import AgentKind, AgentRef
from games.rules.deal import derive_seed
from games.rules.match import Match as Play
from games.rules.match import replay, unpack_log
from games.rules.ruleset import Ruleset
from games.rules.view import view
from games.selectors.archives import read_log
from games.selectors.matches import record_source
from games.services.answer import answer_decision

KEPT = timedelta(days=1)
UNTIMED = TimeLeft(0.0, 0.0)
"""Stands in a stored question; who sends it fills in the time that is left then."""


def write_messages(*, match_id: int) -> None:
    """Write what the connected bots of a match have not been told yet, and wake their streams."""
    seats = MatchSeat.objects.filter(match_id=match_id, agent__startswith=AgentKind.CONNECTED.prefix).order_by("seat")
    for agent, seat in seats.values_list("agent", "seat"):
        bot_id = AgentRef.parse(agent).number
        if _write_for_seat(bot_id, match_id, seat):
            publish(f"bot:{bot_id}", {"match": match_id})


def catch_up_bot(*, bot_id: int) -> None:
    """Write whatever a bot's matches were left to tell."""
    player_id = Bot.objects.values_list("player_id", flat=True).get(pk=bot_id)
    waiting = Match.objects.filter(state=MatchState.WAITING, seats__player_id=player_id)
    for match_id in {*waiting.values_list("pk", flat=True), *_list_unfinished(bot_id)}:
        write_messages(match_id=match_id)


def _list_unfinished(bot_id: int) -> Iterable[int]:
    """Matches that have ended, of which the bot was told the start and not the end."""
    told_end = BotMessage.objects.filter(bot_id=bot_id, kind="match_end").values("match_id")
    started = BotMessage.objects.filter(bot_id=bot_id, kind="match_start", match__state__in=ENDED)
    return started.exclude(match_id__in=told_end).values_list("match_id", flat=True)


@transaction.atomic
def _write_for_seat(bot_id: int, match_id: int, seat: int) -> bool:
    """The bot's lock comes first, so that whoever waited for it sees the match as it stands now."""
    bot = Bot.objects.select_for_update().filter(pk=bot_id).first()
    if bot is None:
        return False
    match = Match.objects.select_related("result").get(pk=match_id)
    told = BotMessage.objects.filter(bot=bot, match_id=match_id, seat=seat)
    known = set(told.values_list("kind", "counter"))
    new = [
        BotMessage(bot=bot, match_id=match_id, seat=seat, kind=message["type"], counter=counter, body=message)
        for counter, message in _list_messages(match, seat, known)
        if (message["type"], counter) not in known
    ]
    for message in new:
        bot.last_seq += 1
        message.seq = bot.last_seq
    if new:
        BotMessage.objects.bulk_create(new)
        bot.save(update_fields=("last_seq",))
    return bool(new)


def _list_messages(match: Match, seat: int, known: set[tuple[str, int]]) -> Iterable[tuple[int, Message]]:
    """What the seat should have been told by now, each with its counter."""
    play = replay_table(match)
    seen = view(play, seat)
    if ("match_start", 0) not in known:
        yield 0, tell_start(match, seat)
    is_asked = match.state == MatchState.WAITING and seat in match.awaited
    has_ended = match.state in ENDED
    if not is_asked and not has_ended:
        return
    end = len(play.log) if play.result is not None else seen.log_end
    since = max((counter for kind, counter in known if kind == "happened"), default=0)
    if end > since:
        yield end, make_happened(match.pk, seen, since)
    if is_asked:
        yield end, make_decide(match.pk, seen, UNTIMED)
    else:
        forfeits = match.result.forfeits if match.state == MatchState.FINISHED else []
        yield 0, make_match_end(match.pk, seat, play.result, forfeits)


def replay_table(match: Match) -> Play:
    """The match as far as it was played; a settled one keeps its log with the result."""
    has_ended = match.state == MatchState.FINISHED
    log, source = (read_log(match.result), record_source(match)) if has_ended else (match.log, match)
    return replay(Ruleset.from_code(match.ruleset), bytes(source.seed), unpack_log(bytes(log)))


def tell_start(match: Match, seat: int) -> Message:
    names = tuple(match.seats.order_by("seat").values_list("player__name", flat=True))
    chance = int.from_bytes(derive_seed(bytes(match.seed), f"agent {match.pk} {seat}")[:8], "big")
    ruleset = Ruleset.from_code(match.ruleset)
    return make_match_start(match=match.pk, ruleset=ruleset, seat=seat, names=names, chance=chance)


def prune_messages() -> None:
    """Forget what nobody will resume after any more: old messages of matches that have ended."""
    BotMessage.objects.filter(match__state__in=ENDED, created_at__lt=timezone.now() - KEPT).delete()


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


def decide(*, bot: Bot, match_id: int, counter: int, action: str, seat: int | None = None) -> None:
    """A bot answers a question; `seat` is needed where it holds two."""
    held = MatchSeat.objects.filter(match_id=match_id, agent=AgentRef(AgentKind.CONNECTED, str(bot.pk)))
    seats = list(held.order_by("seat").values_list("seat", flat=True))
    if not seats or (seat is not None and seat not in seats):
        raise LeagueError("match_unknown", N_("This bot has no such seat in such a match."), status=404)
    if seat is None and len(seats) > 1:
        raise LeagueError(
            "seat_missing", N_("This bot holds two seats in the match."), N_('Say which: "seat".'), status=422
        )
    answer_decision(match_id=match_id, seat=seats[0] if seat is None else seat, counter=counter, text=action)
