"""Who may organise: open leagues and tournaments, and run those that are theirs."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User

from aurum_league.common.errors import N_, LeagueError
from games.selectors.rated_play import has_verified_address
from tournaments.models import League, Role, Stage, Tournament, TournamentState
from tournaments.rules.formats import FORMATS
from tournaments.selectors.leagues import find_league, find_roles, find_tournament, is_in_charge

ORGANISERS = "organiser"
"""The group whose members may create leagues and tournaments."""


def is_organiser(user: User | AnonymousUser) -> bool:
    return user.is_staff or user.groups.filter(name=ORGANISERS).exists()


def require_organiser(user: User | AnonymousUser) -> None:
    if not is_organiser(user):
        raise LeagueError(
            "not_an_organiser", N_("Only organisers may do this."), N_("Ask the staff to make you one."), status=403
        )


def require_league(slug: str) -> League:
    league = find_league(slug)
    if league is None:
        raise LeagueError("no_league", N_("There is no league %(name)s."), status=404, name=slug)
    return league


def require_own_league(slug: str, user: User | AnonymousUser) -> League:
    league = require_league(slug)
    if not user.is_staff and league.organiser_id != user.pk:
        raise LeagueError("not_yours", N_("This league is not yours to run."), status=403)
    return league


def require_tournament(slug: str, user: User | AnonymousUser) -> Tournament:
    """The tournament, or a coded error where there is none that this user may see."""
    tournament = find_tournament(slug, user)
    if tournament is None:
        raise LeagueError("no_tournament", N_("There is no tournament %(name)s."), status=404, name=slug)
    return tournament


def require_stage(slug: str, number: int, user: User | AnonymousUser) -> Stage:
    """The stage with its tournament in one query; a coded error where there is none that this user may see."""
    stages = Stage.objects.select_related("tournament").defer("tournament__seed")
    stage = stages.filter(tournament__slug=slug, number=number).first()
    is_draft = stage is not None and stage.tournament.state == TournamentState.DRAFT
    if stage is None or (is_draft and not is_in_charge(user, stage.tournament)):
        require_tournament(slug, user)
        raise LeagueError("no_stage", N_("There is no stage %(number)s."), status=404, number=number)
    return stage


class Right(StrEnum):
    """What one may do at the desk of a tournament."""

    LOOK = "look"
    DESK = "desk"
    RESULTS = "results"
    RUN = "run"


RIGHTS = {
    Role.ALL: frozenset(Right),
    Role.DESK: frozenset({Right.LOOK, Right.DESK}),
    Role.RESULTS: frozenset({Right.LOOK, Right.RESULTS}),
}


def has_right(user: User | AnonymousUser, tournament: Tournament, right: Right) -> bool:
    """Its organiser and the staff may do everything; a helper what their role says."""
    if user.is_staff or (user.is_authenticated and tournament.organiser_id == user.pk):
        return True
    return any(right in RIGHTS[Role(role)] for role in find_roles(user, tournament))


def require_own_tournament(slug: str, user: User | AnonymousUser, right: Right = Right.RUN) -> Tournament:
    tournament = require_tournament(slug, user)
    if has_right(user, tournament, right):
        return tournament
    raise _not_yours(user, tournament)


def _not_yours(user: User | AnonymousUser, tournament: Tournament) -> LeagueError:
    """What a helper is told, and everybody else."""
    roles = find_roles(user, tournament) if user.is_authenticated else ()
    if not roles:
        return LeagueError("not_yours", N_("This tournament is not yours to run."), status=403)
    return LeagueError(
        "not_your_role",
        N_("You help with “%(role)s” here, and this goes further."),
        N_("Ask the organiser to do it, or for another role."),
        status=403,
        role=Role(min(roles)),
    )


def require_owner(slug: str, user: User | AnonymousUser) -> Tournament:
    """For what an organiser gives to nobody: who helps, and whose it is."""
    tournament = require_tournament(slug, user)
    if not user.is_staff and tournament.organiser_id != user.pk:
        raise _not_yours(user, tournament)
    return tournament


MOST_AT_ONCE = settings.OWN_EVENTS_AT_ONCE
MOST_ENTRANTS = settings.OWN_EVENT_ENTRANTS
MOST_OF_STAGE = {"block_deals": 12, "matches_each": 12}
MOST_OF_OPTIONS = {"laps": 4, "matchdays": 40}
OVER = (TournamentState.FINISHED, TournamentState.CANCELLED)


def require_may_run(user: User, spec: Mapping[str, Any], *, is_new: bool = True) -> None:
    """A coded error where the tournament is more than this user may run without being an organiser."""
    if is_organiser(user):
        return
    if is_new and not has_verified_address(user.pk):
        raise LeagueError(
            "address_unverified",
            N_("An event of your own needs an e-mail address that is confirmed."),
            N_("Confirm yours on your profile."),
            status=403,
        )
    if is_new and Tournament.objects.filter(organiser=user).exclude(state__in=OVER).count() >= MOST_AT_ONCE:
        raise _too_much(
            N_("Without being an organiser you may run %(number)s tournaments at a time."), number=MOST_AT_ONCE
        )
    if spec.get("is_rated", True):
        raise _too_much(N_("Only organisers may run rated tournaments."))
    capacity = spec.get("capacity")
    if capacity is None or capacity > MOST_ENTRANTS:
        raise _too_much(
            N_("Without being an organiser you may take at most %(number)s entrants."), number=MOST_ENTRANTS
        )
    for stage in spec["stages"]:
        _require_small(stage)


def _require_small(stage: Mapping[str, Any]) -> None:
    if (chosen := FORMATS.get(stage["format"])) and chosen.runs_on:
        raise _too_much(N_("This format runs on without end: only organisers may run it."))
    for limits, values in ((MOST_OF_STAGE, stage), (MOST_OF_OPTIONS, stage.get("options", {}))):
        for name, most in limits.items():
            if (values.get(name) or 0) > most:
                raise _too_much(
                    N_("Without being an organiser you may set %(name)s to %(most)s at most."), name=name, most=most
                )


def _too_much(sentence: str, **values: object) -> LeagueError:
    return LeagueError(
        "not_an_organiser", sentence, N_("Ask the staff to make you an organiser."), status=403, **values
    )
