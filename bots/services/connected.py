"""Qualifying connected bots: two matches against `random` over the stream, each played without a single fault."""

import uuid
from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from aurum_league.common.errors import LeagueError
from bots.models import Bot, BotMode, BotState, BotVersion, VersionState
from bots.services.house import house_player
from bots.services.lifecycle import VersionStep, next_version_state
from bots.services.messages import AGENT
from bots.services.qualify import finish_check
from bots.services.registration import lock_own_bot
from games.models import Match, MatchKind, SeatFailure
from games.models.match import ENDED
from games.rules.ruleset import Ruleset
from games.services.agents import agent_of
from games.services.create import MatchPlan, SeatPlan, create_matches, new_seed
from games.signals import SettledMatch

RULESETS = ("en3", "de4")
CLOCK: dict[str, object] = {"bank": 300.0, "increment": 0.0}
"""Wall seconds for all decisions of a match."""


@transaction.atomic
def start_qualification(*, bot_id: int, owner: User) -> list[int]:
    """Create the matches that a connected bot must play well; it should listen on its stream by now."""
    bot = lock_own_bot(bot_id, owner)
    if bot.mode != BotMode.CONNECTED:
        raise LeagueError("bot_mode", "Uploads are checked by themselves.", status=409)
    if bot.state == BotState.RETIRED:
        raise LeagueError("bot_state", "A retired bot does not qualify.", status=409)
    version = bot.versions.select_for_update().get()
    version.state = next_version_state(version.state, VersionStep.START_CHECK)
    plans = [_plan(bot, Ruleset.from_code(code)) for code in RULESETS]
    matches = create_matches(plans=plans, kind=MatchKind.QUALIFICATION, is_rated=False, clock=CLOCK)
    version.report = {"matches": matches}
    version.check_started_at = timezone.now()
    version.save(update_fields=("state", "report", "check_started_at"))
    return matches


def judge_qualifications(*, matches: Sequence[SettledMatch]) -> None:
    """Inside the settling transaction: a check ends with the last of its matches."""
    bots = {
        int(seat.agent.removeprefix(AGENT))
        for match in matches
        if match.kind == MatchKind.QUALIFICATION
        for seat in match.seats
        if seat.agent.startswith(AGENT)
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
    seats = [SeatPlan(bot.player, f"{AGENT}{bot.pk}")]
    seats += [SeatPlan(other, agent_of(other))] * (ruleset.players - 1)
    return MatchPlan(ruleset, tuple(seats), new_seed(), uuid.uuid4())
