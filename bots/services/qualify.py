"""Trying bots out: uploads checked by a worker with a sandbox, connected bots over their stream; and scrimmages."""

import uuid
from collections.abc import Sequence
from datetime import datetime
from functools import partial

import structlog
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.utils import timezone

from aurum_league.common.errors import N_, LeagueError
from bots.agents.conformance import CheckReport, check_bot
from bots.models import Bot, BotMode, BotState, BotVersion, Scrimmage, VersionState
from bots.selectors import draw_table_names
from bots.services.agents import tell_authors
from bots.services.connected import prune_messages
from bots.services.registration import (
    SCRIMMAGES_A_DAY,
    VersionStep,
    count_scrimmages_left,
    house_player,
    lock_own_bot,
    next_version_state,
)
from bots.services.versions import fetch_code, nudge_checks, set_active
from games.models import Match, MatchKind, Player, PlayerKind, SeatFailure
from games.models.match import ENDED
from games.play.agents import AgentKind, AgentRef, PlatformFault, can_run_sandbox
from games.rules.ruleset import Ruleset
from games.services.create import MatchPlan, SeatPlan, create_matches, new_seed
from games.services.players import agent_of
from games.signals import SettledMatch

CHECK_MINUTES = 10
"""After so long a check is taken for lost with its worker, and begun again."""
_CLAIM = """
    UPDATE bots_botversion SET state = 'checking', check_started_at = now()
    WHERE id = (
        SELECT id FROM bots_botversion
        WHERE upload IS NOT NULL
          AND EXISTS (SELECT FROM bots_bot WHERE bots_bot.id = bot_id AND bots_bot.state <> 'retired')
          AND (state = 'new' OR (state = 'checking' AND check_started_at < now() - make_interval(mins => %s)))
        ORDER BY (
            SELECT max(other.check_started_at)
            FROM bots_botversion AS other JOIN bots_bot ON bots_bot.id = other.bot_id
            JOIN games_player ON games_player.id = bots_bot.player_id
            WHERE games_player.owner_id = (
                SELECT owner_id FROM bots_bot JOIN games_player ON games_player.id = bots_bot.player_id
                WHERE bots_bot.id = bots_botversion.bot_id
            )
        ) NULLS FIRST, created_at
        FOR UPDATE SKIP LOCKED LIMIT 1
    )
    RETURNING id, check_started_at
"""

log = structlog.get_logger()


def qualify_waiting_versions() -> int:
    """Check every version that waits; how many were. Stops at a failure of ours, to be tried again later."""
    checked = 0
    while (claim := _claim_version()) is not None:
        version_id, started = claim
        try:
            report = check_bot(
                fetch_code(version_id),
                names=draw_table_names(version_id),
                is_wanted=partial(_is_claimed, version_id, started),
            )
        except PlatformFault as fault:
            log.warning("qualification_postponed", version_id=version_id, reason=str(fault))
            _store(version_id, started, VersionStep.POSTPONE, {})
            break
        _store(version_id, started, _judge(report), report.to_dict())
        checked += 1
    return checked


@transaction.atomic
def ask_again(*, bot_id: int, owner: User, number: int) -> BotVersion:
    """Have a rejected upload checked once more."""
    bot = lock_own_bot(bot_id, owner)
    version = bot.versions.select_for_update().filter(number=number, state=VersionState.REJECTED).first()
    if version is None or version.upload is None:
        raise LeagueError("version_state", N_("Only an upload that failed its check can be checked again."), status=409)
    version.state = VersionState.NEW
    version.save(update_fields=("state",))
    transaction.on_commit(nudge_checks)
    return version


def _claim_version() -> tuple[int, datetime] | None:
    with connection.cursor() as cursor:
        cursor.execute(_CLAIM, [CHECK_MINUTES])
        return cursor.fetchone()


