"""Uploaded bots from the form to the table: registered, checked in the real sandbox, played, failed, paused."""

import uuid
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.core import mail

from aurum_league.common.errors import LeagueError
from aurum_league.common.presence import SandboxReport, report_sandbox
from bots.agents.conformance import check_bot
from bots.models import Bot, BotMode, BotState, BotVersion, SeatUsage, VersionState
from bots.runners.budget import Limits
from bots.selectors import draw_table_names
from bots.services.agents import tell_authors
from bots.services.qualify import ask_again, qualify_waiting_versions
from bots.services.registration import register_bot, retire_bot
from bots.services.versions import activate_version, add_version
from games.models import Match, MatchKind, MatchState, RunnerNeed
from games.rules.ruleset import Ruleset
from games.services.create import MatchPlan, SeatPlan, create_matches, new_seed
from games.services.play import play_ready_matches
from games.services.players import agent_of, can_enter
from tests.bots.conftest import SOURCES, MakeBot, house_player, read_source
from tests.people import verify_address

pytestmark = pytest.mark.django_db


def play_against_random(bot: Bot, count: int = 1, code: str = "en3") -> list[Match]:
    ruleset = Ruleset.from_code(code)
    seats = [SeatPlan(bot.player, agent_of(bot.player))]
    for number in range(1, ruleset.players):
        player = house_player(number=number)
        seats.append(SeatPlan(player, agent_of(player)))
    plans = [MatchPlan(ruleset, tuple(seats), new_seed(), uuid.uuid4()) for _ in range(count)]
    ids = create_matches(plans=plans, kind=MatchKind.SCRIMMAGE, is_rated=False)
    play_ready_matches(needs=RunnerNeed.SANDBOX)
    return list(Match.objects.select_related("result").filter(pk__in=ids).order_by("pk"))


def test_an_upload_is_checked_activated_and_plays(make_bot: MakeBot) -> None:
    bot = make_bot(until="checked")
    version = bot.versions.get()
    assert version.state == VersionState.QUALIFIED
    assert version.report["decisions"] > 10 and version.report["cpu_ms"]["p99"] > 0
    assert (bot.state, bot.active_version_id) == (BotState.ACTIVE, version.pk)
    assert str(agent_of(bot.player)) == f"version:{version.pk}" and can_enter(bot.player, is_rated=True)
    (match,) = play_against_random(bot, code="de4")
    assert (match.state, match.needs, match.result.forfeits) == (MatchState.FINISHED, RunnerNeed.SANDBOX, [])
    usage = SeatUsage.objects.get(match=match)
    assert usage.version == version and sum(usage.cpu) > 1


@pytest.mark.parametrize(
    ("source", "verdict", "told"),
    [
        pytest.param("always_illegal", "illegal", "thinking hard", id="an illegal action"),
        pytest.param("crash_late", "crash", "five is too many", id="a crash after some decisions"),
    ],
)
def test_a_version_that_fails_the_check_is_rejected_with_the_exact_exchange(
    make_bot: MakeBot, author: User, source: str, verdict: str, told: str
) -> None:
    bot = make_bot(source=source, until="checked")
    version = bot.versions.get()
    fault = version.report["fault"]
    assert (version.state, fault["verdict"]) == (VersionState.REJECTED, verdict)
    assert '"type":"decide"' in fault["asked"] and told in fault["stderr"]
    assert bot.state == BotState.NEW and not can_enter(bot.player, is_rated=False)
    with pytest.raises(LeagueError, match="has not passed"):
        activate_version(bot_id=bot.pk, owner=author, number=1)
    with pytest.raises(LeagueError, match="no active version"):
        agent_of(bot.player)


def test_a_bot_that_never_answers_is_out_of_time() -> None:
    report = check_bot(SOURCES / "spin.py", Limits(start_cpu=0.2, wall_factor=60))
    assert report.fault is not None and report.fault.verdict == "timeout_cpu" and not report.is_passed


def test_events_alone_are_enough_to_follow_a_match(make_bot: MakeBot) -> None:
    assert make_bot(source="remember", until="checked").state == BotState.ACTIVE


def test_a_check_that_was_lost_with_its_worker_is_begun_again(make_bot: MakeBot) -> None:
    bot = make_bot(until="uploaded")
    BotVersion.objects.update(state=VersionState.CHECKING, check_started_at="2020-01-01T00:00Z")
    assert qualify_waiting_versions() == 1
    assert qualify_waiting_versions() == 0
    assert bot.versions.get().state == VersionState.QUALIFIED


def test_a_version_whose_bot_was_retired_is_not_checked(make_bot: MakeBot, author: User) -> None:
    bot = make_bot(until="uploaded")
    retire_bot(bot_id=bot.pk, owner=author)
    assert qualify_waiting_versions() == 0
    assert bot.versions.get().state == VersionState.REJECTED


def test_a_check_names_the_bot_and_others_whom_it_could_meet(make_bot: MakeBot) -> None:
    bot = make_bot(until="uploaded")
    own, *others = draw_table_names(bot.versions.get().pk)
    assert own == bot.player.name
    assert own not in others and len(set(others)) == len(others) >= 3


