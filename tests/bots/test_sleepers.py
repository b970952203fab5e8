"""Bots that sleep: they lose no match by it, and hold up nobody but themselves."""

import uuid

import pytest
from django.contrib.auth.models import User

from bots.agents import conformance
from bots.models import Bot, BotVersion, VersionState
from bots.services.qualify import _claim_version, check_versions
from bots.services.registration import retire_bot
from games.models import Match, MatchKind, MatchState, RunnerNeed
from games.play.agents import AgentKind, AgentRef
from games.rules.ruleset import Ruleset
from games.services.create import MatchPlan, SeatPlan, create_matches, new_seed
from games.services.lease import claim_matches
from games.services.play import play_ready_matches
from tests.bots.conftest import MakeBot, house_player

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


def test_workers_serve_those_who_wait_one_after_another(make_bot: MakeBot) -> None:
    bot = make_bot()
    many, few = set(let_play(bot, 20, account=7)), set(let_play(bot, 4, account=9))
    claims = [claim_matches(token=uuid.uuid4(), limit=2, needs=RunnerNeed.SANDBOX) for _ in range(6)]
    served = ["many" if {match.id for match in claim} <= many else "few" for claim in claims]
    assert sorted(served[:4]) == ["few", "few", "many", "many"] and served[4:] == ["many", "many"]
    assert {match.id for claim in claims for match in claim} >= few


def test_a_check_does_not_wait_for_ever(make_bot: MakeBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conformance, "PATIENCE_SECONDS", 1.0)
    monkeypatch.setattr(conformance, "STEPS", conformance.STEPS[:1])
    bot = make_bot(source="sleeper", until="uploaded")
    assert check_versions() == 1
    version = bot.versions.get()
    assert version.state == VersionState.REJECTED
    assert "without working" in version.report["fault"]["detail"]


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
