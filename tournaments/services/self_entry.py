"""People who enter by themselves, agreeing first where they would be rated against bots; and their teams of two."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.core import signing
from django.db import IntegrityError, transaction

from aurum_league.common.errors import N_, LeagueError
from bots.services.registration import check_name, choose_slug
from games.models import Player, PlayerKind
from games.selectors.rated_play import require_rateable
from games.services.players import agree_to_bots, ensure_person
from tournaments.models import Entrant, Team, Tournament, TournamentState
from tournaments.selectors.entrants import (
    are_entries_open,
    is_own_player,
    list_own_entrants,
    needs_agreement,
    require_team,
)
from tournaments.selectors.rights import is_organiser
from tournaments.services.entries import STILL_HERE, enter_player, withdraw_entrant
from tournaments.services.entry_rules import keep_answers, require_allowed

MOST_TEAMS = 20
INVITATION_SECONDS = 14 * 86_400
SALT = "team invitation"
MEMBERS = (PlayerKind.PERSON, PlayerKind.BOT)


@dataclass(frozen=True, slots=True)
class TeamInvitation:
    name: str
    inviter: Player


@transaction.atomic
def create_team(*, name: str, members: tuple[Player, Player], creator: User) -> Team:
    """A team whose players are the creator's own; an organiser may name anybody's, as when entering them."""
    if not is_organiser(creator) and any(member.owner_id != creator.pk for member in members):
        raise LeagueError(
            "not_yours", N_("A team is made of players of your own."), N_("Invite your partner."), status=403
        )
    return _create(name, members, creator)


@transaction.atomic
def enter_new_team(*, tournament_id: int, name: str, members: tuple[Player, Player], actor: User) -> Entrant:
    """Both at once, or neither where the tournament does not take them."""
    team = create_team(name=name, members=members, creator=actor)
    return enter_player(tournament_id=tournament_id, player=team.player, actor=actor)


def invite_partner(*, name: str, user: User) -> str:
    """A text by which one other person becomes the partner; nothing is stored until then."""
    named = check_name(name)
    if Player.objects.filter(name__iexact=named).exists():
        raise _name_taken(named)
    return signing.dumps({"name": named, "inviter": ensure_person(user).pk}, salt=SALT, compress=True)


def read_invitation(text: str) -> TeamInvitation:
    """Who invites to which team; a coded error where the text is none of ours, or too old."""
    try:
        told = signing.loads(text, salt=SALT, max_age=INVITATION_SECONDS)
        inviter = Player.objects.select_related("owner").get(pk=told["inviter"])
    except (signing.BadSignature, Player.DoesNotExist):
        raise LeagueError(
            "bad_invitation", N_("This invitation is none of ours, or too old."), N_("Ask for a new one.")
        ) from None
    return TeamInvitation(told["name"], inviter)


@transaction.atomic
def join_team(*, invitation: str, user: User) -> Team:
    """The team, once its second player has said yes. It belongs to whoever invited; both may enter it."""
    read = read_invitation(invitation)
    assert read.inviter.owner is not None
    return _create(read.name, (read.inviter, ensure_person(user)), read.inviter.owner)


def _create(name: str, members: tuple[Player, Player], creator: User) -> Team:
    first, second = members
    if first == second or any(member.kind not in MEMBERS or not member.is_active for member in members):
        raise LeagueError("bad_team", N_("A team has two different players who are people or bots and still play."))
    # Two forms sent at once must not both find room; who enters meanwhile only points at the account.
    User.objects.select_for_update(no_key=True).get(pk=creator.pk)
    if not is_organiser(creator) and Team.objects.filter(created_by=creator).count() >= MOST_TEAMS:
        raise LeagueError(
            "too_many_teams",
            N_("You have made %(most)s teams."),
            N_("Play in one of them."),
            status=409,
            most=MOST_TEAMS,
        )
    name = check_name(name)
    try:
        with transaction.atomic():
            slug = choose_slug(f"team {name}")
            player = Player.objects.create(kind=PlayerKind.TEAM, name=name, slug=slug, owner=creator)
    except IntegrityError:
        raise _name_taken(name) from None
    return Team.objects.create(player=player, first=first, second=second, created_by=creator)


def _name_taken(name: str) -> LeagueError:
    return LeagueError("name_taken", N_("The name %(name)s is taken."), N_("Choose another."), status=409, name=name)


def _require_agreement(tournament: Tournament, *, agrees: bool) -> None:
    if needs_agreement(tournament) and not agrees:
        raise LeagueError(
            "agreement_needed",
            N_("Bots play in this rated tournament."),
            N_("Say that you agree to be rated against them."),
            status=409,
        )


@transaction.atomic
def enter_oneself(
    *,
    tournament: Tournament,
    user: User,
    agrees: bool = False,
    team: str = "",
    contribution: str = "",
    code: str = "",
    answers: Sequence[str] = (),
) -> Entrant:
    """Enter as the person one is, or as the team of this slug; on the waiting list where the tournament is full."""
    person = ensure_person(user)
    player = _require_own_team(team, user) if team else person
    given: dict[str, Any] = {"contribution": contribution, "code": code, "answers": answers}
    return enter_own_player(tournament=tournament, player=player, user=user, agrees=agrees, **given)


@transaction.atomic
def enter_own_player(
    *,
    tournament: Tournament,
    player: Player,
    user: User,
    agrees: bool = False,
    contribution: str = "",
    code: str = "",
    answers: Sequence[str] = (),
) -> Entrant:
    """Enter a person, a team or a bot of the user's; what people agree to is stored only if they are entered."""
    is_in = tournament.entrants.filter(player=player, state__in=STILL_HERE).exists()
    if tournament.state == TournamentState.OPEN and not are_entries_open(tournament):
        raise LeagueError(
            "entries_closed",
            N_("Players cannot enter by themselves at this time."),
            N_("Look at the times of the tournament, or ask the organiser."),
            status=409,
        )
    if not is_in:
        require_allowed(tournament, player, code)
    if player.kind in (PlayerKind.PERSON, PlayerKind.TEAM):
        _require_agreement(tournament, agrees=agrees)
        if tournament.is_rated:
            require_rateable(user.pk)
        if agrees:
            agree_to_bots(user_id=user.pk)
    entrant = enter_player(tournament_id=tournament.pk, player=player, actor=user, contribution=contribution)
    return entrant if is_in or player.kind == PlayerKind.BOT else keep_answers(entrant=entrant, answers=answers)


@transaction.atomic
def leave_by_oneself(*, tournament: Tournament, user: User) -> None:
    """Take oneself, or the team one plays in, out; nothing where one is not in."""
    own = list_own_entrants(tournament, user).first()
    if own is not None:
        withdraw_entrant(entrant_id=own.pk, actor=user)


def _require_own_team(slug: str, user: User) -> Player:
    team = require_team(slug)
    if not is_own_player(team.player, user.pk):
        raise LeagueError("not_yours", N_("This team is not yours."), status=403)
    return team.player