def test_a_rejected_version_can_be_checked_again(make_bot: MakeBot, author: User) -> None:
    bot = make_bot(source="crash_late", until="checked")
    ask_again(bot_id=bot.pk, owner=author, number=1)
    assert qualify_waiting_versions() == 1
    assert bot.versions.get().state == VersionState.REJECTED


def test_a_failing_seat_is_a_forfeit_and_three_running_pause_the_bot(make_bot: MakeBot, author: User) -> None:
    bot = make_bot(source="always_illegal")
    first, second = play_against_random(bot, 2)
    assert first.result.forfeits == second.result.forfeits == [0]
    failures = list(first.failures.all())
    assert len(failures) == 3
    assert failures[0].verdict == "illegal" and failures[0].answered == '{"action": "play G9"}'
    assert failures[0].stderr == "thinking hard\n"
    bot.refresh_from_db()
    assert (bot.failures, bot.state) == (2, BotState.ACTIVE)
    play_against_random(bot)
    bot.refresh_from_db()
    assert bot.state == BotState.PAUSED and not can_enter(bot.player, is_rated=False)
    verify_address(author)
    assert tell_authors() == 1 and tell_authors() == 0
    assert mail.outbox[0].to == [author.email] and "/bots/alpha/dashboard/" in mail.outbox[0].body
    activate_version(bot_id=bot.pk, owner=author, number=1)
    bot.refresh_from_db()
    assert (bot.state, bot.failures) == (BotState.ACTIVE, 0)


def test_a_match_played_to_the_end_forgets_earlier_failures(make_bot: MakeBot) -> None:
    bot = make_bot()
    Bot.objects.filter(pk=bot.pk).update(failures=2)
    play_against_random(bot)
    bot.refresh_from_db()
    assert bot.failures == 0


def test_a_bot_that_crashes_once_plays_on_in_a_new_process(make_bot: MakeBot) -> None:
    bot = make_bot(source="crash_late")
    (match,) = play_against_random(bot)
    verdicts = [failure.verdict for failure in match.failures.all()]
    assert verdicts == ["crash"] * 3
    steps = [failure.step for failure in match.failures.all()]
    assert steps[1] - steps[0] > 8, "four decisions went well in between"


def refuse_sandbox(owner: User, bot: Bot) -> None:
    report_sandbox(SandboxReport(is_safe=False, reason="this kernel has no Landlock."))
    add_version(bot_id=bot.pk, owner=owner, upload=b"print()")


def upload_twice(owner: User, bot: Bot) -> None:
    add_version(bot_id=bot.pk, owner=owner, upload=read_source("any_legal") + b"# Alpha\n")


def upload_as_a_stranger(owner: User, bot: Bot) -> None:
    add_version(bot_id=bot.pk, owner=User.objects.create_user("stranger"), upload=b"print()")


def upload_nothing(owner: User, bot: Bot) -> None:
    add_version(bot_id=bot.pk, owner=owner, upload=b"")


def upload_when_retired(owner: User, bot: Bot) -> None:
    retire_bot(bot_id=bot.pk, owner=owner)
    add_version(bot_id=bot.pk, owner=owner, upload=b"print()")


def upload_too_often(owner: User, bot: Bot) -> None:
    for number in range(20):
        add_version(bot_id=bot.pk, owner=owner, upload=f"print({number})".encode())


def retire_twice(owner: User, bot: Bot) -> None:
    retire_bot(bot_id=bot.pk, owner=owner)
    retire_bot(bot_id=bot.pk, owner=owner)


def register_too_many(owner: User, bot: Bot) -> None:
    for number in range(10):
        register_bot(owner=owner, name=f"Bot {number}", mode=BotMode.UPLOADED)


def take_a_name(owner: User, bot: Bot) -> None:
    register_bot(owner=owner, name="ALPHA", mode=BotMode.UPLOADED)


@pytest.mark.parametrize(
    ("act", "code"),
    [
        pytest.param(refuse_sandbox, "sandbox_unsafe", id="the sandbox does not hold"),
        pytest.param(upload_twice, "version_exists", id="the same files again"),
        pytest.param(upload_as_a_stranger, "bot_unknown", id="somebody else's bot"),
        pytest.param(upload_nothing, "source_not_python", id="an empty file"),
        pytest.param(upload_when_retired, "bot_state", id="a retired bot"),
        pytest.param(upload_too_often, "quota_exceeded", id="too many versions"),
        pytest.param(retire_twice, "bot_state", id="retired already"),
        pytest.param(register_too_many, "quota_exceeded", id="too many bots"),
        pytest.param(take_a_name, "name_taken", id="a name in other letters"),
    ],
)
def test_what_an_author_may_not_is_refused(
    make_bot: MakeBot, author: User, act: Callable[[User, Bot], None], code: str
) -> None:
    bot = make_bot(until="uploaded")
    with pytest.raises(LeagueError) as refused:
        act(author, bot)
    assert refused.value.code == code