def _is_claimed(version_id: int, started: datetime) -> bool:
    """Whether the check still counts: a bot that is retired meanwhile needs none."""
    return (
        BotVersion.objects.filter(pk=version_id, state=VersionState.CHECKING, check_started_at=started)
        .exclude(bot__state=BotState.RETIRED)
        .exists()
    )


def _judge(report: CheckReport) -> VersionStep:
    return VersionStep.PASS if report.is_passed else VersionStep.FAIL


@transaction.atomic
def _store(version_id: int, started: datetime, step: VersionStep, report: dict[str, object]) -> None:
    """Only while the claim stands: a check that was taken for lost no longer counts."""
    version = BotVersion.objects.filter(pk=version_id, state=VersionState.CHECKING, check_started_at=started).first()
    if version is None:
        return
    finish_check(version, step, report)


def finish_check(version: BotVersion, step: VersionStep, report: dict[str, object]) -> None:
    """Note how a check ended; the first version of a bot that passes plays for it at once."""
    bot = Bot.objects.select_for_update().get(pk=version.bot_id)
    version.state = next_version_state(version.state, step)
    version.report = report
    version.checked_at = timezone.now() if step != VersionStep.POSTPONE else None
    version.save(update_fields=("state", "report", "checked_at"))
    if version.state == VersionState.QUALIFIED and bot.state == BotState.NEW:
        set_active(bot, version)


RULESETS = ("en3", "de4")
CLOCK: dict[str, object] = {"bank": 300.0, "increment": 0.0}
"""Wall seconds for all decisions of a match."""


@transaction.atomic
def start_qualification(*, bot_id: int, owner: User) -> list[int]:
    """Create the matches that a connected bot must play well; it should listen on its stream by now."""
    bot = lock_own_bot(bot_id, owner)
    if bot.mode != BotMode.CONNECTED:
        raise LeagueError("bot_mode", N_("Uploads are checked by themselves."), status=409)
    if bot.state == BotState.RETIRED:
        raise LeagueError("bot_state", N_("A retired bot does not qualify."), status=409)
    version = bot.versions.select_for_update().get()
    version.state = next_version_state(version.state, VersionStep.START_CHECK)
    plans = [_plan(bot, Ruleset.from_code(code)) for code in RULESETS]
    matches = create_matches(plans=plans, kind=MatchKind.QUALIFICATION, is_rated=False, clock=CLOCK, account=owner.pk)
    version.report = {"matches": matches}
    version.check_started_at = timezone.now()
    version.save(update_fields=("state", "report", "check_started_at"))
    return matches


def judge_qualifications(*, matches: Sequence[SettledMatch]) -> None:
    """Inside the settling transaction: a check ends with the last of its matches."""
    bots = {
        seat.agent.number
        for match in matches
        if match.kind == MatchKind.QUALIFICATION
        for seat in match.seats
        if seat.agent.is_connected
    }
    if bots:
        for version in BotVersion.objects.filter(bot__in=bots, state=VersionState.CHECKING).order_by("pk"):
            _judge_connected(version)


def _judge_connected(version: BotVersion) -> None:
    ids = version.report["matches"]
    # Both matches may settle at the same moment: whoever comes second must see the first one's end.
    Bot.objects.select_for_update().get(pk=version.bot_id)
    if Match.objects.filter(pk__in=ids).exclude(state__in=ENDED).exists():
        return
    failures = SeatFailure.objects.filter(match__in=ids).order_by("match_id", "step")
    fault = failures.values("match_id", "seat", "verdict", "detail", "asked", "answered", "stderr").first()
    step = VersionStep.FAIL if fault else VersionStep.PASS
    finish_check(version, step, {"matches": ids, "fault": fault})


def _plan(bot: Bot, ruleset: Ruleset) -> MatchPlan:
    other = house_player("random")
    seats = [SeatPlan(bot.player, AgentRef(AgentKind.CONNECTED, str(bot.pk)))]
    seats += [SeatPlan(other, agent_of(other))] * (ruleset.players - 1)
    return MatchPlan(ruleset, tuple(seats), new_seed(), uuid.uuid4())


