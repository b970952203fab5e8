"""What authors and their bots do."""

import datetime as dt
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from bots.agents.decision_log import DecisionLog, LoggedDecision
from bots.models import Bot, BotMode, BotVersion, Puzzle, VersionState
from bots.services.agents import note_log, note_usage, prune_logs, store_logs, tell_authors
from bots.services.connected import catch_up_bot, decide, open_stream, prune_messages, write_messages
from bots.services.opinion import answer_puzzle, choose_puzzle
from bots.services.qualify import ask_again, ask_scrimmages, start_qualification, sweep_bots
from bots.services.registration import change_bot, ensure_house_bots, register_bot, renew_token, retire_bot
from bots.services.versions import activate_version, add_version
from games.models import MatchKind, MatchState
from games.rules.ruleset import Ruleset
from games.selectors.sitters import Sitter
from tests.races.services import Job, call
from tests.races.world import World

DAY = dt.date(2026, 11, 18)
USED: Any = SimpleNamespace(cpu=[0.1])
"""All that is asked of an agent whose seat is closed."""
SAID = DecisionLog([LoggedDecision(0, "bid B1", "ok", 100, 120, None, "")])


def pick_bot(world: World, mode: BotMode) -> Bot:
    return world.pick(Bot.objects.filter(mode=mode).select_related("player__owner"))


def as_owner(service: Callable[..., object], mode: BotMode, **given: object) -> Callable[[World], Job]:
    def choose(world: World) -> Job:
        bot = pick_bot(world, mode)
        return call(service, bot_id=bot.pk, owner=bot.player.owner, **given)

    return choose


def check_rejected(world: World) -> Job:
    bot = pick_bot(world, BotMode.UPLOADED)
    BotVersion.objects.filter(bot=bot, number=2).update(state=VersionState.REJECTED)
    return call(ask_again, bot_id=bot.pk, owner=bot.player.owner, number=2)


def scrimmage(world: World) -> Job:
    bot = pick_bot(world, BotMode.UPLOADED)
    given = {"ruleset": Ruleset(), "others": world.players[:2], "matches": 3}
    return call(ask_scrimmages, bot_id=bot.pk, owner=bot.player.owner, **given)


def register(world: World) -> Job:
    name = f"Bot {world.rng.randrange(5)}"
    return call(register_bot, owner=world.pick_person(), name=name, mode=BotMode.CONNECTED)


def upload(world: World) -> Job:
    bot = pick_bot(world, BotMode.UPLOADED)
    code = f"# {world.rng.randrange(5)}\n".encode()
    return call(add_version, bot_id=bot.pk, owner=bot.player.owner, upload=code)


def answer(world: World) -> Job:
    match = world.pick_match(kind=MatchKind.QUALIFICATION, state=MatchState.WAITING)
    given = {"match_id": match.pk, "counter": 0, "action": "bid B1", "seat": 0}
    return call(decide, bot=pick_bot(world, BotMode.CONNECTED), **given)


def write(world: World) -> Job:
    return call(write_messages, match_id=world.pick_match(kind=MatchKind.QUALIFICATION).pk)


def solve(world: World) -> Job:
    """The same person decides once, whatever they press at the same moment."""
    match = world.pick_match(kind=MatchKind.QUALIFICATION)
    facts = {"match": match, "seat": 0, "applied": 0, "chances": {"play B1": 0.5, "play B2": 0.4}}
    Puzzle.objects.get_or_create(day=DAY, defaults=facts)
    person = Sitter(user_id=world.pick_person().pk)
    return call(answer_puzzle, day=DAY, sitter=person, choice=world.rng.choice(["play B1", "play B2"]))


DEEDS: dict[str, Callable[[World], Job]] = {
    "bots.versions.activate_version": as_owner(activate_version, BotMode.UPLOADED, number=2),
    "bots.qualify.start_qualification": as_owner(start_qualification, BotMode.CONNECTED),
    "bots.connected.decide": answer,
    "bots.agents.note_usage": lambda world: call(note_usage, match_id=0, seat=0, version_id=1, agent=USED),
    "bots.agents.note_log": lambda world: call(note_log, match_id=0, seat=0, version_id=1, log=SAID),
    "bots.agents.store_logs": lambda world: call(store_logs, match_ids=[world.pick_match().pk]),
    "bots.agents.prune_logs": lambda world: prune_logs,
    "bots.agents.tell_authors": lambda world: tell_authors,
    "bots.registration.ensure_house_bots": lambda world: ensure_house_bots,
    "bots.connected.catch_up_bot": lambda world: call(catch_up_bot, bot_id=pick_bot(world, BotMode.CONNECTED).pk),
    "bots.connected.prune_messages": lambda world: prune_messages,
    "bots.connected.write_messages": write,
    "bots.qualify.ask_again": check_rejected,
    "bots.registration.change_bot": as_owner(change_bot, BotMode.UPLOADED, description="race", allows_scrimmages=True),
    "bots.registration.register_bot": register,
    "bots.registration.renew_token": as_owner(renew_token, BotMode.CONNECTED),
    "bots.registration.retire_bot": as_owner(retire_bot, BotMode.UPLOADED),
    "bots.qualify.ask_scrimmages": scrimmage,
    "bots.connected.open_stream": lambda world: call(open_stream, bot_id=pick_bot(world, BotMode.CONNECTED).pk),
    "bots.qualify.sweep_bots": lambda world: sweep_bots,
    "bots.versions.add_version": upload,
    "bots.opinion.choose_puzzle": lambda world: call(choose_puzzle, day=DAY),
    "bots.opinion.answer_puzzle": solve,
}
