"""The life of a tournament as one table: what may happen in which state, and the state it leads to."""

from enum import StrEnum

from aurum_league.common.errors import LeagueError


class State(StrEnum):
    DRAFT = "draft"
    OPEN = "open"
    DRAWN = "drawn"
    PLAYING = "playing"
    PAUSED = "paused"
    FINISHED = "finished"
    CANCELLED = "cancelled"


class Step(StrEnum):
    """What an organiser, an entrant or the service may do to a tournament."""

    EDIT = "edit"
    SET_CHECK_IN = "set_check_in"
    OPEN = "open"
    ENTER = "enter"
    ENTER_LATE = "enter_late"
    CHECK_IN = "check_in"
    SEED = "seed"
    KEEP_APART = "keep_apart"
    LEAVE = "leave"
    REPLACE = "replace"
    DRAW = "draw"
    REOPEN = "reopen"
    EDIT_DRAW = "edit_draw"
    START = "start"
    RELEASE = "release"
    ADVANCE = "advance"
    DECIDE = "decide"
    CORRECT = "correct"
    PAUSE = "pause"
    RESUME = "resume"
    FINISH = "finish"
    CANCEL = "cancel"
    NEXT_SEASON = "next_season"


TRANSITIONS: dict[tuple[State, Step], State] = {
    (State.DRAFT, Step.EDIT): State.DRAFT,
    (State.DRAFT, Step.SET_CHECK_IN): State.DRAFT,
    (State.DRAFT, Step.OPEN): State.OPEN,
    (State.DRAFT, Step.CANCEL): State.CANCELLED,
    (State.OPEN, Step.ENTER): State.OPEN,
    (State.OPEN, Step.SET_CHECK_IN): State.OPEN,
    (State.OPEN, Step.CHECK_IN): State.OPEN,
    (State.OPEN, Step.SEED): State.OPEN,
    (State.OPEN, Step.KEEP_APART): State.OPEN,
    (State.OPEN, Step.LEAVE): State.OPEN,
    (State.OPEN, Step.REPLACE): State.OPEN,
    (State.OPEN, Step.DRAW): State.DRAWN,
    (State.OPEN, Step.CANCEL): State.CANCELLED,
    (State.DRAWN, Step.DRAW): State.DRAWN,
    (State.DRAWN, Step.REOPEN): State.OPEN,
    (State.DRAWN, Step.LEAVE): State.OPEN,
    (State.DRAWN, Step.EDIT_DRAW): State.DRAWN,
    (State.DRAWN, Step.START): State.PLAYING,
    (State.DRAWN, Step.CANCEL): State.CANCELLED,
    (State.PLAYING, Step.ENTER_LATE): State.PLAYING,
    (State.PLAYING, Step.KEEP_APART): State.PLAYING,
    (State.PLAYING, Step.LEAVE): State.PLAYING,
    (State.PLAYING, Step.REPLACE): State.PLAYING,
    (State.PLAYING, Step.EDIT_DRAW): State.PLAYING,
    (State.PLAYING, Step.RELEASE): State.PLAYING,
    (State.PLAYING, Step.ADVANCE): State.PLAYING,
    (State.PLAYING, Step.DECIDE): State.PLAYING,
    (State.PLAYING, Step.CORRECT): State.PLAYING,
    (State.PLAYING, Step.PAUSE): State.PAUSED,
    (State.PLAYING, Step.FINISH): State.FINISHED,
    (State.PLAYING, Step.CANCEL): State.CANCELLED,
    (State.PAUSED, Step.KEEP_APART): State.PAUSED,
    (State.PAUSED, Step.LEAVE): State.PAUSED,
    (State.PAUSED, Step.REPLACE): State.PAUSED,
    (State.PAUSED, Step.EDIT_DRAW): State.PAUSED,
    (State.PAUSED, Step.DECIDE): State.PAUSED,
    (State.PAUSED, Step.CORRECT): State.PAUSED,
    (State.PAUSED, Step.RESUME): State.PLAYING,
    (State.PAUSED, Step.FINISH): State.FINISHED,
    (State.PAUSED, Step.CANCEL): State.CANCELLED,
    (State.FINISHED, Step.CORRECT): State.FINISHED,
    (State.FINISHED, Step.NEXT_SEASON): State.FINISHED,
}


def can_take(state: str, step: Step) -> bool:
    return (State(state), step) in TRANSITIONS


def next_state(state: str, step: Step) -> State:
    """The state that follows; a coded error names where the step would be possible."""
    try:
        return TRANSITIONS[State(state), step]
    except KeyError:
        possible = ", ".join(sorted(at for at, taken in TRANSITIONS if taken is step))
        raise LeagueError(
            "wrong_state",
            f"A tournament that is {state} does not allow this: {step.replace('_', ' ')}.",
            f"It is possible while it is: {possible}.",
            status=409,
        ) from None
