"""Cases of fair play as moderators, reporters and those concerned may see them; nobody handles a case of their own."""

from collections.abc import Sequence
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Max, Q, QuerySet

from aurum_league.common.errors import N_, LeagueError
from games.models import Match, MatchSeat, MatchState, Player
from tournaments.models import Appeal, Case, Deed, FixtureMatch, Report
from tournaments.rules.cases import AGAINST_SOMEBODY, DeedKind

MODERATORS = "moderator"
"""The group whose members decide cases; staff are no moderators by being staff."""


def is_moderator(user: User | AnonymousUser) -> bool:
    return user.is_authenticated and user.groups.filter(name=MODERATORS).exists()


def require_moderator(user: User | AnonymousUser) -> None:
    if not is_moderator(user):
        raise LeagueError(
            "not_a_moderator", N_("Only moderators may do this."), N_("Report what you saw instead."), status=403
        )


def list_moderators() -> QuerySet[User]:
    return User.objects.filter(groups__name=MODERATORS, is_active=True)


def _own_cases(user_id: int) -> Q:
    """Those in which this person is accused, has reported, or sat in a match that was reported."""
    sat = MatchSeat.objects.filter(owner_id=user_id).values("match_id")
    return (
        Q(pk__in=Case.objects.filter(players__owner_id=user_id).values("pk"))
        | Q(pk__in=Report.objects.filter(reporter_id=user_id).values("case_id"))
        | Q(pk__in=Report.objects.filter(match_id__in=sat).values("case_id"))
    )


def list_cases(user: User) -> QuerySet[Case]:
    """What this moderator may handle, what waits longest first among what is open."""
    cases = Case.objects.exclude(_own_cases(user.pk)).prefetch_related("players")
    return cases.order_by("closed_at", "id")


def require_case(case_id: int, user: User | AnonymousUser) -> Case:
    """The case for a moderator whose own it is not."""
    require_moderator(user)
    case = Case.objects.filter(pk=case_id).first()
    if case is None:
        raise LeagueError("no_case", N_("There is no such case."), status=404)
    if Case.objects.filter(_own_cases(user.pk or 0), pk=case_id).exists():
        raise LeagueError(
            "own_case",
            N_("Nobody handles a case of their own."),
            N_("Leave it to another moderator."),
            status=403,
        )
    return case


def require_appeal(appeal_id: int, user: User | AnonymousUser) -> Appeal:
    """An appeal for a moderator who has done nothing in its case."""
    appeal = Appeal.objects.filter(pk=appeal_id).first()
    if appeal is None:
        raise LeagueError("no_appeal", N_("There is no such appeal."), status=404)
    require_case(appeal.case_id, user)
    if Deed.objects.filter(case=appeal.case_id, actor_id=user.pk, player__isnull=False).exists():
        raise LeagueError(
            "own_decision",
            N_("You decided this case."),
            N_("Another moderator decides the appeal."),
            status=403,
        )
    return appeal


def list_own_reports(user: User) -> QuerySet[Report]:
    return Report.objects.filter(reporter=user).select_related("player", "case").order_by("-id")


def list_deeds_against(user: User) -> QuerySet[Deed]:
    """What moderators did to this person's players, newest first; without who did it and who reported it."""
    against = [kind.value for kind in AGAINST_SOMEBODY]
    return Deed.objects.filter(player__owner=user, kind__in=against).select_related("player", "case").order_by("-id")


def list_joint_matches(players: Sequence[Player], limit: int) -> list[Match]:
    """The latest finished matches in which all of these sat."""
    matches = Match.objects.filter(state=MatchState.FINISHED).defer("seed", "log")
    for player in players:
        matches = matches.filter(pk__in=MatchSeat.objects.filter(player=player).values("match_id"))
    return list(matches.select_related("result").prefetch_related("seats__player").order_by("-pk")[:limit])


def expand_matches(match_ids: Sequence[int]) -> list[int]:
    """With all others of their fixtures, which count as a whole."""
    fixtures = FixtureMatch.objects.filter(match__in=match_ids).values("fixture")
    beside = FixtureMatch.objects.filter(fixture__in=fixtures, match__state=MatchState.FINISHED)
    return sorted({*match_ids, *beside.values_list("match_id", flat=True)})


class Terms(NamedTuple):
    """Until when somebody is held from rated play, and suspended; None for not at all."""

    held_until: object
    suspended_until: object


def read_terms(player: Player) -> Terms:
    """By all that was done to a player and not lifted since."""
    standing = Deed.objects.filter(player=player, lifted_at=None)
    ends = dict(standing.values_list("kind").annotate(until=Max("until")).order_by())
    return Terms(ends.get(DeedKind.HOLD.value), ends.get(DeedKind.SUSPEND.value))
