"""The states of bots and versions, as tables of what may follow what."""

from enum import StrEnum

from aurum_league.common.errors import LeagueError
from bots.models import BotState, VersionState


class BotStep(StrEnum):
    ACTIVATE = "activate"
    PAUSE = "pause"
    RETIRE = "retire"


class VersionStep(StrEnum):
    START_CHECK = "start_check"
    PASS = "pass"
    FAIL = "fail"
    POSTPONE = "postpone"


BOT_STEPS: dict[tuple[BotState, BotStep], BotState] = {
    (BotState.NEW, BotStep.ACTIVATE): BotState.ACTIVE,
    (BotState.ACTIVE, BotStep.ACTIVATE): BotState.ACTIVE,
    (BotState.PAUSED, BotStep.ACTIVATE): BotState.ACTIVE,
    (BotState.ACTIVE, BotStep.PAUSE): BotState.PAUSED,
    (BotState.NEW, BotStep.RETIRE): BotState.RETIRED,
    (BotState.ACTIVE, BotStep.RETIRE): BotState.RETIRED,
    (BotState.PAUSED, BotStep.RETIRE): BotState.RETIRED,
}
VERSION_STEPS: dict[tuple[VersionState, VersionStep], VersionState] = {
    (VersionState.NEW, VersionStep.START_CHECK): VersionState.CHECKING,
    (VersionState.REJECTED, VersionStep.START_CHECK): VersionState.CHECKING,
    (VersionState.CHECKING, VersionStep.PASS): VersionState.QUALIFIED,
    (VersionState.CHECKING, VersionStep.FAIL): VersionState.REJECTED,
    (VersionState.CHECKING, VersionStep.POSTPONE): VersionState.NEW,
}


def next_bot_state(state: str, step: BotStep) -> BotState:
    try:
        return BOT_STEPS[BotState(state), step]
    except KeyError:
        raise LeagueError("bot_state", f"A bot that is {state} cannot {step}.", status=409) from None


def next_version_state(state: str, step: VersionStep) -> VersionState:
    try:
        return VERSION_STEPS[VersionState(state), step]
    except KeyError:
        raise LeagueError("version_state", f"A version that is {state} cannot {step}.", status=409) from None
