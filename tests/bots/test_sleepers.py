"""Bots that sleep: they lose no match by it, and hold up nobody but themselves."""

import os
import socket
import time
import uuid
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.db.models import F

from aurum_league.supervision.supervisor import make_command
from bots.agents import conformance
from bots.agents.conformance import check_bot
from bots.models import Bot, BotVersion, VersionState
from bots.runners.budget import Limits
from bots.services.qualify import _claim_version, check_versions
from bots.services.registration import retire_bot
from games.models import Match, MatchKind, MatchState, RunnerNeed, Sleeper
from games.play.agents import AgentKind, AgentRef
from games.rules.ruleset import Ruleset
from games.services import play
from games.services.create import MatchPlan, SeatPlan, create_matches, new_seed
from games.services.lease import TURNS, claim_matches
from games.services.play import (
    FIRST,
    LEAST_PATIENCE,
    SLEEPERS_AT_ONCE,
    BatchSize,
    Lanes,
    Patience,
    look_for_matches,
    play_ready_matches,
)
from games.signals import SettledMatch, matches_settled
from tests.bots.conftest import SOURCES, MakeBot, house_player

pytestmark = pytest.mark.django_db


def let_play(bot: Bot, matches: int = 1, kind: MatchKind = MatchKind.SCRIMMAGE, account: int = 0) -> list[int]:
    agent = AgentRef(AgentKind.VERSION, str(bot.active_version_id))
    others = [SeatPlan(house_player("random", number), AgentRef(AgentKind.HOUSE, "random")) for number in (1, 2)]
    seats = (SeatPlan(bot.player, agent), *others)
    plans = [MatchPlan(Ruleset(), seats, new_seed(), uuid.uuid4()) for _ in range(matches)]
    return create_matches(plans=plans, kind=kind, is_rated=False, account=account)


def test_a_sleeper_is_played_where_nobody_waits(make_bot: MakeBot) -> None:
    """One match finds out, and all that are ready go with it, with no attempt lost and no failure noted."""
    sleeper, quick = make_bot(source="sleeper"), make_bot("Beta", owner=User.objects.create_user("other"))
    slept, played = let_play(sleeper, 12), let_play(quick)
    play_ready_matches(needs=RunnerNeed.SANDBOX)
    found = Match.objects.filter(pk__in=slept).values_list("state", "needs", "attempt", "trouble").distinct()
    assert list(found) == [(MatchState.READY, RunnerNeed.PATIENCE, 0, "")]
    assert Match.objects.get(pk=played[0]).state == MatchState.FINISHED
    assert not claim_matches(token=uuid.uuid4(), limit=8, needs=RunnerNeed.SANDBOX)
    play_ready_matches(needs=RunnerNeed.PATIENCE, seconds=0.1)
    finished = Match.objects.get(pk__in=slept, state=MatchState.FINISHED)
    assert finished.result.forfeits == []


def test_one_sleeper_speaks_for_all_bots_of_its_owner(make_bot: MakeBot) -> None:
    """A hundred of them are uploaded as easily as one, and each would take a second to be found out."""
    sleepers = [make_bot(f"Sleeper {number}", source="sleeper") for number in range(4)]
    slept = [match for sleeper in sleepers for match in let_play(sleeper, 4)]
    play_ready_matches(needs=RunnerNeed.SANDBOX, seconds=0.1)
    found = Match.objects.filter(pk__in=slept).values_list("state", "needs").distinct()
    assert list(found) == [(MatchState.READY, RunnerNeed.PATIENCE)]


def test_a_sleeper_is_remembered_for_a_day(make_bot: MakeBot) -> None:
    """Else every new match would take a second of a worker for whom others wait; another version begins anew."""
    sleeper = make_bot(source="sleeper")
    let_play(sleeper)
    play_ready_matches(needs=RunnerNeed.SANDBOX)
    (later,) = let_play(sleeper)
    assert Match.objects.get(pk=later).needs == RunnerNeed.PATIENCE
    Sleeper.objects.update(slept_at=F("slept_at") - timedelta(days=1))
    (forgiven,) = let_play(sleeper)
    assert Match.objects.get(pk=forgiven).needs == RunnerNeed.SANDBOX


