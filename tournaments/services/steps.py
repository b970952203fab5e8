"""An organiser's steps by name: what pages and the admin offer as buttons, in the order of a tournament's life."""

from collections.abc import Callable

from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from tournaments.rules.lifecycle import Step, can_take
from tournaments.services.advance import finish_tournament
from tournaments.services.draw import draw_tournament, reopen_tournament
from tournaments.services.lifecycle import cancel_tournament, open_tournament, pause_tournament, resume_tournament
from tournaments.services.release import release_by_hand, start_tournament

STEPS: dict[Step, Callable[..., object]] = {
    Step.OPEN: open_tournament,
    Step.DRAW: draw_tournament,
    Step.START: start_tournament,
    Step.REOPEN: reopen_tournament,
    Step.RELEASE: release_by_hand,
    Step.RESUME: resume_tournament,
    Step.PAUSE: pause_tournament,
    Step.FINISH: finish_tournament,
    Step.CANCEL: cancel_tournament,
}
WITH_REASON = (Step.PAUSE, Step.FINISH, Step.CANCEL)
STEP_WORDS = {
    Step.OPEN: (
        _("Open the entries"),
        _("Players can enter, and everybody sees the tournament. The draft can then no longer be edited."),
    ),
    Step.DRAW: (
        _("Draw"),
        _("Closes the entries and makes a preview that only you see. The same entries give the same draw."),
    ),
    Step.START: (
        _("Release and start"),
        _("The draw becomes public and the first matches are played. Tables that are released stand."),
    ),
    Step.REOPEN: (
        _("Back to the entries"),
        _("Drops the preview, edits by hand included, and lets players enter again."),
    ),
    Step.RELEASE: (
        _("Release the next matchday"),
        _("Needed only where the stage is released by hand; elsewhere it comes by itself."),
    ),
    Step.RESUME: (_("Resume"), _("Matches that were held back can be played again.")),
    Step.PAUSE: (
        _("Pause"),
        _("Nothing new is drawn, released or begun. Matches under way are played on."),
    ),
    Step.FINISH: (
        _("Finish"),
        _("For a ladder, which runs on. Pause it first: tables that nobody has begun then become void."),
    ),
    Step.CANCEL: (
        _("Cancel the tournament"),
        _("For good: what was played stays, all the rest becomes void."),
    ),
}
"""What each is called, and what it brings about."""


def list_steps(state: str) -> list[Step]:
    """Which of them a tournament in this state allows."""
    return [step for step in STEPS if can_take(state, step)]


def take_organisers_step(*, step: Step, tournament_id: int, actor: User | None = None, reason: str = "") -> None:
    """Take one step; a coded error where the tournament's state does not allow it."""
    said = {"reason": reason} if step in WITH_REASON else {}
    STEPS[step](tournament_id=tournament_id, actor=actor, **said)