def sweep_bots() -> None:
    """Tell authors, forget old messages, and have uploads checked that still wait."""
    tell_authors()
    prune_messages()
    if BotVersion.objects.filter(upload__isnull=False, state__in=(VersionState.NEW, VersionState.CHECKING)).exists():
        nudge_checks()


def check_versions() -> int:
    """Check what waits, where the sandbox holds; how many versions were."""
    return qualify_waiting_versions() if can_run_sandbox() else 0


MOST_AT_ONCE = 60
OPPONENTS = 2


@transaction.atomic
def ask_scrimmages(*, bot_id: int, owner: User, ruleset: Ruleset, others: Sequence[Player], matches: int) -> list[int]:
    """Create matches against house bots or bots that allow it; with four players the bot is its own partner.

    Rounded up to whole blocks in which the bot sits at every seat of a deal, unless somebody at the table answers in
    their own time and so would see the deal twice.
    """
    User.objects.select_for_update().get(pk=owner.pk)
    bot = lock_own_bot(bot_id, owner)
    if bot.state in (BotState.PAUSED, BotState.RETIRED):
        fix = N_("Activate a version first.") if bot.state == BotState.PAUSED else ""
        raise LeagueError(
            "bot_state",
            N_("A bot that is %(state)s asks for no scrimmages."),
            fix,
            status=409,
            state=BotState(bot.state),
        )
    if len(others) != OPPONENTS:
        raise LeagueError("opponents", N_("A scrimmage has two opponents."), status=422)
    if not 1 <= matches <= MOST_AT_ONCE:
        raise LeagueError("matches", N_("Ask for 1 to %(most)s matches at a time."), status=422, most=MOST_AT_ONCE)
    for other in others:
        _require_willing(other, owner)
    plans = _plan_scrimmage(bot, ruleset, others, matches)
    left = count_scrimmages_left(owner)
    if len(plans) > left:
        raise LeagueError(
            "quota_exceeded",
            N_("An author may ask for %(number)s scrimmages a day."),
            N_("You have %(left)s left in these 24 hours."),
            status=429,
            number=SCRIMMAGES_A_DAY,
            left=left,
        )
    ids = create_matches(
        plans=plans, kind=MatchKind.SCRIMMAGE, is_rated=False, priority=-1, clock=CLOCK, account=owner.pk
    )
    Scrimmage.objects.bulk_create([Scrimmage(match_id=match_id, bot=bot, asked_by=owner) for match_id in ids])
    return ids


def _require_willing(other: Player, owner: User) -> None:
    if other.kind == PlayerKind.HOUSE:
        return
    bot = Bot.objects.filter(player=other, state=BotState.ACTIVE).first()
    if bot is None or not (bot.allows_scrimmages or other.owner_id == owner.pk):
        raise LeagueError(
            "not_willing", N_("%(name)s takes no scrimmages."), N_("Choose another."), status=409, name=other.name
        )


def _plan_scrimmage(bot: Bot, ruleset: Ruleset, others: Sequence[Player], matches: int) -> list[MatchPlan]:
    own = SeatPlan(bot.player, agent_of(bot.player))
    first, second = (SeatPlan(other, agent_of(other)) for other in others)
    order = [own, first, second] if ruleset.players == 3 else [own, first, own, second]
    if not all(seat.agent.remembers_nothing for seat in order):
        return [MatchPlan(ruleset, tuple(order), new_seed(), uuid.uuid4()) for _ in range(matches)]
    plans = []
    for _ in range(-(-matches // ruleset.sides)):
        seed, deals = new_seed(), uuid.uuid4()
        for turn in range(ruleset.sides):
            seats = tuple(order[(seat - turn) % len(order)] for seat in range(len(order)))
            plans.append(MatchPlan(ruleset, seats, seed, deals))
    return plans
