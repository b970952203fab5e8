"""The life of a tournament as one table: what may happen in which state, and the state it leads to."""

from aurum_league.common.errors import N_, LabelledEnum, LeagueError, Word


class State(LabelledEnum):
    DRAFT = "draft", N_("Draft")
    OPEN = "open", N_("Open for entries")
    DRAWN = "drawn", N_("Drawn")
    PLAYING = "playing", N_("Playing")
    PAUSED = "paused", N_("Paused")
    FINISHED = "finished", N_("Finished")
    CANCELLED = "cancelled", N_("Cancelled")


class Step(LabelledEnum):
    """What an organiser, an entrant or the service may do to a tournament."""

    EDIT = "edit", N_("edit")
    EDIT_TEXTS = "edit_texts", N_("change the texts")
    SET_CHECK_IN = "set_check_in", N_("set the time to check in")
    SET_TIMES = "set_times", N_("set the times")
    OPEN = "open", N_("open the entries")
    ENTER = "enter", N_("enter players")
    ENTER_LATE = "enter_late", N_("enter players late")
    CHECK_IN = "check_in", N_("check in")
    SEED = "seed", N_("seed")
    KEEP_APART = "keep_apart", N_("keep entrants apart")
    SET_ENTRY = "set_entry", N_("set the rules of entry")
    REST = "rest", N_("let an entrant rest")
    LEAVE = "leave", N_("leave")
    REPLACE = "replace", N_("replace an entrant")
    NAME_BEACON = "name_beacon", N_("name a round of the beacon")
    DROP_BEACON = "drop_beacon", N_("drop the beacon")
    DRAW = "draw", N_("draw")
    REOPEN = "reopen", N_("open the entries again")
    EDIT_DRAW = "edit_draw", N_("change the draw")
    START = "start", N_("start")
    RELEASE = "release", N_("release a matchday")
    ADVANCE = "advance", N_("move on")
    DECIDE = "decide", N_("decide a match")
    CORRECT = "correct", N_("correct a result")
    PAUSE = "pause", N_("pause")
    RESUME = "resume", N_("resume")
    FINISH = "finish", N_("finish")
    CANCEL = "cancel", N_("cancel")
    NEXT_SEASON = "next_season", N_("prepare the next season")
    PLAY_OFF = "play_off", N_("play off for the title")


TRANSITIONS: dict[tuple[State, Step], State] = {
    (State.DRAFT, Step.EDIT): State.DRAFT,
    (State.DRAFT, Step.SET_CHECK_IN): State.DRAFT,
    (State.DRAFT, Step.NAME_BEACON): State.DRAFT,
    (State.DRAFT, Step.DROP_BEACON): State.DRAFT,
    (State.DRAFT, Step.OPEN): State.OPEN,
    (State.DRAFT, Step.CANCEL): State.CANCELLED,
    (State.OPEN, Step.EDIT): State.OPEN,
    (State.OPEN, Step.ENTER): State.OPEN,
    (State.OPEN, Step.SET_CHECK_IN): State.OPEN,
    (State.OPEN, Step.CHECK_IN): State.OPEN,
    (State.OPEN, Step.SEED): State.OPEN,
    (State.OPEN, Step.KEEP_APART): State.OPEN,
    (State.OPEN, Step.LEAVE): State.OPEN,
    (State.OPEN, Step.REPLACE): State.OPEN,
    (State.OPEN, Step.NAME_BEACON): State.OPEN,
    (State.OPEN, Step.DROP_BEACON): State.OPEN,
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
    (State.CANCELLED, Step.DECIDE): State.CANCELLED,
    (State.FINISHED, Step.NEXT_SEASON): State.FINISHED,
    (State.FINISHED, Step.PLAY_OFF): State.FINISHED,
    **{(state, Step.REST): state for state in (State.OPEN, State.DRAWN, State.PLAYING, State.PAUSED)},
    **{(state, Step.SET_ENTRY): state for state in (State.DRAFT, State.OPEN, State.DRAWN, State.PLAYING)},
    **{(state, Step.EDIT_TEXTS): state for state in State},
    **{(state, Step.SET_TIMES): state for state in State if state not in (State.FINISHED, State.CANCELLED)},
}


def can_take(state: str, step: Step) -> bool:
    return (State(state), step) in TRANSITIONS


def next_state(state: str, step: Step) -> State:
    """The state that follows; a coded error names where the step would be possible."""
    try:
        return TRANSITIONS[State(state), step]
    except KeyError:
        possible = sorted(at for at, taken in TRANSITIONS if taken is step)
        raise LeagueError(
            "wrong_state",
            N_("A tournament that is %(state)s does not allow this: %(step)s."),
            N_("It is possible while it is: %(possible)s."),
            status=409,
            state=State(state),
            step=Word(step.replace("_", " "), step.label),
            possible=possible,
        ) from None


TEXTS = frozenset({"name", "description", "contact", "links"})
"""What a spec says to readers alone: it can be changed at any time."""
ENTERED_FOR = frozenset({"table_kind", "entry_kind", "is_rated"})
"""What somebody enters for: it stays once anybody has."""
LOCKED_BY_DRAW = N_("A rule of play: it stands since the draw.")
LOCKED_BY_ENTRIES = N_("Players have entered for this: it stands as long as they are in.")


def find_lock(state: str, name: str, *, has_entrants: bool) -> str:
    """Why a key of the spec cannot be changed now; empty where it can."""
    if name in TEXTS:
        return ""
    if not can_take(state, Step.EDIT):
        return LOCKED_BY_DRAW
    return LOCKED_BY_ENTRIES if has_entrants and name in ENTERED_FOR else ""