def test_who_sleeps_a_little_in_every_match_is_found_out_too(make_bot: MakeBot) -> None:
    """Patience is for all bots of an owner and all their matches together, and is no more than a second at once."""
    dozers = [make_bot(f"Dozer {number}", source="dozer") for number in range(4)]
    played = [match for dozer in dozers for match in let_play(dozer, 4)]
    play_ready_matches(needs=RunnerNeed.SANDBOX)
    states = Counter(Match.objects.filter(pk__in=played).values_list("state", "needs"))
    assert states == {(MatchState.FINISHED, RunnerNeed.SANDBOX): 1, (MatchState.READY, RunnerNeed.PATIENCE): 15}


def test_patience_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who works more than it waits has all of it; what others of the owner have spent still leaves it a little."""
    patience = Patience(1.0)
    assert not patience.charge(7, 0.0) and not patience.charge(7, 0.9)
    assert patience.charge(7, 0.9)
    assert patience.of(7) == LEAST_PATIENCE and patience.of(8) == 1.0
    assert not patience.charge(7, 0.0)
    monkeypatch.setattr("games.services.play.PATIENCE_A_SECOND", 1e6)
    time.sleep(0.001)
    assert patience.of(7) == 1.0


def test_an_honest_bot_costs_no_patience(make_bot: MakeBot) -> None:
    """However often it is asked: else a thousand of its matches would make a sleeper of it."""
    bot = make_bot()
    let_play(bot, 40)
    assert play_ready_matches(needs=RunnerNeed.SANDBOX) == 40
    assert play._patience.of(bot.player.owner_id) > 0.95
    assert not Sleeper.objects.exists()


def test_a_batch_of_slow_bots_gives_back_what_it_has_not_begun(make_bot: MakeBot) -> None:
    """Eight of them would hold a worker for minutes, whoever waits."""
    slow = let_play(make_bot(source="thinker"), FIRST[RunnerNeed.SANDBOX])
    play_ready_matches(needs=RunnerNeed.SANDBOX, seconds=0.1)
    states = Counter(Match.objects.filter(pk__in=slow).values_list("state", "attempt"))
    assert states.keys() == {(MatchState.FINISHED, 1), (MatchState.READY, 0)}


def test_turns_are_shared_by_time(make_bot: MakeBot) -> None:
    """Whose matches take four times as long has a turn where others have four, and all where nobody else waits."""
    bot, turns = make_bot(), TURNS[RunnerNeed.SANDBOX]
    slow, quick = set(let_play(bot, 30, account=7)), let_play(bot, 30, account=9)

    def serve() -> bool:
        (match,) = claim_matches(token=uuid.uuid4(), limit=1, needs=RunnerNeed.SANDBOX)
        turns.charge(4.0 if match.id in slow else 1.0)
        return match.id in slow

    assert 5 <= sum(serve() for _ in range(26)) <= 8
    Match.objects.filter(pk__in=quick).update(state=MatchState.VOID, lease_token=None, lease_until=None)
    assert all(serve() for _ in range(3))


def test_lanes_are_shared_by_time() -> None:
    """Slow uploads must not keep house bots from more than half of a worker, nor the reverse."""
    lanes, served = Lanes(), []
    for _ in range(8):
        need = lanes.list_next(RunnerNeed.SANDBOX)[0]
        served.append(need)
        lanes.charge(need, 4.0 if need is RunnerNeed.SANDBOX else 1.0, ())
    assert served.count(RunnerNeed.SANDBOX) == 2
    lanes.charge(RunnerNeed.SANDBOX, 100.0, (RunnerNeed.HOUSE,))
    lanes.charge(RunnerNeed.HOUSE, 1.0, ())
    assert lanes.list_next(RunnerNeed.SANDBOX)[0] is RunnerNeed.SANDBOX


def test_sleepers_leave_a_process_to_checks(make_bot: MakeBot) -> None:
    """Of the processes that may be kept waiting, one never plays: who waits for a check waits for no match."""
    command = make_command("patient")
    assert int(command[command.index("--concurrency") + 1]) - 1 == SLEEPERS_AT_ONCE
    (match_id,) = let_play(make_bot())
    Match.objects.filter(pk=match_id).update(needs=RunnerNeed.PATIENCE)
    taken = [socket.socket(socket.AF_UNIX) for _ in range(SLEEPERS_AT_ONCE)]
    for number, place in enumerate(taken):
        place.bind(f"\0aurum-sleepers-{os.getppid()}-{number}")
    assert look_for_matches(is_patient=True) == 0
    assert Match.objects.get(pk=match_id).state == MatchState.READY
    for place in taken:
        place.close()
    assert look_for_matches(is_patient=True) == 1


def test_workers_serve_those_who_wait_one_after_another(make_bot: MakeBot) -> None:
    bot = make_bot()
    many, few = set(let_play(bot, 20, account=7)), set(let_play(bot, 4, account=9))
    claims = [claim_matches(token=uuid.uuid4(), limit=2, needs=RunnerNeed.SANDBOX) for _ in range(6)]
    served = ["many" if {match.id for match in claim} <= many else "few" for claim in claims]
    assert sorted(served[:4]) == ["few", "few", "many", "many"] and served[4:] == ["many", "many"]
    assert {match.id for claim in claims for match in claim} >= few


def test_uploads_and_house_bots_take_turns(make_bot: MakeBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has a thousand matches of uploads must not keep those of house bots from beginning, nor the reverse."""
    lanes = Lanes()
    charge = lanes.charge
    # As if each took a tenth of a second, however busy the machine is: turns by time have a test of their own.
    monkeypatch.setattr(lanes, "charge", lambda need, seconds, nothing: charge(need, 0.1, nothing))
    monkeypatch.setattr(play, "_lanes", lanes)
    monkeypatch.setitem(FIRST, RunnerNeed.SANDBOX, 1)
    monkeypatch.setitem(FIRST, RunnerNeed.HOUSE, 1)
    monkeypatch.setattr(play, "_size", BatchSize())
    monkeypatch.setattr(BatchSize, "learn", lambda self, need, **seen: None)
    uploads = let_play(make_bot(), 4)
    house = [SeatPlan(house_player("random", number), AgentRef(AgentKind.HOUSE, "random")) for number in (1, 2, 3)]
    plans = [MatchPlan(Ruleset(), tuple(house), new_seed(), uuid.uuid4()) for _ in range(4)]
    create_matches(plans=plans, kind=MatchKind.SCRIMMAGE, is_rated=False, account=9)
    played: list[int] = []

    def note(matches: tuple[SettledMatch, ...], **_: object) -> None:
        played.extend(match.id for match in matches)

    matches_settled.connect(note)
    play_ready_matches(needs=RunnerNeed.SANDBOX)
    matches_settled.disconnect(note)
    assert [match in uploads for match in played] == [True, False] * 4


