"""Messages to connected bots: written once for each thing that a match asks or tells, numbered for each bot.

The truth is the match. A message that was never written, because a process died at the wrong moment, is written by
the next look at the bot's matches.
"""

from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from bots.contract import Message, TimeLeft, make_decide, make_happened, make_match_end, make_match_start
from bots.models import Bot, BotMessage
from games.models import Match, MatchSeat, MatchState
from games.models.match import ENDED
from games.rules.deal import derive_seed
from games.rules.match import Match as Play
from games.rules.match import replay, unpack_log
from games.rules.ruleset import Ruleset
from games.rules.view import view
from games.services.publish import publish

AGENT = "connected:"
KEPT = timedelta(days=1)
UNTIMED = TimeLeft(0.0, 0.0)
"""Stands in a stored question; who sends it fills in the time that is left then."""


def write_messages(*, match_id: int) -> None:
    """Write what the connected bots of a match have not been told yet, and wake their streams."""
    seats = MatchSeat.objects.filter(match_id=match_id, agent__startswith=AGENT).order_by("seat")
    for agent, seat in seats.values_list("agent", "seat"):
        bot_id = int(agent.removeprefix(AGENT))
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
    log = match.result.log if match.state == MatchState.FINISHED else match.log
    return replay(Ruleset.from_code(match.ruleset), bytes(match.seed), unpack_log(bytes(log)))


def tell_start(match: Match, seat: int) -> Message:
    names = tuple(match.seats.order_by("seat").values_list("player__name", flat=True))
    chance = int.from_bytes(derive_seed(bytes(match.seed), f"agent {match.pk} {seat}")[:8], "big")
    ruleset = Ruleset.from_code(match.ruleset)
    return make_match_start(match=match.pk, ruleset=ruleset, seat=seat, names=names, chance=chance)


def prune_messages() -> None:
    """Forget what nobody will resume after any more: old messages of matches that have ended."""
    BotMessage.objects.filter(match__state__in=ENDED, created_at__lt=timezone.now() - KEPT).delete()
