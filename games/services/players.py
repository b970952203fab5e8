"""Players as services need them: which agent plays for one, and people and guests as players."""

from collections.abc import Callable
from dataclasses import dataclass
from secrets import token_hex
from uuid import UUID

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.text import slugify

from aurum_league.common.errors import N_, LeagueError
from games.models import LobbySeat, MatchSeat, Player, PlayerKind
from games.models.match import ENDED
from games.play.agents import AgentKind, AgentRef

HOUSE_SLUG = "house-"
"""A house player's slug is this and its brain's name; a second one of the same brain is called `house-greedy_2`."""


@dataclass(frozen=True, slots=True)
class BotRules:
    """`agent_of` names the agent that plays for a bot now; `can_enter` says whether it may, in a rated event or not."""

    agent_of: Callable[[Player], AgentRef]
    can_enter: Callable[[Player, bool], bool]


_bot_rules: list[BotRules] = []


def register_bots(rules: BotRules) -> None:
    """Say how bots are played; the app that stores them calls it when Django starts."""
    _bot_rules[:] = [rules]


def agent_of(player: Player) -> AgentRef:
    """The agent of a player as it stands now; whoever creates a match pins it."""
    if player.kind == PlayerKind.HOUSE:
        return AgentRef(AgentKind.HOUSE, player.slug.removeprefix(HOUSE_SLUG).partition("_")[0])
    if player.kind in (PlayerKind.PERSON, PlayerKind.GUEST):
        return AgentRef(AgentKind.PERSON, str(player.pk))
    if player.kind == PlayerKind.BOT and _bot_rules:
        return _bot_rules[0].agent_of(player)
    raise LeagueError(
        "no_agent",
        N_("Nothing can play for %(name)s now."),
        N_("Give it a version that is qualified."),
        name=player.name,
    )


def is_connected(player: Player) -> bool:
    """Whether somebody's own machine answers for this player, and so sees what its seat sees."""
    try:
        return agent_of(player).is_connected
    except LeagueError:
        return False


def can_enter(player: Player, *, is_rated: bool) -> bool:
    if player.kind == PlayerKind.BOT and _bot_rules:
        return _bot_rules[0].can_enter(player, is_rated)
    return player.is_active


def is_barred(player: Player, *, is_rated: bool) -> bool:
    """Whether a moderator keeps this player from entering: suspended, or held where it is rated."""
    now, ends = timezone.now(), (player.suspended_until, player.held_until if is_rated else None)
    return any(end is not None and end > now for end in ends)


MOST_NAMES = 50


def ensure_person(user: User) -> Player:
    """The player of an account, made when it first sits down or enters; a taken name gets a number."""
    player = Player.objects.filter(owner=user, kind=PlayerKind.PERSON).first()
    return player or _name_person(Player(kind=PlayerKind.PERSON, owner=user), user.get_username()[:34])


def ensure_guest(guest: UUID) -> Player:
    """The player of somebody without an account, known by the secret of their session; made at their first table."""
    with transaction.atomic():
        made = {"kind": PlayerKind.GUEST, "name": "Guest", "slug": f"guest-{token_hex(5)}"}
        player, is_new = Player.objects.get_or_create(visitor=guest, defaults=made)
        if is_new:
            player.name = f"Guest {player.pk}"
            player.save(update_fields=("name",))
    return player


@transaction.atomic
def take_over_guest(*, user: User, guest: UUID) -> Player:
    """A guest who signs up becomes the account's person: matches, page and open tables are the account's from now on.

    What was played keeps its agent, so that records stay as they are; an account that has a player keeps its own.
    """
    player = Player.objects.select_for_update(no_key=True).filter(visitor=guest, kind=PlayerKind.GUEST).first()
    if player is None or Player.objects.filter(owner=user, kind=PlayerKind.PERSON).exists():
        return ensure_person(user)
    player.kind, player.owner, player.visitor = PlayerKind.PERSON, user, None
    _name_person(player, user.get_username()[:34])
    seats = MatchSeat.objects.filter(player=player)
    seats.update(owner=user)
    seats.exclude(match__state__in=ENDED).update(agent=str(agent_of(player)))
    LobbySeat.objects.filter(guest=guest).update(user=user, guest=None)
    return player


def agree_to_bots(*, user_id: int | None) -> None:
    """An account's person agrees to be rated against bots, at every table from now on; twice changes nothing.

    A guest has no account, is never rated, and so agrees to nothing.
    """
    people = Player.objects.filter(owner_id=user_id, kind=PlayerKind.PERSON, agreed_at=None)
    people.update(agreed_at=timezone.now())


def _name_person(player: Player, name: str) -> Player:
    """Store a person under this name, or the first free one after it."""
    for number in range(1, MOST_NAMES):
        player.name = name if number == 1 else f"{name} {number}"
        player.slug = slugify(player.name)[:60] or f"player-{player.owner_id}"
        try:
            with transaction.atomic():
                player.save()
            return player
        except IntegrityError:
            if other := Player.objects.filter(owner=player.owner_id, kind=PlayerKind.PERSON).first():
                return other
    raise LeagueError(
        "name_taken",
        N_("Too many players are called %(name)s."),
        N_("Ask for another user name."),
        status=409,
        name=name,
    )
