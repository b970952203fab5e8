"""House bots as players: one for each brain, more where a tournament wants them, and the account that owns nothing."""

from collections.abc import Mapping

from django.contrib.auth.models import User
from django.db import transaction

from aurum_league.common.errors import LeagueError
from bots.brains import BRAINS, FALLBACK
from games.models import Player, PlayerKind
from games.services.agents import HOUSE_SLUG

HOUSE_ORGANISER = "house"


@transaction.atomic
def ensure_house_players(copies: Mapping[str, int] | None = None) -> list[Player]:
    """Make the players that are missing, one of each brain or so many of each named; all of them, in that order."""
    titles = {brain.name: brain.title for brain in BRAINS}
    wanted = dict.fromkeys(titles, 1) if copies is None else copies
    if unknown := sorted(set(wanted) - set(titles)):
        raise LeagueError("unknown_brain", f"There is no house bot {unknown[0]!r}.", f"There are: {', '.join(titles)}.")
    names = {}
    for brain, count in wanted.items():
        names[f"{HOUSE_SLUG}{brain}"] = titles[brain]
        names |= {f"{HOUSE_SLUG}{brain}_{number}": f"{titles[brain]} {number}" for number in range(2, count + 1)}
    Player.objects.bulk_create(
        [Player(kind=PlayerKind.HOUSE, name=name, slug=slug) for slug, name in names.items()], ignore_conflicts=True
    )
    found = {player.slug: player for player in Player.objects.filter(kind=PlayerKind.HOUSE, slug__in=names)}
    if missing := [name for slug, name in names.items() if slug not in found]:
        raise LeagueError("name_taken", f"Another player is already called {missing[0]}.", "Rename that player.")
    return [found[slug] for slug in names]


def ensure_filling_player() -> Player:
    """The house bot that takes a seat nobody else has."""
    return ensure_house_players({FALLBACK: 1})[0]


def ensure_house_organiser() -> User:
    """The account that tournaments run by commands belong to; nobody can sign in with it."""
    user, is_new = User.objects.get_or_create(username=HOUSE_ORGANISER)
    if is_new:
        user.set_unusable_password()
        user.save(update_fields=("password",))
    return user