def test_a_check_does_not_wait_for_ever(make_bot: MakeBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conformance, "PATIENCE_SECONDS", 1.0)
    monkeypatch.setattr(conformance, "STEPS", conformance.STEPS[:1])
    bot = make_bot(source="sleeper", until="uploaded")
    assert check_versions() == 1
    version = bot.versions.get()
    assert version.state == VersionState.REJECTED
    assert "without working" in version.report["fault"]["detail"]


def test_a_check_has_a_deadline_as_a_whole(make_bot: MakeBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Past it the machine is to blame, since a bot's own banks are shorter: it is tried again later."""
    monkeypatch.setattr(conformance, "DEADLINE_SECONDS", 0.0)
    bot = make_bot(until="uploaded")
    assert check_versions() == 0
    assert bot.versions.get().state == VersionState.NEW
    banks = Limits().bank_cpu + Limits().start_cpu
    seats = sum(step.seats.count("bot") for step in conformance.STEPS)
    monkeypatch.undo()
    assert seats * banks + conformance.PATIENCE_SECONDS < conformance.DEADLINE_SECONDS


def test_a_check_ends_with_its_bot(tmp_path: Path) -> None:
    """Within a match too, not only when it is over."""
    (tmp_path / "main.py").write_text((SOURCES / "sleeper.py").read_text())
    wanted = iter([True, False])
    report = check_bot(tmp_path, is_wanted=lambda: next(wanted))
    assert (report.passed, report.fault) == ([], None)


def test_checks_rotate_among_authors(make_bot: MakeBot, author: User) -> None:
    other = User.objects.create_user("other")
    for name in ("One", "Two", "Three"):
        make_bot(name, until="uploaded")
    make_bot("Four", owner=other, until="uploaded")
    claimed = [_claim_version() for _ in range(2)]
    owners = [BotVersion.objects.get(pk=claim[0]).bot.player.owner for claim in claimed if claim]
    assert owners == [author, other]


def test_a_retired_bot_waits_for_nothing(make_bot: MakeBot, author: User) -> None:
    bot = make_bot()
    begun, *waiting = let_play(bot, 3)
    Match.objects.filter(pk=begun).update(log=b"\x01\x01")
    retire_bot(bot_id=bot.pk, owner=author)
    assert Match.objects.get(pk=begun).state == MatchState.READY
    assert set(Match.objects.filter(pk__in=waiting).values_list("state", flat=True)) == {MatchState.VOID}
