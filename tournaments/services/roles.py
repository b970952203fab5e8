"""Who helps: invitations by link with a role, joining, leaving, and a tournament handed over to somebody else."""

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.core import signing
from django.db import transaction
from django.urls import reverse

from aurum_league.common.errors import N_, LeagueError
from aurum_league.common.telling import tell
from tournaments.models import Helper, Role, Tournament
from tournaments.services.lifecycle import lock_tournament, record_event

INVITATION_SECONDS = 14 * 86_400
SALT = "helper invitation"
MOST_HELPERS = 50


@dataclass(frozen=True, slots=True)
class HelperInvitation:
    """`for_league`: the role holds for every tournament of the league."""

    tournament: Tournament
    role: Role
    inviter: User
    for_league: bool


def invite_helper(*, tournament: Tournament, role: str, inviter: User, for_league: bool = False) -> str:
    """A text by which somebody joins as this; nothing is stored until then."""
    if role not in Role.values:
        raise LeagueError("bad_role", N_("There is no such role."), N_("There are: %(names)s."), names=Role.values)
    league = tournament.league
    if for_league and (league is None or not (inviter.is_staff or league.organiser_id == inviter.pk)):
        raise LeagueError("no_league", N_("This tournament is in no league of yours."), status=409)
    told = {"tournament": tournament.pk, "role": role, "inviter": inviter.pk, "for_league": for_league}
    return signing.dumps(told, salt=SALT, compress=True)


def read_helper_invitation(text: str) -> HelperInvitation:
    """A coded error where the text is none of ours, too old, or its sender may not invite any more."""
    try:
        told = signing.loads(text, salt=SALT, max_age=INVITATION_SECONDS)
        tournament = Tournament.objects.select_related("league", "organiser").get(pk=told["tournament"])
        inviter = User.objects.get(pk=told["inviter"], is_active=True)
    except (signing.BadSignature, Tournament.DoesNotExist, User.DoesNotExist):
        raise _bad_invitation() from None
    if not (inviter.is_staff or tournament.organiser_id == inviter.pk):
        raise _bad_invitation()
    return HelperInvitation(tournament, Role(told["role"]), inviter, bool(told["for_league"]))


def _bad_invitation() -> LeagueError:
    return LeagueError("bad_invitation", N_("This invitation is none of ours, or too old."), N_("Ask for a new one."))


@transaction.atomic
def join_as_helper(*, invitation: str, user: User) -> Helper:
    """Say yes; who helps already gets the role of the newest invitation."""
    read = read_helper_invitation(invitation)
    tournament = lock_tournament(read.tournament.pk)
    if tournament.organiser_id == user.pk:
        raise LeagueError("already_yours", N_("This tournament is yours already."), status=409)
    if tournament.helpers.count() >= MOST_HELPERS:
        raise LeagueError("too_many_helpers", N_("So many help already."), status=409)
    scope = {"league": tournament.league} if read.for_league else {"tournament": tournament}
    helper, is_new = Helper.objects.get_or_create(
        user=user, **scope, defaults={"role": read.role, "invited_by": read.inviter}
    )
    if is_new or helper.role != read.role:
        helper.role, helper.invited_by = read.role, read.inviter
        helper.save(update_fields=("role", "invited_by"))
        record_event(tournament, "helper_joined", actor=user, detail={"user": user.username, "role": str(read.role)})
    return helper


@transaction.atomic
def remove_helper(*, tournament_id: int, helper_id: int, actor: User | None = None) -> bool:
    """Somebody helps no longer; False where they did not, which changes nothing."""
    tournament = lock_tournament(tournament_id)
    found = Helper.objects.filter(pk=helper_id).select_related("user").first()
    is_here = found is not None and (found.tournament_id == tournament.pk or found.league_id == tournament.league_id)
    if found is None or not is_here:
        return False
    record_event(tournament, "helper_removed", actor=actor, detail={"user": found.user.username})
    found.delete()
    return True


@transaction.atomic
def hand_over(*, tournament_id: int, username: str, actor: User | None = None) -> Tournament:
    """Give a tournament to somebody who already helps with everything; who gave it away helps on."""
    tournament = lock_tournament(tournament_id)
    heir = Helper.objects.filter(tournament=tournament, user__username=username, role=Role.ALL).first()
    if heir is None or not heir.user.is_active:
        raise LeagueError(
            "no_heir",
            N_("%(name)s does not help with everything here."),
            N_("Invite them first, for everything."),
            status=409,
            name=username,
        )
    before, user = tournament.organiser, heir.user
    tournament.organiser = user
    tournament.save(update_fields=("organiser",))
    heir.delete()
    Helper.objects.create(tournament=tournament, user=before, role=Role.ALL, invited_by=user)
    detail = {"user": user.username, "before": before.username}
    record_event(tournament, "handed_over", actor=actor, detail=detail)
    tell(
        [user],
        kind="handed_over",
        subject=N_("%(tournament)s is yours"),
        text=N_("%(name)s has handed %(tournament)s over to you."),
        url=reverse("desk_tournament", args=[tournament.slug]),
        tournament=tournament.name,
        name=before.username,
    )
    return tournament
