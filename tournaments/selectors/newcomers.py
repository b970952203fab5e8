"""What somebody who is no organiser may run: small unrated tournaments, few at a time."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User

from aurum_league.common.errors import LeagueError
from tournaments.models import Tournament, TournamentState
from tournaments.selectors.rights import is_organiser

MOST_AT_ONCE = 3
MOST_ENTRANTS = 24
MOST_OF_STAGE = {"block_deals": 12, "matches_each": 12}
MOST_OF_OPTIONS = {"laps": 4, "matchdays": 40}
OVER = (TournamentState.FINISHED, TournamentState.CANCELLED)


def require_may_run(user: User, spec: Mapping[str, Any], *, is_new: bool = True) -> None:
    """A coded error where the tournament is more than this user may run without being an organiser."""
    if is_organiser(user):
        return
    if is_new and Tournament.objects.filter(organiser=user).exclude(state__in=OVER).count() >= MOST_AT_ONCE:
        raise _too_much(f"Without being an organiser you may run {MOST_AT_ONCE} tournaments at a time.")
    if spec.get("is_rated", True):
        raise _too_much("Only organisers may run rated tournaments.")
    capacity = spec.get("capacity")
    if capacity is None or capacity > MOST_ENTRANTS:
        raise _too_much(f"Without being an organiser you may take at most {MOST_ENTRANTS} entrants.")
    for stage in spec["stages"]:
        _require_small(stage)


def _require_small(stage: Mapping[str, Any]) -> None:
    if stage["format"] == "ladder":
        raise _too_much("A ladder runs on without end: only organisers may run one.")
    for limits, values in ((MOST_OF_STAGE, stage), (MOST_OF_OPTIONS, stage.get("options", {}))):
        for name, most in limits.items():
            if (values.get(name) or 0) > most:
                raise _too_much(f"Without being an organiser you may set {name} to {most} at most.")


def _too_much(sentence: str) -> LeagueError:
    return LeagueError("not_an_organiser", sentence, "Ask the staff to make you an organiser.", status=403)
