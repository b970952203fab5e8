"""An organiser's steps by name: what pages and the admin offer as buttons, in the order of a tournament's life."""

from collections.abc import Callable

from django.contrib.auth.models import User

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


def list_steps(state: str) -> list[Step]:
    """Which of them a tournament in this state allows."""
    return [step for step in STEPS if can_take(state, step)]


def take_organisers_step(*, step: Step, tournament_id: int, actor: User | None = None, reason: str = "") -> None:
    """Take one step; a coded error where the tournament's state does not allow it."""
    said = {"reason": reason} if step in WITH_REASON else {}
    STEPS[step](tournament_id=tournament_id, actor=actor, **said)
