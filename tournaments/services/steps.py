"""An organiser's steps by name: what pages, the API and the admin offer, in the order of a tournament's life."""

from collections.abc import Callable

from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from tournaments.models import MatchdayState, Release, Tournament
from tournaments.rules.formats import FORMATS
from tournaments.rules.lifecycle import Step, can_take
from tournaments.selectors.leagues import find_current_stage
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
        _("Players can enter, and everybody sees the tournament. Rules can be changed until the draw."),
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
        _("Its tables can be played, whatever is still open of the one before."),
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


def list_steps(tournament: Tournament) -> list[Step]:
    """Which of them a tournament allows as it is now: only what would change something."""
    allowed = [step for step in STEPS if can_take(tournament.state, step)]
    if not {Step.RELEASE, Step.FINISH} & set(allowed):
        return allowed
    stage = find_current_stage(tournament)
    pointless = set() if FORMATS[stage.format].runs_on else {Step.FINISH}
    if stage.release == Release.ALL or not stage.matchdays.filter(state=MatchdayState.DRAWN).exists():
        pointless.add(Step.RELEASE)
    return [step for step in allowed if step not in pointless]


def take_organisers_step(*, step: Step, tournament_id: int, actor: User | None = None, reason: str = "") -> None:
    """Take one step; a coded error where the tournament's state does not allow it."""
    said = {"reason": reason} if step in WITH_REASON else {}
    STEPS[step](tournament_id=tournament_id, actor=actor, **said)
